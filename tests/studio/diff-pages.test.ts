import { diffPage, diffRow, diffRows, type Sentence } from '@unroll/project/studio-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordComparedRun } from '../../packages/cli/src/testing/compared-runs.ts';
import { DiffPages } from '../../packages/project/src/studio/diff-pages.ts';
import { Studio } from '../../packages/project/src/studio/studio.ts';
import { createStudioWorld, guidelineFirst, type StudioWorld } from './studio-world.ts';

let world: StudioWorld;
let studio: Studio;
let pages: DiffPages;
let left: string;
let right: string;

beforeAll(async () => {
  world = createStudioWorld();
  left = await world.evaluate();
  right = await world.evaluate(guidelineFirst);
  studio = new Studio(world.host, { isReadOnly: true, opened: [] });
  pages = new DiffPages(studio);
}, 240_000);

afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  world[Symbol.dispose]();
});

const textsOf = (sentences: readonly Sentence[]): readonly string[] =>
  sentences.map(({ parts }) =>
    parts
      .map(({ text }) => text)
      .join('')
      .trim(),
  );

test('causes come first, then what became of the scores, and by which way', async () => {
  const { verdict } = diffPage.parse(await pages.page({ left, right }));
  expect(textsOf(verdict.answer)).toEqual([
    'Outputs changed in 15 of 96 rows.',
    'Cause: agent (prompt agent.jinja2 changed, flows/privacy-agent/flow.dag.yaml:32).',
  ]);
  expect(textsOf(verdict.details)).toEqual([
    'first_function is worse (−94.8 points): 91 rows broke, none was fixed.',
    'calls is worse (−82.3 points): 79 rows broke, none was fixed.',
    'faq_recall is worse (−0.971).',
    'Rows got worse first at agent_1 in 91 rows (first_function).',
    'It got to answer and status by agent → function → search, in 15 rows.',
    '108 changes are effects of it.',
  ]);
});

test('the same in Japanese, with the same links', async () => {
  const japanese = diffPage.parse(await pages.page({ left, right, language: 'ja' }));
  expect(textsOf([...japanese.verdict.answer, ...japanese.verdict.details])).toEqual([
    '96 行中 15 行で出力が変わりました。',
    '原因：agent（プロンプト agent.jinja2 の変更、flows/privacy-agent/flow.dag.yaml:32）。',
    'first_function が悪化しました（−94.8 ポイント）：91 行が悪化、0 行が改善。',
    'calls が悪化しました（−82.3 ポイント）：79 行が悪化、0 行が改善。',
    'faq_recall が悪化しました（−0.971）。',
    '最初に悪化した場所は agent_1 で、91 行です（first_function）。',
    'answer、status への経路：agent → function → search（15 行）。',
    '違いの内訳：原因からの影響 108 件。',
  ]);
  const english = await pages.page({ left, right });
  const linksOf = ({ verdict: { answer, details } }: typeof english) =>
    [...answer, ...details].flatMap(({ parts }) => parts.flatMap(({ to }) => to ?? []));
  expect(linksOf(japanese)).toEqual(linksOf(english));
  expect(japanese.causes.map(({ part }) => part)).toEqual(['プロンプト agent.jinja2']);
  expect(japanese.nodes.find(({ name }) => name === 'agent')?.why).toBe('プロンプト agent.jinja2 の変更');
  const { rows } = await pages.rows({ left, right, group: 'worse', limit: 1, language: 'ja' });
  expect(rows[0]?.what[0]).toEqual({ text: 'first_function 悪化', isBad: true });
});

test('the page and the terminal tell the same', async () => {
  const page = await pages.page({ left, right });
  const told = await world.flow('diff', left, right, '--json');
  const terminal = JSON.parse(told) as {
    readonly verdict: string;
    readonly nodes: readonly { readonly name: string }[];
  };
  const sentences = [...textsOf(page.verdict.answer), textsOf(page.verdict.details).at(-1)];
  expect(sentences.join(' ')).toBe(terminal.verdict);
  expect(terminal.nodes.map(({ name }) => name)).toEqual(page.nodes.map(({ name }) => name));
});

test('a prompt that changed is told by its words', async () => {
  const { causes } = await pages.page({ left, right });
  expect(causes).toMatchObject([{ part: 'prompt agent.jinja2', nodes: ['agent'], rows: 93 }]);
  const changed = causes[0]?.words?.filter(({ kind }) => kind !== 'same');
  expect(changed).toEqual([
    { kind: 'removed', text: 'faq_search' },
    { kind: 'added', text: 'guideline_search' },
  ]);
});

test('the graph tells causes from effects, and along which arrows the difference went', async () => {
  const { graph } = await pages.page({ left, right });
  expect(Object.fromEntries(graph.nodes.map(({ id, change }) => [id, change]))).toMatchObject({
    'node.format_input': 'same',
    'node.agent': 'cause',
    'node.function': 'effect',
    'node.search': 'effect',
  });
  const carrying = graph.arrows.filter(({ carries }) => carries).map(({ from, to }) => `${from} > ${to}`);
  expect(carrying).toEqual(
    expect.arrayContaining([
      'node.agent > node.function',
      'node.function > node.search',
      'node.search > output.answer',
    ]),
  );
  expect(carrying).not.toContain('node.format_input > node.agent');
});

test('groups of rows add up, and are paged without a gap', async () => {
  const { groups, paired } = await pages.page({ left, right });
  const rows = Object.fromEntries(groups.map((group) => [group.name, group.rows]));
  expect(rows).toMatchObject({ changed: 15, inside: 78, same: 3, 'broken:first_function': 91 });
  expect((rows['changed'] ?? 0) + (rows['inside'] ?? 0) + (rows['same'] ?? 0)).toBe(paired);
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = diffRows.parse(await pages.rows({ left, right, group: 'broken:first_function', limit: 40, cursor }));
    expect(page.paging.total).toBe(91);
    seen.push(...page.rows.map((row) => row.right.line));
    cursor = page.paging.next ?? undefined;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(91);
});

test('of a node only the rows in which it differs', async () => {
  const { rows, paging } = await pages.rows({ left, right, node: 'search', limit: 2 });
  expect(paging.total).toBe(15);
  expect(rows[0]?.what[0]).toEqual({ text: 'search: effect', isBad: false });
  await expect(pages.rows({ left, right, group: 'nothing' })).rejects.toThrow('there are no rows "nothing"');
});

test('one row: every node that differs in the order of the flow, prompts and answers by words', async () => {
  const { rows } = await pages.rows({ left, right, group: 'changed', limit: 1 });
  const [first] = rows;
  if (first === undefined) throw new Error('no row changed');
  const row = diffRow.parse(await pages.row({ left, right, ...first.right }));
  expect(row.nodes.map(({ node, kind }) => `${node} ${kind}`).slice(0, 2)).toEqual([
    'agent_1 cause',
    'function_1 effect',
  ]);
  expect(row.nodes[0]?.promptChanges.places[0]).toMatchObject({ path: 'prompt[0].content', words: expect.any(Array) });
  expect(row.outputChanges.places.map(({ path }) => path)).toContain('answer');
  await expect(pages.row({ left, right, line: 1000, repeat: 0 })).rejects.toMatchObject({ code: 'RowNotFound' });
});

test('turns one by one, rows by a key, changes of one kind', async () => {
  const options = { left, right, key: 'query', turns: 'each' } as const;
  const page = diffPage.parse(await pages.page(options));
  expect(page).toMatchObject({ pairedBy: 'key', options: { key: 'query', turns: 'each' } });
  const changes = Object.fromEntries(page.graph.nodes.map(({ id, change }) => [id, change]));
  expect(changes).toMatchObject({ 'node.agent_1': 'cause', 'node.agent_2': 'both', 'node.format_input': 'same' });
  const links = page.verdict.answer.flatMap(({ parts }) => parts.flatMap(({ to }) => to ?? []));
  expect(links[0]).toMatchObject({ page: 'diff', key: 'query', turns: 'each', node: 'agent_1' });
  const rowsOf = async (only: 'cause' | 'noise', node?: string) => {
    return (await pages.rows({ ...options, only: [only], node, limit: 1 })).paging.total;
  };
  const counted = page.nodes.find(({ name }) => name === 'agent_2');
  expect(await rowsOf('cause', 'agent_2')).toBe(counted?.kinds.cause ?? 0);
  expect([await rowsOf('noise'), await rowsOf('cause', 'agent')]).toEqual([0, 93]);
  await expect(pages.page({ left, right, rename: ['agnt=agent'] })).rejects.toThrow('has no node "agnt"');
});

test('a run that has not the nodes which metrics are of is compared without scores', async () => {
  const rows = [{ query: 'q', search: 's', found: 'f', answer: 'a' }];
  await recordComparedRun(world.host.runsFolder, 'earlier', 'Search.', rows);
  const page = diffPage.parse(await pages.page({ left: 'earlier', right }));
  expect(page.evaluationProblem).toMatch(
    /^evals\/privacy-agent\/eval\.yaml cannot score \.runs\/earlier\.run: it has no /,
  );
  expect(page.nodes.filter(({ onlyIn }) => onlyIn === 'left').map(({ name }) => name)).toEqual(['start', 'answer']);
  const drawn = page.graph.nodes.map(({ id }) => id);
  expect(drawn).toEqual(expect.arrayContaining(['node.start', 'node.agent', 'node.format_input']));
  await studio.remove('earlier');
});

test('without names: the newest run and the one before it; a run that is not there is told', async () => {
  const page = await pages.page({});
  expect([page.left.id, page.right.id]).toEqual([left, right]);
  await expect(pages.page({ left: '../elsewhere', right })).rejects.toMatchObject({ code: 'RunNotFound' });
});
