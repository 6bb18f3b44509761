import { type OpenAiServer, startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld, type TestWorldOptions } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const rows = 5;

/** Each row asks the server twice: 15 tokens a call, of model `m` at a cent a token. */
function writeAsk(world: TestWorld, server: OpenAiServer, model = 'm'): void {
  writeFiles(world.folder, {
    'prices.json': '{"date": "2026-11-01", "models": {"m": {"input": 10000, "output": 10000}}}',
    'connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${server.url}/v1"}\n`,
    'rows.jsonl': Array.from({ length: rows }, (_, n) => `{"q": "question ${n}"}\n`).join(''),
    'ask/one.jinja2': '# user:\n{{ q }}\n',
    'ask/flow.dag.yaml': `inputs:
  q: {type: string}
outputs:
  o: {type: string, reference: "\${two.output}"}
nodes:
  - {name: one, type: llm, connection: mine, api: chat, source: {type: code, path: one.jinja2}, inputs: {model: ${model}, q: "\${inputs.q}"}}
  - {name: two, type: llm, connection: mine, api: chat, source: {type: code, path: one.jinja2}, inputs: {model: ${model}, q: "\${one.output}"}}
`,
  });
}

const replies = Array.from({ length: 2 * rows }, () => ({ message: { role: 'assistant', content: 'yes' } }));
const options: TestWorldOptions = { environment: { FLOW_PRICES: 'prices.json' } };
const bulk = ['run', 'ask', '--data', 'rows.jsonl', '--concurrency', '1', '--json', '--name', 'r'];

test.for<[readonly string[], number, string]>([
  [['--budget-tokens', '70'], 3, '75 of 70 tokens'],
  [['--budget-cost', '0.4'], 2, '$0.45 of $0.40'],
])('%s: no new row starts, the run can go on', async ([limit, completed, reached]) => {
  await using server = await startOpenAiServer(replies);
  using world = createTestWorld(options);
  writeAsk(world, server);
  const said = await world.flow(...bulk, ...limit);
  const ended = JSON.parse(said.stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(said.code).toBe(130);
  expect(ended).toMatchObject({ status: 'Canceled', budget_reached: reached, rows: { total: rows, completed } });
  const again = await world.flow('run', '--resume', 'r');
  expect([again.code, again.stderr]).toEqual([
    2,
    `error: run r has spent its budget: ${reached.replace('75', String(completed * 30)).replace('$0.45', '$0.60')}\nA larger one goes on with it: --budget-tokens, --budget-cost or --budget-seconds.\n`,
  ]);
  const more = await world.flow('run', '--resume', 'r', '--budget-tokens', '1000', '--quiet');
  expect([more.code, server.requests.length]).toEqual([0, 2 * rows]);
});

test('the summary says why it stopped and how to go on', async () => {
  await using server = await startOpenAiServer(replies);
  using world = createTestWorld(options);
  writeAsk(world, server);
  const { stdout, stderr } = await world.flow(
    ...['run', 'ask', '--data', 'rows.jsonl', '--concurrency', '1', '--budget-tokens', '30', '--name', 'r'],
  );
  expect(stderr).toContain('stopping: the budget is reached, 30 of 30 tokens: no new rows, those in flight finish\n');
  expect(stdout).toContain('budget  reached: 30 of 30 tokens\n');
  expect(stdout).toContain('next    flow run --resume r --budget-tokens …\n');
  const shown = await world.flow('show', 'r');
  expect(shown.stdout).toContain('budget  reached: 30 of 30 tokens\n');
  writeFiles(world.folder, {
    'eval.yaml': 'data: rows.jsonl\nrun: r\nmetrics: [{name: m, on: outputs.o, evaluator: equals, expected: x}]\n',
  });
  expect((await world.flow('baseline', 'accept', 'eval.yaml')).stderr).toMatch(
    /^warning: only \d of \d rows were run, and later runs are held to those\n$/m,
  );
});

test('a row that has no budget left fails at the next node that asks a model', async () => {
  await using server = await startOpenAiServer(replies);
  using world = createTestWorld(options);
  writeAsk(world, server);
  const { code, stderr, stdout } = await world.flow('run', 'ask', '-i', 'q=x', '--row-budget-tokens', '10');
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('the budget of the row is spent: 15 of 10 tokens');
  expect(server.requests).toHaveLength(1);
});

test.for([
  {
    argv: ['--budget-cost', '1'],
    model: 'unheard-of',
    error: 'a budget in dollars needs the price of every model, and that of node "one" is unknown',
  },
  { argv: ['--budget-tokens', '1.5'], model: 'm', error: '--budget-tokens takes a whole number above 0, not "1.5"' },
  { argv: ['--row-budget-cost', '0'], model: 'm', error: '--row-budget-cost takes a number above 0, not "0"' },
])('$argv of model $model is refused', async ({ argv, model, error }) => {
  await using server = await startOpenAiServer(replies);
  using world = createTestWorld(options);
  writeAsk(world, server, model);
  const { code, stderr } = await world.flow('run', 'ask', '--data', 'rows.jsonl', ...argv);
  expect([code, stderr.split('\n')[0], server.requests.length]).toEqual([2, `error: ${error}`, 0]);
});
