import { startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const rows = 4;

/** `one` asks with the row's text, `check` decides by code, `two` asks again where it says so. */
function askingWorld(url: string): TestWorld {
  const world = createTestWorld({ environment: { FLOW_PRICES: 'prices.json' } });
  const inputs = 'inputs: {model: gpt-4o, max_tokens: 50';
  writeFiles(world.folder, {
    'prices.json': '{"date": "2026-11-01", "models": {"gpt-4o": {"input": 1000000, "output": 1000000}}}',
    'connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${url}/v1"}\n`,
    'rows.jsonl': Array.from({ length: rows }, (_, n) => `{"q": "question ${n}"}\n`).join(''),
    'ask/one.jinja2': '# user:\n{{ q }}\n',
    'ask/check.ts': 'export function check({ q }: { q: string }) {\n  return q.endsWith("0");\n}\n',
    'ask/flow.dag.yaml': `inputs:
  q: {type: string}
outputs:
  o: {type: string, reference: "\${one.output}"}
nodes:
  - {name: one, type: llm, connection: mine, api: chat, source: {type: code, path: one.jinja2}, ${inputs}, q: "\${inputs.q}"}}
  - {name: check, type: python, source: {type: code, path: check.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: two, type: llm, connection: mine, api: chat, source: {type: code, path: one.jinja2}, ${inputs}, q: "\${one.output}"}, activate: {when: "\${check.output}", is: true}}
`,
  });
  return world;
}

async function planOf(world: TestWorld, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await world.flow('plan', 'ask', '--data', 'rows.jsonl', '--json', ...argv);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const exactly = (amount: number) => ({ min: amount, likely: amount, max: amount, open: false });
/** `user`, `question`, ` `, a digit, and what frames it. */
const known = 10;

test('without an earlier run: prompts that are known are counted, conditions give a range, nothing is asked', async () => {
  await using server = await startOpenAiServer();
  using world = askingWorld(server.url);
  const { nodes, total, ...rest } = await planOf(world);
  expect(rest).toMatchObject({ rows, rows_taken: 0, since: null, likely_from: null, unpriced: [] });
  expect(nodes.one).toEqual({
    kind: 'llm',
    model: 'gpt-4o',
    taken: 0,
    calls: exactly(rows),
    prompt_tokens: exactly(rows * known),
    completion_tokens: { min: 0, likely: rows * 50, max: rows * 50, open: false },
    cost_usd: { min: rows * known, likely: rows * (known + 50), max: rows * (known + 50), open: false },
  });
  expect(nodes.check).toMatchObject({ calls: exactly(rows), prompt_tokens: null, cost_usd: null });
  expect(nodes.two.calls).toEqual({ min: 0, likely: rows, max: rows, open: false });
  expect(nodes.two.prompt_tokens).toMatchObject({ min: 0, open: true });
  expect(total.calls).toEqual({ min: rows, likely: 2 * rows, max: 2 * rows, open: false });
  expect(server.requests).toEqual([]);
});

test('a node that asks after all rows, and rows in which nothing runs, are in no number and told', async () => {
  await using server = await startOpenAiServer();
  using world = askingWorld(server.url);
  const asks = 'type: llm, connection: mine, api: chat, source: {type: code, path: one.jinja2}';
  writeFiles(world.folder, {
    'rows.jsonl': '{"q": "a"}\n{"other": "b"}\n{"q": "c"}\n',
    'ask/flow.dag.yaml': `inputs:
  q: {type: string}
outputs:
  o: {type: string, reference: "\${one.output}"}
nodes:
  - {name: one, ${asks}, inputs: {model: gpt-4o, max_tokens: 5, q: "\${inputs.q}"}}
  - {name: all, ${asks}, aggregation: true, inputs: {model: gpt-4o, max_tokens: 5, q: "\${one.output}"}}
`,
  });
  const { nodes, ...rest } = await planOf(world, '--repeat', '2');
  expect(Object.keys(nodes)).toEqual(['one']);
  expect(rest).toMatchObject({ rows: 4, rows_failing: 2, not_counted: ['all'] });
  const { stdout } = await world.flow('plan', 'ask', '--data', 'rows.jsonl');
  expect(stdout).toContain('\n1 more fails before a node runs: flow run tells why\n');
  expect(stdout).toContain('\nnot counted, once after all rows: all\n');
});

test('an answer is as long as its own row allows, and never longer', async () => {
  const replies = Array.from({ length: rows }, () => ({ message: { role: 'assistant', content: 'yes' } }));
  await using server = await startOpenAiServer(replies);
  using world = askingWorld(server.url);
  const most = 'model: gpt-4o, max_tokens: "${inputs.most}"';
  writeFiles(world.folder, {
    'rows.jsonl': [100, 10, 10, 10].map((one) => `{"q": "a", "most": ${one}}\n`).join(''),
    'ask/flow.dag.yaml': `inputs:
  q: {type: string}
  most: {type: int}
outputs:
  o: {type: string, reference: "\${one.output}"}
nodes:
  - {name: one, type: llm, connection: mine, api: chat, source: {type: code, path: one.jinja2}, inputs: {${most}, q: "\${inputs.q}"}}
`,
  });
  expect((await planOf(world)).nodes.one.completion_tokens).toEqual({ min: 0, likely: 130, max: 130, open: false });
  await world.flow('run', 'ask', '--data', 'rows.jsonl', '--quiet');
  writeFiles(world.folder, { 'rows.jsonl': '{"q": "a", "most": 1}\n' });
  expect((await planOf(world)).nodes.one.completion_tokens).toEqual({ min: 1, likely: 1, max: 1, open: false });
});

test('after a run: what is likely is what it took, --since tells what it would answer', async () => {
  const replies = Array.from({ length: rows + 1 }, () => ({ message: { role: 'assistant', content: 'yes' } }));
  await using server = await startOpenAiServer(replies);
  using world = askingWorld(server.url);
  await world.flow('run', 'ask', '--data', 'rows.jsonl', '--quiet', '--name', 'r');
  const asked = server.requests.length;
  const likely = await planOf(world);
  expect(likely.likely_from).toBe('r');
  expect(likely.nodes.two).toMatchObject({
    calls: { min: 0, likely: 1, max: rows },
    prompt_tokens: { min: 0, likely: 10, max: 40, open: false },
    completion_tokens: { min: 0, likely: 5, max: 200 },
  });
  const since = await planOf(world, '--since', 'r');
  expect(since).toMatchObject({ rows, rows_taken: rows, since: 'r', total: { calls: exactly(0) } });
  writeFiles(world.folder, { 'rows.jsonl': '{"q": "question 0"}\n{"q": "new 0"}\n{"q": "new 1"}\n' });
  const changed = await planOf(world, '--since', 'r');
  expect(changed).toMatchObject({ rows: 3, rows_taken: 1 });
  expect(changed.nodes.one).toMatchObject({ taken: 1, calls: exactly(2) });
  expect(changed.nodes.two).toMatchObject({ taken: 1, calls: { min: 0, likely: 1, max: 2 } });
  expect(server.requests.length).toBe(asked);
});

test('as a table', async () => {
  await using server = await startOpenAiServer();
  using world = askingWorld(server.url);
  const { stdout } = await world.flow('plan', 'ask', '--data', 'rows.jsonl');
  expect(
    stdout,
  ).toBe(`node             model        calls    prompt tokens  completion tokens                           cost
one              gpt-4o           4               40     200 (0 to 200)    $240.00 ($40.00 to $240.00)
check                             4
two              gpt-4o  4 (0 to 4)   28+ (0 to 28+)     200 (0 to 200)   $228.00+ ($0.00 to $228.00+)
models together          8 (4 to 8)  68+ (40 to 68+)     400 (0 to 400)  $468.00+ ($40.00 to $468.00+)

4 rows of rows.jsonl; nothing was run
no earlier run of this flow: where a condition decides, every call is counted
+ part of it is not known before it runs: prompts that hold what other nodes give, answers
`);
});

test('rows are needed', async () => {
  await using server = await startOpenAiServer();
  using world = askingWorld(server.url);
  const { code, stderr } = await world.flow('plan', 'ask');
  expect([code, stderr.split('\n')[0]]).toEqual([2, 'error: which rows? Give them with --data FILE']);
});

test('an earlier run that answers the first rows alone is not held to answer the others', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'rows.jsonl': Array.from({ length: 2000 }, (_, n) => `{"q": "${n}"}\n`).join(''),
    'ask/say.ts': 'export const say = ({ q }: { q: string }) => q;\n',
    'ask/flow.dag.yaml':
      'inputs: {q: {type: string}}\noutputs: {o: {type: string, reference: "${say.output}"}}\nnodes:\n' +
      '- {name: say, type: python, source: {type: code, path: say.ts}, inputs: {q: "${inputs.q}"}}\n',
  });
  await world.flow('run', 'ask', '--data', 'rows.jsonl', '--rows', '0-999', '--name', 'r');
  expect(await planOf(world, '--since', 'r')).toMatchObject({ rows: 2000, rows_looked_at: 1000, rows_taken: 1000 });
});

test('a node that a dearer connection may answer is named: what that would cost is in no number', async () => {
  using world = askingWorld('http://127.0.0.1:1');
  const models =
    '"gpt-4o": {"input": 2, "output": 2}, "dear": {"input": 2, "output": 3}, "cheap": {"input": 1, "output": 2}';
  const node = (name: string, fallback: string): string =>
    `  - {name: ${name}, type: llm, connection: mine, api: chat, source: {type: code, path: one.jinja2}, inputs: {model: gpt-4o, q: "\${inputs.q}"}, retry: {fallback: [${fallback}]}}\n`;
  writeFiles(world.folder, {
    'prices.json': `{"date": "2026-11-01", "models": {${models}}}`,
    'ask/flow.dag.yaml': `inputs: {q: {type: string}}\noutputs: {o: {type: string, reference: "\${a.output}"}}\nnodes:\n${node('a', 'other')}${node('b', '{connection: other, model: cheap}, {connection: other, model: dear}')}`,
    'connections.yaml': ['mine', 'other']
      .map((name) => `${name}: {type: open_ai, api_key: sk-not-a-real-key}\n`)
      .join(''),
  });
  expect((await planOf(world)).dearer_fallbacks).toEqual(['b']);
  const { stdout } = await world.flow('plan', 'ask', '--data', 'rows.jsonl');
  expect(stdout).toContain('\nmore than that where a connection of "fallback" answers, which costs more: b\n');
});
