// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../package-root.ts';
import { startFlow } from '../testing/flow-process.ts';
import { writeFiles } from '../testing/write-files.ts';

const long = '個人情報'.repeat(2000);
const rows = [1, 2, 3]
  .map((n) => `${JSON.stringify({ q: `question ${n}`, expected: n === 3 ? long : 'x' })}\n`)
  .join('');
const files: Readonly<Record<string, string>> = {
  'ask/flow.dag.yaml': `inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${ask.output}"}
nodes:
- {name: ask, type: prompt, source: {type: code, path: ask.jinja2}, inputs: {q: "\${inputs.q}"}}
`,
  'ask/ask.jinja2': `user:\n{{ q }}\n{# ${long} #}\n`,
  'ask/eval.yaml': `flow: .
data: ../rows.jsonl
metrics:
- {name: same, on: outputs.answer, evaluator: equals, expected: "\${row.expected}"}
`,
  'rows.jsonl': rows,
  'rows.labels.jsonl': `${JSON.stringify({ metric: 'other', inputs: '1', answer: '1', note: long })}\n`,
};

/** @param before what is done in the shell of the server */
async function viewedFolder(before: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-view-full-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(packageRoot, '../../node_modules'), join(folder, 'node_modules'));
  writeFiles(folder, files);
  const run = await startFlow(['run', 'ask', '--data', 'rows.jsonl', '--name', 'r', '--quiet'], { folder }).ended;
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const server = startFlow(['view', '--json', '--no-open'], { folder, before });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  await Promise.race([server.said('"address"'), server.ended]);
  const { url, token } = JSON.parse(server.text()) as { readonly url: string; readonly token: string };
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/studio/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, said: (await answer.json()) as Said };
  };
  return { folder, ask };
}

interface Said {
  readonly digest?: string;
  readonly files?: readonly { readonly digest: string }[];
  readonly error?: { readonly message: string };
}

/** Every file with what is in it, but for locks and what is worked out again. */
function contents(folder: string): Readonly<Record<string, string>> {
  const found = ['.', 'ask', '.flow/runs'].flatMap((name) =>
    readdirSync(join(folder, name), { withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const kept = found.filter(({ name }) => /\.(jsonl|jinja2|yaml|marks\.json|new)$/.test(name));
  return Object.fromEntries(kept.map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')]));
}

test('a disk that is full while the studio writes: one sentence each, what stood there before, and the studio goes on', {
  timeout: 120_000,
}, async () => {
  // A file may have 14 kB: room for a lock, and for none of the files above.
  const { folder, ask } = await viewedFolder('ulimit -f 28');
  const before = contents(folder);
  const about = { run: 'r', evaluation: 'ask/eval.yaml', metric: 'same', line: 0, repeat: 0 };
  const shown = await ask('POST', 'labels/expectation', about);
  const trial = {
    run: 'r',
    line: 0,
    node: 'ask',
    edits: { files: { 'ask.jinja2': `${files['ask/ask.jinja2']}more\n` } },
  };
  const checked = await ask('POST', 'playground/check', trial);
  const digests = { 'ask.jinja2': checked.said.files?.[0]?.digest };
  const answers = [
    await ask('PUT', 'labels', { ...about, label: { judgement: 'pass' }, before: null }),
    await ask('PATCH', 'runs/r', { note: '個'.repeat(4000), name: '人'.repeat(200), tags: tags() }),
    await ask('POST', 'labels/expectation', { ...about, digest: shown.said.digest }),
    await ask('POST', 'playground/write', { ...trial, digests }),
  ];
  expect(answers.map(({ said }) => said.error?.message)).toEqual([
    'rows.labels.jsonl cannot be written: it is larger than files may be here',
    '.flow/runs/r.marks.json cannot be written: it is larger than files may be here',
    'rows.jsonl cannot be written: it is larger than files may be here',
    'ask/ask.jinja2 cannot be written: it is larger than files may be here',
  ]);
  expect(contents(folder)).toEqual(before);
  expect(await ask('GET', 'runs/r')).toMatchObject({ status: 200 });
});

test('a disk with no room for a lock: one sentence each, and no lock is left', { timeout: 120_000 }, async () => {
  const { folder, ask } = await viewedFolder('ulimit -f 4');
  const about = { run: 'r', evaluation: 'ask/eval.yaml', metric: 'same', line: 0, repeat: 0 };
  const answers = [
    await ask('PUT', 'labels', { ...about, label: { judgement: 'pass' }, before: null }),
    await ask('PATCH', 'runs/r', { note: 'n' }),
  ];
  expect(answers.map(({ said }) => said.error?.message)).toEqual([
    expect.stringMatching(/^rows\.labels\.jsonl cannot be written: [^/]+$/),
    expect.stringMatching(/^\.flow\/runs\/r\.marks\.json cannot be written: [^/]+$/),
  ]);
  const left = ['.', '.flow/runs'].flatMap((name) => readdirSync(join(folder, name)));
  expect(left.filter((name) => name.endsWith('.lock'))).toEqual([]);
});

const tags = (): readonly string[] => Array.from({ length: 20 }, (_, at) => `${'札'.repeat(58)}${at}`);
