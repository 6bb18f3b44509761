import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, startRawServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const own = {
  date: '2026-11-01',
  source: 'our contract',
  models: {
    known: { input: 2, cached_input: 0.5, output: 8 },
    'Other-Model': { input: 1, output: 1, date: '2026-10-01', source: 'a letter' },
  },
};

test('the prices that come with the release, then those that were put in their place', async () => {
  using world = createTestWorld();
  const { stdout: first } = await world.flow('prices');
  expect(first).toMatch(
    /^model +input +cached +output +date +source\ngpt-5 +\$1\.25 +\$0\.125 +\$10 +2025-08-20 +openai/,
  );
  expect(first).toContain('\nUS dollars for a million tokens, from this release\n');
  writeFiles(world.folder, { 'list.json': JSON.stringify(own) });
  const updated = await world.flow('prices', 'update', '--file', 'list.json');
  expect(updated).toMatchObject({ code: 0, stdout: '2 models in .flow/prices.json\n', stderr: '' });
  expect((await world.flow('prices')).stdout).toBe(`model        input  cached  output  date        source
known           $2    $0.5      $8  2026-11-01  our contract
other-model     $1              $1  2026-10-01  a letter

US dollars for a million tokens, from .flow/prices.json
`);
  const { stdout } = await world.flow('prices', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ from: '.flow/prices.json', models: { known: { date: '2026-11-01' } } });
});

test('every price of the release says when and where it was listed, the list is one that update takes, and makers of all kinds are in it', async () => {
  using world = createTestWorld();
  const { models } = JSON.parse((await world.flow('prices', '--json')).stdout) as {
    readonly models: Readonly<Record<string, { readonly date: string; readonly source: string }>>;
  };
  writeFiles(world.folder, { 'list.json': JSON.stringify({ models }) });
  expect((await world.flow('prices', 'update', '--file', 'list.json')).stderr).toBe('');
  const sources = Object.values(models).map(({ date, source }) => `${date} ${source.split('/')[0]}`);
  expect([...new Set(sources)].sort()).toEqual([
    '2025-08-20 openai.com',
    '2026-02-01 openai.com',
    '2026-09-23 cohere.com',
    '2026-09-23 console.groq.com',
    '2026-09-23 docs.x.ai',
    '2026-09-23 mistral.ai',
    '2026-10-07 ai.google.dev',
    '2026-10-24 platform.claude.com',
  ]);
});

const listed = (price: string, name = 'm'): string => `{"date": "2026-11-01", "models": {"${name}": ${price}}}`;

test('a price with a point is a price', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'list.json': listed('{"input": 2.0, "output": 10.0}') });
  expect(await world.flow('prices', 'update', '--file', 'list.json')).toMatchObject({ code: 0, stderr: '' });
  expect((await world.flow('prices')).stdout).toMatch(/^m +\$2 +\$10 +2026-11-01/m);
});

test.for<readonly [string, string]>([
  [listed('{"input": -1, "output": 2}'), 'list.json:1:50 error PRICE_LIST models.m.input must be at least 0, not -1\n'],
  [listed('{"input": "2", "output": 2}'), 'models.m.input must be a number, not "2"'],
  [listed('{"input": 2}'), 'error PRICE_LIST models.m lacks "output"'],
  [
    listed('{"input": 1, "output": 2, "cashed_input": 1}'),
    'list.json:1:66 error PRICE_LIST unknown key "cashed_input" in models.m\n',
  ],
  [listed('{"input": 1, "output": 2, "cashed_input": 1}'), 'help: did you mean "cached_input"?'],
  [listed('{"input": 1, "output": 2, "date": "soon"}'), 'models.m.date must be a date such as 2025-08-20, not "soon"'],
  ['{"date": "2026-13-01", "models": {}}', 'list.json:1:10 error PRICE_LIST date must be a date'],
  ['{"models": {"m": {"input": 1, "output": 2}}}', 'list.json:1:13 error PRICE_LIST the price of "m" has no date\n'],
  [
    '{"date": "2026-11-01", "models": {"M": {"input": 1, "output": 2},\n "m": {"input": 3, "output": 4}}}',
    'list.json:2:2 error PRICE_LIST "m" is "M" again: names differ in more than case\n',
  ],
  ['{"models": {"m": {"input": -1, "output": "2"}}}', '3 errors'],
  ['[1]', 'is no list of prices'],
  ['{', 'list.json'],
  [`{"date": "2026-11-01", "about": "${'x'.repeat(4_000_000)}", "models": {}}`, 'list.json is larger than 4 MB'],
])('a file that is no list of prices is refused, and nothing is changed: %#', async ([text, told]) => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'list.json': text });
  const { code, stderr } = await world.flow('prices', 'update', '--file', 'list.json');
  expect(code).toBe(2);
  expect(stderr).toContain(told);
  expect((await world.flow('prices')).stdout).toContain('from this release');
});

test('a list that never ends is refused', async () => {
  using world = createTestWorld({ environment: { FLOW_PRICES: '/dev/zero' } });
  expect(await world.flow('prices')).toMatchObject({ code: 2, stderr: expect.stringContaining('is no file') });
});

test('without a file, or with another word', async () => {
  using world = createTestWorld();
  expect(await world.flow('prices', 'update')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('which list?'),
  });
  expect(await world.flow('prices', 'list')).toMatchObject({ code: 2, stderr: expect.stringContaining('not "list"') });
  expect(await world.flow('prices', '--file', 'x')).toMatchObject({ code: 2 });
});

const usage = {
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
  prompt_tokens_details: { cached_tokens: 800, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 64 },
};
const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } };
const rows = 6;
/** 200 at $2, 800 at $0.5, 100 at $8 for a million. */
const each = 0.0016;

function writeAsk({ folder }: TestWorld, url: string, second = ''): void {
  writeFiles(folder, {
    'ask/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: llm, source: {type: code, path: ask.jinja2}, connection: mine, api: chat, inputs: {model: known, q: "\${inputs.q}"}}
${second}`,
    'ask/ask.jinja2': '# user:\n{{ q }}\n',
    'connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${url}/v1"}\n`,
    'q.jsonl': Array.from({ length: rows }, (_, row) => `${JSON.stringify({ q: `q${row}` })}\n`).join(''),
    '.flow/prices.json': JSON.stringify(own),
  });
}

function ended(stdout: string) {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
    readonly tokens: object;
    readonly cost_usd: number;
    readonly cost_is_partial: boolean;
    readonly nodes: Readonly<Record<string, { readonly cost_usd: number | null; readonly cost_is_partial: boolean }>>;
  };
}

test('tokens from the cache and of reasoning are recorded once, shown, and priced: live, from the record, and resumed', async () => {
  await using server = await startRawServer();
  using world = createTestWorld();
  writeAsk(world, server.url);
  server.answerWith((request) =>
    request === 2 ? json({ error: { message: 'no', code: 400 } }) : json({ choices: [choice], usage }),
  );
  const first = await world.flow('run', 'ask', '--data', 'q.jsonl', '--name', 'r', '--json', '--concurrency', '1');
  const counted = (times: number): object => ({
    prompt_tokens: 1000 * times,
    completion_tokens: 100 * times,
    total_tokens: 1100 * times,
    cached_tokens: 800 * times,
    reasoning_tokens: 64 * times,
  });
  expect(ended(first.stdout)).toMatchObject({ tokens: counted(5), cost_is_partial: false });
  expect(ended(first.stdout).cost_usd).toBeCloseTo(5 * each, 10);
  server.answerWith(() => json({ choices: [choice], usage }));
  await world.flow('run', '--retry-failed', 'r');
  const shown = JSON.parse((await world.flow('show', 'r', '--json')).stdout);
  expect(shown.tokens).toEqual(counted(6));
  expect(shown.cost_usd).toBeCloseTo(6 * each, 10);
  expect((await world.flow('show', 'r')).stdout).toContain('6,600 tokens (4,800 cached, 384 reasoning), $0.0096\n');
  expect((await world.flow('show', 'r', '--row', '0')).stdout).toContain('1,100 tokens (800 cached, 64 reasoning)');
  const record = JSON.parse(readExport(world, await world.flow('export', 'r', '--nodes', '--out', 'n.jsonl')));
  expect(record.usage).toEqual(counted(1));
});

function readExport({ folder }: TestWorld, { code }: { readonly code: number }): string {
  expect(code).toBe(0);
  return readFileSync(join(folder, 'n.jsonl'), 'utf8').split('\n')[0] ?? '';
}

test('a cost is partial where a node has no price, in the summary, in show and in the forecast', async () => {
  await using server = await startRawServer();
  using world = createTestWorld();
  server.answerWith(() => json({ choices: [choice], usage }));
  const more =
    '- {name: more, type: llm, source: {type: code, path: ask.jinja2}, connection: mine, api: chat, inputs: {model: unheard-of, q: "${ask.output}"}}\n';
  writeAsk(world, server.url, more);
  const run = await world.flow('run', 'ask', '--data', 'q.jsonl', '--name', 'r');
  expect(run.stdout).toContain(', $0.0096 (partial)\n');
  const shown = JSON.parse((await world.flow('show', 'r', '--json')).stdout);
  expect(shown).toMatchObject({
    cost_is_partial: true,
    nodes: { ask: { cost_is_partial: false }, more: { cost_is_partial: true, cost_usd: null } },
  });
  expect((await world.flow('show', 'r')).stdout).toContain(', $0.0096 (partial)\n');
  const { stdout } = await world.flow('plan', 'ask', '--data', 'q.jsonl');
  expect(stdout).toMatch(/models together.*\(partial\)\n/);
  expect(stdout).toContain('without a price: more');
});

test('a budget in money that is reached says that tokens without a price were spent', async () => {
  await using server = await startRawServer();
  using world = createTestWorld();
  writeAsk(world, server.url);
  const heard = { ...usage, prompt_tokens_details: { cached_tokens: 800, audio_tokens: 100 } };
  const given = ['--data', 'q.jsonl', '--concurrency', '1', '--budget-cost', '0.003'];
  server.answerWith(() => json({ choices: [choice], usage: heard }));
  const partly = await world.flow('run', 'ask', ...given, '--name', 'partly');
  expect(partly.stdout).toContain('reached: $0.0032 of $0.003 (partial)\n');
  expect(partly.stdout).toMatch(/^ask .*\$0\.0032 \(partial\)$/m);
  expect((await world.flow('run', '--resume', 'partly')).stderr).toContain('$0.0032 of $0.003 (partial)');
  server.answerWith(() => json({ choices: [choice], usage }));
  const whole = await world.flow('run', 'ask', ...given, '--name', 'whole');
  expect(whole.stdout).toContain('reached: $0.0032 of $0.003\n');
  expect(whole.stdout).toMatch(/^ask .*\$0\.0032$/m);
});
