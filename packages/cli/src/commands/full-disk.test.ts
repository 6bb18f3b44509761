import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeBulkFlow } from '../testing/bulk-flow.ts';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

let recorded: TestWorld;

beforeAll(async () => {
  recorded = createTestWorld();
  writeBulkFlow(recorded.folder, 400);
  writeFiles(recorded.folder, {
    'scores/eval.yaml': 'flow: ../double\ndata: ../n.jsonl\nmetrics:\n- {name: time, evaluator: latency}\n',
  });
  await recorded.flow('run', 'double', '--data', 'n.jsonl', '--name', 'r', '--quiet');
});
afterAll(() => recorded?.[Symbol.dispose]());

/** Of its own, with a recorded run whose rows fill more than a file may hold. */
function recordedFolder(): string {
  const folder = emptyFolder();
  cpSync(recorded.folder, folder, { recursive: true });
  return folder;
}

function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-full-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.for<readonly [string, readonly string[]]>([
  ['rows.jsonl', ['export', 'r', '--out', 'rows.jsonl']],
  ['rows.csv', ['export', 'r', '--nodes', '--out', 'rows.csv']],
  ['rows.parquet', ['export', 'r', '--nodes', '--out', 'rows.parquet']],
  ['report.html', ['eval', 'scores', '--run', 'r', '--html', 'report.html']],
  ['diff.html', ['diff', 'r', 'r', '--html', 'diff.html']],
])(
  'a disk that is full while %s is written: one sentence, and what stood there before',
  { timeout: 120_000 },
  async ([name, argv]) => {
    const folder = recordedFolder();
    writeFileSync(join(folder, name), 'before');
    const files = readdirSync(folder).sort();
    const ended = await startFlow(argv, { folder, before: 'ulimit -f 2' }).ended;
    expect([ended.code, ended.stderr.trim().split('\n').at(-1)]).toEqual([
      1,
      `error: ${name} cannot be written: it is larger than files may be here`,
    ]);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('before');
    expect(readdirSync(folder).sort()).toEqual(files);
  },
);

test('a file that is another by a link stays one, and what is no file is written as it is', {
  timeout: 120_000,
}, async () => {
  const folder = recordedFolder();
  writeFileSync(join(folder, 'real.jsonl'), 'before');
  symlinkSync('real.jsonl', join(folder, 'rows.jsonl'));
  const ended = await startFlow(['export', 'r', '--out', 'rows.jsonl'], { folder }).ended;
  expect(ended.code).toBe(0);
  expect(readFileSync(join(folder, 'real.jsonl'), 'utf8').trim().split('\n').length).toBeGreaterThan(300);
  expect(readFileSync(join(folder, 'rows.jsonl'), 'utf8')).toBe(readFileSync(join(folder, 'real.jsonl'), 'utf8'));
  const full = await startFlow(['export', 'r', '--format', 'jsonl', '--out', '/dev/full'], { folder }).ended;
  expect([full.code, full.stderr]).toEqual([1, 'error: /dev/full cannot be written: no space left on the disk\n']);
  expect(existsSync('/dev/full.new')).toBe(false);
});

test.for([
  { what: 'build', argv: ['build', 'plain', '--output', 'made', '--no-lock'] },
  { what: 'expand', argv: ['expand', 'plain', '--promptflow', 'made'] },
])(
  'a disk that is full while $what writes a folder: one sentence, and no folder that looks whole',
  {
    timeout: 120_000,
  },
  async ({ argv }) => {
    const folder = emptyFolder();
    writeFiles(folder, {
      'plain/flow.dag.yaml':
        'inputs: {q: {type: string}}\noutputs: {a: {type: string, reference: "${inputs.q}"}}\nnodes: []\n',
      'plain/words.txt': 'word '.repeat(4000),
    });
    for (const isThere of [false, true]) {
      if (isThere) mkdirSync(join(folder, 'made'));
      const ended = await startFlow(argv, { folder, before: 'ulimit -f 16' }).ended;
      expect([ended.code, ended.stderr.trim().split('\n').at(-1)]).toEqual([
        1,
        'error: made cannot be written: it is larger than files may be here',
      ]);
      expect(existsSync(join(folder, 'made')) ? readdirSync(join(folder, 'made')) : undefined).toEqual(
        isThere ? [] : undefined,
      );
    }
  },
);
