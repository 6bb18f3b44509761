import { join } from 'node:path';
import { json, startRawServer } from '@unroll/nodes/testing';
import { type RowLine, type RowPage, type RunPage, rowPage, runPage, runsPage } from '@unroll/project/studio-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExport } from '../testing/read-export.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** One run, and a figure of it wherever it is shown: commands, JSON, exports and pages say the same. */
let world: TestWorld;
let page: RunPage;
let lines: readonly RowLine[];
let nodes: readonly ExportedNode[];
let shown: Shown;

interface ExportedNode {
  readonly line: number;
  readonly node: string;
  readonly status: string;
  readonly inputs: { readonly model?: string };
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
}

interface Shown {
  readonly rows: Readonly<Record<string, number>>;
  readonly nodes: Readonly<Record<string, ShownNode>>;
  readonly loops: Readonly<Record<string, readonly number[]>>;
  readonly tokens: { readonly total_tokens: number };
  readonly cost_usd: number;
  readonly cost_is_partial: boolean;
  readonly duration_ms: number;
}

interface ShownNode {
  readonly completed: number;
  readonly failed: number;
  readonly bypassed: number;
  readonly tokens: { readonly total_tokens: number } | null;
  readonly cost_usd: number | null;
}

const asked = (name: string, connection: string, inputs: string, more = ''): string =>
  `{name: ${name}, type: llm, source: {type: code, path: ask.jinja2}, connection: ${connection}, api: chat, ${more}inputs: {${inputs}}}`;

const flow = `inputs: {q: {type: string}, done: {type: bool}}
outputs: {a: {type: string, reference: "\${last.output}"}}
nodes:
- {name: prep, type: python, source: {type: code, path: prep.ts}, inputs: {finished: "\${inputs.done}"}}
- ${asked('free', 'offline', 'model: offline, q: "${inputs.q}"')}
- ${asked('last', 'mine', 'model: unheard-of, q: "${search.output.status}"')}
- ${asked('over', 'mine', 'model: known, q: "${last.output}"', 'aggregation: true, ')}
loops:
- name: search
  times: 2
  state: \${prep.output}
  until: finished
  on_exhausted: unfinished
  nodes:
  - ${asked('agent', 'mine', 'model: known, q: "${inputs.q}"', 'retry: {times: 0}, ')}
  - {name: tool, type: python, source: {type: code, path: tool.ts}, activate: {when: "\${agent.output}", is: go}, inputs: {said: "\${agent.output}"}}
  - {name: state, type: python, source: {type: code, path: state.ts}, inputs: {before: "\${loop.state}", said: "\${agent.output}", found: "\${tool.output}"}}
`;

/** What the model says, in the order of the questions: of row 1 that it is done, of row 2 in the last turn, of row 3 never. */
const sayings = ['a', 'done', 'a', 'go', 'done', 'a', 'go', 'go', 'a', undefined, 'all'];

beforeAll(async () => {
  await using server = await startRawServer();
  server.answerWith((at) => {
    const content = sayings[at];
    if (content === undefined) return json({ error: { message: 'no' } }, 400);
    const usage = { prompt_tokens: 100 + at, completion_tokens: 10, total_tokens: 110 + at };
    return json({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }], usage });
  });
  world = createTestWorld();
  writeFiles(world.folder, {
    'loopy/flow.dag.yaml': flow,
    'loopy/ask.jinja2': '# user:\n{{ q }}\n',
    'loopy/prep.ts': 'export default ({ finished }) => ({ finished, content: finished ? "known" : null });',
    'loopy/tool.ts': 'export default ({ said }) => said;',
    'loopy/state.ts':
      'export default ({ before, said, found }) => before.finished ? before : { found, finished: said === "done", content: said === "done" ? "yes" : null };',
    'connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${server.url}/v1"}\n`,
    'q.jsonl': [0, 1, 2, 3, 4].map((at) => `{"q": "row ${at}", "done": ${at === 0}}\n`).join(''),
    '.flow/prices.json': '{"date": "2026-11-01", "models": {"known": {"input": 2, "output": 8}}}',
  });
  await world.flow('run', 'loopy', '--data', 'q.jsonl', '--name', 'r', '--concurrency', '1', '--quiet');
  expect(server.count()).toBe(sayings.length);
  await world.flow('view', 'r', '--export', 'r.html');
  const { answers, rows } = readExport(join(world.folder, 'r.html'));
  page = runPage.parse(answers['runs/r']);
  lines = rows['runs/r/rows']?.lines ?? [];
  pages = lines.map(({ line, repeat }) => rowPage.parse(answers[`runs/r/rows/${line}/${repeat}`]));
  [listed] = runsPage.parse(answers['runs']).runs;
  const read = async (...argv: readonly string[]) => (await world.flow(...argv)).stdout.trim();
  nodes = (await read('export', 'r', '--nodes')).split('\n').map((line) => JSON.parse(line) as ExportedNode);
  shown = JSON.parse(await read('show', 'r', '--json')) as Shown;
  summary = await read('show', 'r');
  await world.flow('run', 'loopy', '--data', 'q.jsonl', '--name', 's', '--since', 'r', '--rows', '0-3', '--quiet');
  again = await read('show', 's', '--row', '2');
  shownRows = await Promise.all(lines.map(async ({ line }) => await read('show', 'r', '--row', String(line))));
});
afterAll(() => world[Symbol.dispose]());

let pages: readonly RowPage[];
let listed: RunPage['run'] | undefined;
let summary: string;
let shownRows: readonly string[];
let again: string;

const sum = (amounts: readonly (number | null | undefined)[]): number =>
  amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
const tokensOf = (of: (node: ExportedNode) => boolean): number =>
  sum(nodes.filter(of).map(({ usage }) => usage?.total_tokens));
const costOf = (of: (node: ExportedNode) => boolean): number =>
  sum(
    nodes
      .filter((node) => node.inputs?.model === 'known' && of(node))
      .map(({ usage }) => {
        return usage === null ? 0 : (usage.prompt_tokens * 2 + usage.completion_tokens * 8) / 1e6;
      }),
  );
const always = (): boolean => true;

test('tokens: the records, the list, the page, its nodes, its rows with the node over all of them', () => {
  const whole = tokensOf(always);
  expect(whole).toBeGreaterThan(1000);
  expect({
    shown: shown.tokens.total_tokens,
    ofNodes: sum(Object.values(shown.nodes).map(({ tokens }) => tokens?.total_tokens)),
    listed: listed?.tokens.value,
    page: page.run.tokens.value,
    drawn: sum(page.unfolded.nodes.map(({ measures }) => measures['tokens']?.figure.value)),
    folded: sum((page.folded?.nodes ?? []).map(({ measures }) => measures['tokens']?.figure.value)),
    rows: sum(lines.map(({ tokens }) => tokens.value)) + tokensOf(({ node }) => node === 'over'),
  }).toEqual({ shown: whole, ofNodes: whole, listed: whole, page: whole, drawn: whole, folded: whole, rows: whole });
  expect(summary).toContain(`${whole.toLocaleString('en')} tokens`);
});

test('cost, likewise', () => {
  const whole = expect.closeTo(costOf(always), 10);
  expect({
    shown: shown.cost_usd,
    ofNodes: sum(Object.values(shown.nodes).map(({ cost_usd }) => cost_usd)),
    listed: listed?.cost.value,
    page: page.run.cost.value,
    drawn: sum(page.unfolded.nodes.map(({ measures }) => measures['cost']?.figure.value)),
    rows: sum(lines.map(({ cost }) => cost.value)) + costOf(({ node }) => node === 'over'),
  }).toEqual({ shown: whole, ofNodes: whole, listed: whole, page: whole, drawn: whole, rows: whole });
  expect(new Set([listed?.cost.text, page.run.cost.text])).toEqual(new Set([/\$\S+ \(partial\)/.exec(summary)?.[0]]));
});

test('how often each node ran', () => {
  const drawn = (page.folded?.nodes ?? []).flatMap(({ label, loop, family, counts }) => {
    const name = loop !== undefined && family !== loop ? `${label.replace(/\[\*\]$/, '')}[*]` : label;
    return counts === undefined ? [] : [[name, [counts.Completed, counts.Failed, counts.Bypassed]] as const];
  });
  const told = Object.entries(shown.nodes).map(
    ([name, { completed, failed, bypassed }]) => [name, [completed, failed, bypassed]] as const,
  );
  expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(told));
});

test('a row in the table, on its page and in the terminal', () => {
  const ofLine = (line: number): number => tokensOf((one) => one.line === line && one.node !== 'over');
  for (const [at, row] of lines.entries()) {
    const own = pages[at];
    expect([row.tokens.value, own?.tokens.value]).toEqual([ofLine(row.line), ofLine(row.line)]);
    expect([own?.cost.text, own?.cost.value]).toEqual([row.cost.text, row.cost.value]);
    expect(shownRows[at]).toContain(`${ofLine(row.line)} tokens\n`);
  }
  // Nothing in the first row has a price: it cost something nobody knows, and not $0.00.
  expect(lines[0]?.cost).toMatchObject({ value: null, why: 'no price of its model is known' });
});

test('times round a loop: the last turn counts too where a node in it is bypassed', () => {
  expect(shown.loops['search']).toEqual([1, 1, 2]);
  expect(lines.map(({ turns }) => turns['search']?.ran)).toEqual([0, 1, 2, 2, 1]);
  const last = (own: RowPage): number => own.loops[0]?.turns.findLast(({ isLast }) => isLast)?.turn ?? 0;
  expect(pages.map(last)).toEqual([0, 1, 2, 2, 1]);
  expect(shownRows.map((text) => Number(/went (\d) of at most 2 times/.exec(text)?.[1]))).toEqual([0, 1, 2, 2, 1]);
});

test('what was taken from before ran neither in its family nor in the row', () => {
  expect(again).toMatch(/agent\[\*\] .* 0 ran, 2 taken/);
  expect(again).toMatch(/completed in .*, 0 nodes ran, 9 taken from r, 1 bypassed\n/);
});

test('unfinished is one word for rows at the bound, without an answer, and of a spent budget', () => {
  expect(summary).toContain('4 rows completed, 1 failed, 1 unfinished, ');
  const said = listed?.outcome.map(({ parts }) => parts.map(({ text }) => text).join(''));
  expect(said).toContain('1 row ended unfinished.');
  expect(said).toContain('search: 1 row took 0 turns, 1 took 1, 2 took 2.');
});
