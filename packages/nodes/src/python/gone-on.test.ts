import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFlow, createFlowFiles, createMemoryRunLog, prepareFlow, type RunLog, runBulk } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'unroll-gone-on-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const head = 'import os\nfrom promptflow.core import tool\n';
const files = {
  'tuple.py': 'return (1, n)',
  'object.py': 'return {n, n + 1}',
  'stream.py': 'return (str(k) for k in range(n))',
  'change.py': 'given.append(9)\n    return len(given)',
  'list.py': 'return [n]',
  'seen.py':
    'text = [type(given).__name__, sorted(given) if not isinstance(given, str) else given]\n    if not os.path.exists("mended"): raise ValueError(str(text))\n    return text',
};
for (const [name, body] of Object.entries(files)) {
  const parameters = name === 'seen.py' || name === 'change.py' ? 'given, after=None' : 'n: int';
  writeFileSync(join(folder, name), `${head}@tool\ndef f(${parameters}):\n    ${body}\n`);
}

async function run(nodes: string, store: RunLog, n = 3) {
  const text = `inputs: {n: {type: int}}\noutputs: {o: {type: object, reference: "\${seen.output}"}}\nnodes:\n${nodes}`;
  const connections = { find: () => undefined, names: () => [] };
  const options = {
    nodeTypes: nodeTypes({ extensions: [promptFlow()] }),
    files: createFlowFiles(folder, folder),
    connections,
    fingerprints: true,
  };
  const { plan, diagnostics } = checkFlow({ path: 'flow.dag.yaml', text }, options);
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  const prepared = await prepareFlow(plan, options);
  if (!prepared.ok) throw new Error(prepared.error.message);
  await using flow = prepared.flow;
  return await runBulk(flow, [{ line: 0, values: { n } }], store, { runId: 'r', concurrency: 1 });
}

const newStore = (): RunLog =>
  createMemoryRunLog({
    id: 'r',
    flowPath: folder,
    flowName: 'f',
    flowDigest: '',
    startedAt: 0,
    nodes: [{ name: 'total', kind: 'python', aggregation: true }],
  });

const node = (name: string, file: string, inputs: string, more = ''): string =>
  `- {name: ${name}, type: python, source: {type: code, path: ${file}.py}, inputs: {${inputs}}${more}}\n`;

test.for([
  ['tuple', 'tuple'],
  ['object', 'set'],
  ['stream', 'generator'],
])(
  'a row that failed is given the %s again when it runs again, not what its record shows',
  async ([file = '', type]) => {
    rmSync(join(folder, 'mended'), { force: true });
    const nodes = node('made', file, 'n: "${inputs.n}"') + node('seen', 'seen', 'given: "${made.output}"');
    const store = newStore();
    const first = await run(nodes, store);
    expect([first.failed, (await store.row(0))?.error?.message]).toEqual([1, expect.stringContaining(`['${type}'`)]);
    writeFileSync(join(folder, 'mended'), '');
    await store.reopen([{ line: 0 }]);
    await run(nodes, store);
    expect((await store.row(0))?.outputs['o']).toEqual([type, expect.anything()]);
  },
);

test('what code changed in a list is seen by the nodes after it when the row runs again', async () => {
  rmSync(join(folder, 'mended'), { force: true });
  const nodes =
    node('made', 'list', 'n: "${inputs.n}"') +
    node('changes', 'change', 'given: "${made.output}"') +
    node('seen', 'seen', 'given: "${made.output}", after: "${changes.output}"');
  const store = newStore();
  await run(nodes, store);
  expect((await store.row(0))?.error?.message).toContain("['list', [3, 9]]");
  writeFileSync(join(folder, 'mended'), '');
  await store.reopen([{ line: 0 }]);
  await run(nodes, store);
  expect((await store.row(0))?.outputs['o']).toEqual(['list', [3, 9]]);
});

test('nodes over all rows that read objects of rows that ran before the run was stopped fail, and say why', async () => {
  writeFileSync(join(folder, 'mended'), '');
  const nodes =
    node('made', 'object', 'n: "${inputs.n}"') +
    node('seen', 'seen', 'given: "${made.output}"') +
    node('total', 'seen', 'given: "${made.output}"', ', aggregation: true');
  const store = newStore();
  const whole = await run(nodes, store);
  expect(whole.aggregation[0]?.status).toBe('Completed');
  await store.reopen([]);
  const { aggregation } = await run(nodes, store);
  expect(aggregation[0]?.error).toMatchObject({
    code: 'OutputNotRecorded',
    message: expect.stringContaining("node 'made' gave row 0 an object that a record holds only as text"),
  });
});
