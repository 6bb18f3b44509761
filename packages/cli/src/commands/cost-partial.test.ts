import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, startRawServer } from '@unroll/nodes/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExport } from '../testing/read-export.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** A flow that asks a model with a price and one without, over two rows, and all that is said of it in which a cost stands. */
const said = new Map<string, string>();
let world: TestWorld;

const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } };
const node = (name: string, model: string, q: string): string =>
  `- {name: ${name}, type: llm, source: {type: code, path: ask.jinja2}, connection: mine, api: chat, inputs: {model: ${model}, q: "\${${q}}"}}\n`;

beforeAll(async () => {
  await using server = await startRawServer();
  server.answerWith(() => json({ choices: [choice], usage }));
  world = createTestWorld();
  writeFiles(world.folder, {
    'ask/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${unpriced.output}"}}
nodes:
${node('priced', 'known', 'inputs.q')}${node('unpriced', 'unheard-of', 'priced.output')}`,
    'ask/ask.jinja2': '# user:\n{{ q }}\n',
    'connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${server.url}/v1"}\n`,
    'q.jsonl': '{"q": "one"}\n{"q": "two"}\n',
    '.flow/prices.json': '{"date": "2026-11-01", "models": {"known": {"input": 2, "output": 8}}}',
    'scores/eval.yaml':
      'flow: ../ask\ndata: ../q.jsonl\nmetrics:\n- {name: whole, evaluator: cost}\n- {name: of priced, on: priced, evaluator: cost}\n',
  });
  const run = await world.flow('run', 'ask', '--data', 'q.jsonl', '--name', 'r');
  said.set('progress', run.stderr).set('summary', run.stdout);
  const keep = async (place: string, ...argv: readonly string[]) => said.set(place, (await world.flow(...argv)).stdout);
  await keep('run-ended', 'run', 'ask', '--data', 'q.jsonl', '--name', 's', '--json');
  await keep('show', 'show', 'r');
  await keep('show --json', 'show', 'r', '--json');
  await keep('show --row', 'show', 'r', '--row', '0');
  await keep('plan', 'plan', 'ask', '--data', 'q.jsonl');
  await keep('plan --json', 'plan', 'ask', '--data', 'q.jsonl', '--json');
  await keep('diff', 'diff', 'r', 's');
  const reports = ['--html', 'e.html', '--markdown', 'e.md', '--junit', 'e.xml'];
  await keep('eval', 'eval', 'scores', '--run', 'r', ...reports);
  await keep('eval --json', 'eval', 'scores', '--run', 'r', '--json');
  for (const file of ['e.html', 'e.md', 'e.xml']) said.set(file, readFileSync(join(world.folder, file), 'utf8'));
});
afterAll(() => world[Symbol.dispose]());

const total = '\\$0\\.0056';

test.for(['progress', 'summary', 'show'])('%s: the sum is partial, that of the priced node is whole', (place) => {
  const text = said.get(place) ?? '';
  const amounts = text.match(new RegExp(`${total}(?: \\(partial\\))?`, 'g')) ?? [];
  expect(amounts).toContain('$0.0056 (partial)');
  const nodes = text.split('\n').filter((line) => line.startsWith('priced ') && line.includes('$'));
  for (const line of nodes) expect(line).toMatch(/\$0\.0056$/);
  expect(amounts.filter((amount) => !amount.endsWith('(partial)'))).toHaveLength(nodes.length);
});

test('plan: what all models together cost is partial', () => {
  const lines = (said.get('plan') ?? '').split('\n');
  expect(lines.find((line) => line.startsWith('models together'))).toMatch(/\$.* \(partial\)$/);
  expect(lines.find((line) => line.startsWith('priced'))).toMatch(/\$[^(]*$/);
  expect(lines.find((line) => line.startsWith('unpriced'))).not.toContain('$');
});

test.for(['run-ended', 'show --json', 'plan --json'])('%s: cost_is_partial', (place) => {
  const lines = (said.get(place) ?? '').trim();
  const last = place === 'run-ended' ? (lines.split('\n').at(-1) ?? '') : lines;
  const { nodes, ...whole } = JSON.parse(last) as { readonly nodes: Record<string, unknown>; readonly total?: object };
  expect(whole.total ?? whole).toMatchObject({ cost_is_partial: true });
  const amount = place === 'plan --json' ? expect.anything() : expect.closeTo(0.0056, 10);
  expect(nodes['priced']).toMatchObject({ cost_usd: amount });
  expect(nodes['unpriced']).toMatchObject({ cost_usd: null });
});

test('an evaluation gives no cost to what has no price, and a whole one to what has', () => {
  const { metrics } = JSON.parse(said.get('eval --json') ?? '') as {
    readonly metrics: readonly { readonly summary: { readonly mean: number | null; readonly unscored: unknown } }[];
  };
  expect(metrics.map(({ summary }) => [summary.mean, summary.unscored])).toEqual([
    [null, [{ reason: 'no price known', count: 2 }]],
    [expect.closeTo(0.0028, 10), []],
  ]);
});

test('on the page of an evaluation what the run and its rows cost is partial', () => {
  const { answers, rows } = readExport(join(world.folder, 'e.html'));
  expect(answers['runs/r']).toMatchObject({ run: { cost: { text: '$0.0056 (partial)' } } });
  expect(rows['runs/r/rows']?.lines.map(({ cost }) => cost.text)).toEqual(['$0.0028 (partial)', '$0.0028 (partial)']);
});

test.for(['show --row', 'diff', 'eval', 'e.md', 'e.xml'])('%s names no sum of the run', (place) => {
  expect(said.get(place)).not.toBe('');
  expect(said.get(place)).not.toMatch(/\$0\.0056/);
});
