import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** As long as a run may take that does not stand still. */
const whole = { timeout: 50_000, killSignal: 'SIGKILL' } as const;
const command = join(import.meta.dirname, '../packages/cli/bin/flow.js');
const folder = mkdtempSync(join(tmpdir(), 'stuck-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// Nobody ever writes to it: whoever opens it waits in the system, where nothing ends a thread.
execFileSync('mkfifo', [join(folder, 'pipe')]);
writeFileSync(
  join(folder, 'flow.dag.yaml'),
  `inputs: {n: {type: int}}
outputs: {r: {type: int, reference: "\${x.output}"}}
nodes:
- {name: x, type: python, source: {type: code, path: x.ts}, inputs: {n: "\${inputs.n}"}, timeout: 1}
`,
);
writeFileSync(
  join(folder, 'x.ts'),
  `import { readFileSync } from 'node:fs';
export default ({ n }) => { if (n % 2 === 0) readFileSync(import.meta.dirname + '/pipe'); return n; }\n`,
);
writeFileSync(join(folder, 'rows.jsonl'), Array.from({ length: 80 }, (_, n) => `{"n": ${n}}\n`).join(''));

function flow(...words: readonly string[]) {
  return spawnSync(process.execPath, [command, ...words, '--runs-dir', join(folder, 'runs')], {
    cwd: folder,
    encoding: 'utf8',
    ...whole,
  });
}

test('a run whose code waits in the system ends with its time limit and its exit code', { timeout: 60_000 }, () => {
  const ran = flow('run', '.', '--input', 'n=2');
  expect(ran).toMatchObject({ status: 1, signal: null });
  expect(ran.stdout).toContain("node 'x' ran longer than its time limit of 1 s");
});

test('all rows beside and after such ones end, and such ones fail', { timeout: 120_000 }, () => {
  expect(flow('run', '.', '--data', 'rows.jsonl', '--name', 'rows', '--quiet')).toMatchObject({
    status: 1,
    stderr: '',
  });
  const rows = flow('export', 'rows').stdout.trim().split('\n');
  const read = rows.map((row) => JSON.parse(row) as { readonly line_number: number; readonly status: string });
  expect(read.map(({ status }) => status)).toEqual(
    Array.from({ length: 80 }, (_, n) => (n % 2 === 0 ? 'Failed' : expect.stringMatching(/^(Completed|Failed)$/))),
  );
});

test('a child process in a session of its own, which nothing ends, does not hold the run', { timeout: 60_000 }, () => {
  const python = join(folder, 'python');
  mkdirSync(python);
  execFileSync('mkfifo', [join(python, 'pipe')]);
  const nodes = '- {name: x, type: python, source: {type: code, path: x.py}, inputs: {}}';
  writeFileSync(
    join(python, 'flow.dag.yaml'),
    `outputs: {r: {type: int, reference: "\${x.output}"}}\nnodes:\n${nodes}\n`,
  );
  const lines = ['if os.fork() == 0:', '    os.setsid()', '    open("pipe").read()', '    os._exit(0)', 'return 7'];
  const body = lines.map((line) => `    ${line}\n`).join('');
  writeFileSync(join(python, 'x.py'), `import os\nfrom promptflow.core import tool\n\n\n@tool\ndef x():\n${body}`);
  try {
    expect(flow('run', 'python', '--json')).toMatchObject({ status: 0, stdout: expect.stringContaining('"r": 7') });
  } finally {
    // The child reads to the end, and ends.
    closeSync(openSync(join(python, 'pipe'), constants.O_WRONLY | constants.O_NONBLOCK));
  }
});
