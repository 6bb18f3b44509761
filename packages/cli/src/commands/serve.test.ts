import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type Said, testNow } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const files: Readonly<Record<string, string>> = {
  'double/flow.dag.yaml': `inputs:
  n: {type: int, default: 7}
outputs:
  twice: {type: int, reference: "\${double.output}"}
nodes:
- {name: double, type: python, source: {type: code, path: double.ts}, inputs: {n: "\${inputs.n}"}}
`,
  'double/double.ts': `export function double({ n }: { n: number }) {
  if (n === 3) throw new RangeError('no way to double 3');
  return n * 2;
}
`,
  'grade/eval.yaml': `run: latest
metrics:
- {name: small, on: outputs.twice, evaluator: equals, expected: 4}
`,
};

/** Serves the flow, asks what is to be asked, and ends the server as Ctrl-C does. */
async function served(folder: string, ask: (url: string) => Promise<void>): Promise<Said> {
  const end = new AbortController();
  const listening = Promise.withResolvers<string>();
  using world = createTestWorld({
    folder,
    signal: end.signal,
    onStdout: (text) => listening.resolve(/http:\S+/.exec(text)?.[0] ?? ''),
  });
  const ended = world.flow('serve', 'double', '--port', '0');
  const url = await Promise.race([listening.promise, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  try {
    await ask(url);
  } finally {
    end.abort();
  }
  return await ended;
}

function postJson(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const text = JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text });
}

test('what was asked is a dataset: exported, run again, compared and scored', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, files);
  let place = '';
  const { code, stderr } = await served(world.folder, async (url) => {
    for (const n of [2, 3, 5]) place = (await postJson(`${url}/score`, { n })).headers.get('x-flow-run') ?? '';
  });
  expect([code, stderr]).toEqual([0, '']);
  const run = place.replace(/\/2$/, '');
  const exported = await world.flow('export', run);
  expect(
    exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { line_number: 0, status: 'Completed', inputs: { n: 2 }, outputs: { twice: 4 } },
    { line_number: 1, status: 'Failed', inputs: { n: 3 }, error: { node: 'double' } },
    { line_number: 2, status: 'Completed', inputs: { n: 5 }, outputs: { twice: 10 } },
  ]);
  writeFiles(world.folder, {
    'double/double.ts': 'export const double = ({ n }: { n: number }) => Math.min(n * 2, 9);\n',
  });
  const again = await world.flow('run', 'double', '--data', run, '--name', 'candidate', '--quiet');
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const compared = JSON.parse((await world.flow('diff', run, 'candidate', '--json')).stdout);
  expect(compared.rows).toMatchObject({ paired: 3, same: 1, only_left: 0, only_right: 0 });
  expect(compared.differing_rows).toMatchObject([{ right: { line: 1 } }, { right: { line: 2 } }]);
  const scored = await world.flow('eval', 'grade', '--run', run, '--json');
  expect(scored).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(scored.stdout).metrics).toMatchObject([{ name: 'small', summary: { mean: 0.5 } }]);
});

test('feedback is a line of feedback.jsonl, with the row it is about', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, files);
  await served(world.folder, async (url) => {
    const place = (await postJson(`${url}/score`, { n: 2 })).headers.get('x-flow-run') ?? '';
    await postJson(`${url}/feedback`, { thumb: 'up' }, { 'x-flow-run': place });
    await fetch(`${url}/feedback`, { method: 'POST', body: 'とても\nよい' });
    expect(place).toMatch(/\/0$/);
  });
  const lines = readFileSync(join(world.folder, '.flow/runs/feedback.jsonl'), 'utf8').trim().split('\n');
  const at = new Date(testNow).toISOString();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at, flow: 'double', place: expect.stringMatching(/^20261121-064500-double-0000\/0$/), feedback: { thumb: 'up' } },
    { at, flow: 'double', feedback: 'とても\nよい' },
  ]);
});

test.for<[what: string, given: readonly string[], told: string]>([
  [
    'one that is written wrong',
    ['inputs.m'],
    'no flow that is served has the input "inputs.m": did you mean "inputs.n"?',
  ],
  ['one without "inputs."', ['n'], 'no flow that is served has the input "n"'],
  [
    'all of them',
    ['inputs.n', 'inputs.question', 'outputs.twice'],
    'no flow that is served has the input "inputs.question"; "outputs.twice"',
  ],
])('an input to keep out of records that no flow has is refused: %s', async ([, given, told]) => {
  using world = createTestWorld();
  writeFiles(world.folder, files);
  const redact = given.flatMap((name) => ['--redact', name]);
  const { code, stderr } = await world.flow('serve', 'double', '--port', '0', ...redact);
  expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
  expect(stderr).toContain('Its inputs: inputs.n');
});

test('what is to be known of what code read is told with its flow: others may be served beside it', async () => {
  using world = createTestWorld();
  const asking =
    "import { execSync } from 'node:child_process';\nexport const double = () => Number(execSync('echo 4'));\n";
  writeFiles(world.folder, { ...files, 'double/double.ts': asking });
  const { stderr } = await served(world.folder, async (url) => void (await postJson(`${url}/score`, { n: 2 })));
  expect(stderr).toMatch(/^warning: double: what code reads there cannot be compared, .*: double \(child process\)$/m);
});
