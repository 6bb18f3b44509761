import { copyFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { diffPage, diffRow, diffRows, type Exported, exported } from '@unroll/project/studio-contract';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { type ComparedRow, recordComparedRun } from '../testing/compared-runs.ts';
import { createTestWorld, type TestWorld, type TestWorldOptions } from '../testing/test-io.ts';

const rows: readonly ComparedRow[] = [
  { query: '本人の同意は要りますか', search: 'faq_search', found: 'faq-007', answer: '同意は必要です。' },
  { query: '病歴は要配慮個人情報ですか', search: 'faq_search', found: 'faq-005', answer: 'はい。' },
  { query: 'こんにちは', search: 'none', found: '', answer: 'こんにちは。' },
  { query: '罰則はありますか', search: 'faq_search', found: 'faq-100', answer: 'あります。' },
];

/** Row 0: another search and answer; row 1: another search, the same found; row 2: another answer only; row 3: it failed. */
const changed: readonly ComparedRow[] = [
  { ...(rows[0] as ComparedRow), search: 'guideline_search', found: 'gl-067', answer: '同意は不要です。' },
  { ...(rows[1] as ComparedRow) },
  { ...(rows[2] as ComparedRow), answer: 'こんにちは、ご質問をどうぞ。' },
  { ...(rows[3] as ComparedRow), answer: undefined },
];

interface Prompts {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

async function worldWith(
  after: readonly ComparedRow[],
  prompts: Prompts = { before: 'Search first.', after: 'Search last.' },
  options: TestWorldOptions = {},
): Promise<TestWorld> {
  const world = createTestWorld(options);
  const folder = join(world.folder, '.flow/runs');
  await recordComparedRun(folder, 'before', prompts.before, rows);
  await recordComparedRun(folder, 'later', prompts.after, after);
  return world;
}

test('the cause is named, everything else is told from it', async () => {
  using world = await worldWith(changed);
  expect(await world.flow('diff', 'before', 'later')).toEqual({
    code: 0,
    stderr: '',
    stdout: `A before  agent/flow.dag.yaml
B later  agent/flow.dag.yaml
4 of 4 rows compared, paired by line

answer changed in 3 of 4 rows. Cause: agent (prompt agent.jinja2 changed, flow.dag.yaml:23). 6 changes are effects of it.

node         same  changed  failed in  kind    why
start           4
agent ×2        1        3  B 1        cause   prompt agent.jinja2 changed
function ×2     1        3             effect  agent → function
answer          1        3             effect  agent → function → answer

row 0  {query: "本人の同意は要りますか"}
  agent_1  cause: prompt agent.jinja2 changed
    prompt[0].content: Search [-first-]{+last+}.
    function_call.name: [-faq_search-]{+guideline_search+}
  also: function_1 (effect), agent_2 (both), function_2 (effect), answer (effect)
  outputs
    answer: 同意は[-必要-]{+不要+}です。

row 2  {query: "こんにちは"}
  agent_2  cause: prompt agent.jinja2 changed
    content: こんにちは{+、ご質問をどうぞ+}。
  also: function_2 (effect), answer (effect)
  outputs
    answer: こんにちは{+、ご質問をどうぞ+}。

row 3  {query: "罰則はありますか"}
  agent_2  cause: prompt agent.jinja2 changed  completed → failed
    error: {+"RateLimitError: slow down"+}
    content: [-"あります。"-]
  also: function_2 (effect), answer (effect)
  row completed → failed: RateLimitError: slow down
  outputs
    answer: [-"あります。"-]
`,
  });
});

test('runs of one definition differ by noise alone', async () => {
  using world = await worldWith(changed.slice(0, 3), { before: 'Search first.', after: 'Search first.' });
  const { stdout } = await world.flow('diff', 'before', 'later', '--rows', '1');
  expect(stdout).toContain(
    'answer changed in 2 of 3 rows. No definition changed. 2 changes are noise; 4 are effects of noise. 1 row is only in A.',
  );
  expect(stdout).toContain('1 more row differs; --rows 2 shows them\nonly in A: row 3\n');
});

test('where a run tells no definitions the cause is not guessed', async () => {
  using world = await worldWith(changed, { before: 'Search first.', after: undefined });
  const { stdout } = await world.flow('diff', 'before', 'later', '--rows', '0');
  expect(stdout).toContain(
    'Why is not known: a run tells no definitions. The first node that differs is agent, in 3 rows.',
  );
});

test('the same runs are the same, a changed definition without effect is told', async () => {
  using world = await worldWith(rows, { before: 'Search first.', after: 'Search first.' });
  expect(await world.flow('diff', 'before', 'later', '--exit-code')).toEqual({
    code: 0,
    stderr: '',
    stdout: `A before  agent/flow.dag.yaml
B later  agent/flow.dag.yaml
4 of 4 rows compared, paired by line

The same in 4 rows: every node, every output.
`,
  });
  using other = await worldWith(rows);
  const { stdout, code } = await other.flow('diff', 'before', 'later', '--exit-code');
  expect(code).toBe(0);
  expect(stdout).toContain('Without effect: agent (prompt agent.jinja2 changed).');
});

test.for([
  { argv: ['--exit-code'], code: 1 },
  { argv: [], code: 0 },
])('$argv ends with $code when runs differ', async ({ argv, code }) => {
  using world = await worldWith(changed);
  expect((await world.flow('diff', 'before', 'later', ...argv)).code).toBe(code);
});

test.for([
  {
    argv: ['bfore', 'nothing'],
    says: 'error: there is no run bfore, and there is no run nothing\ndid you mean "before"? flow runs lists them.\nflow runs lists them.\n',
  },
  {
    argv: ['nothing', 'none'],
    says: 'error: there is no run nothing, and there is no run none\nflow runs lists them.\n',
  },
  { argv: ['before', 'latr'], says: 'error: there is no run latr\ndid you mean "later"? flow runs lists them.\n' },
  {
    argv: ['before', 'later', '--node', 'agent_3'],
    says: 'error: neither run has a node or family "agent_3"\ndid you mean "agent"?\n',
  },
  {
    argv: ['before', 'later', '--only', 'causes'],
    says: 'error: --only takes cause, both, effect, input, noise, unknown, not "causes"\n',
  },
  { argv: ['before', 'later', '--rename', 'agent'], says: 'error: --rename takes old=new, not "agent"\n' },
  {
    argv: ['before', 'later', '--rename', 'agnt=agent'],
    says: 'error: --rename agnt=agent: run before has no node "agnt"\ndid you mean "agent"?\n',
  },
  {
    argv: ['before', 'later', '--key', 'qery'],
    says: 'error: --key qery: run before has no input "qery", and no data file is recorded\ndid you mean "query"?\n',
  },
  {
    argv: ['before', 'later', '--key', '__proto__'],
    says: 'error: --key __proto__: run before has no input "__proto__", and no data file is recorded\nIts inputs: query\n',
  },
  { argv: ['before', 'later', '--rows', 'x'], says: 'error: --rows takes a whole number from 0, not "x"\n' },
])('$argv is wrong', async ({ argv, says }) => {
  using world = await worldWith(changed);
  expect(await world.flow('diff', ...argv)).toEqual({ code: 2, stdout: '', stderr: says });
});

test('one node, one family, one kind', async () => {
  using world = await worldWith(changed);
  const nodesOf = async (...argv: readonly string[]) => {
    const { stdout } = await world.flow('diff', 'before', 'later', '--json', ...argv);
    const json = JSON.parse(stdout);
    const rowsTold = json.differing_rows.map(
      (row: { left: { line: number }; nodes: { node: string }[] }) =>
        `${row.left.line}: ${row.nodes.map(({ node }) => node)}`,
    );
    return [json.nodes.map(({ name }: { name: string }) => name).join(' '), ...rowsTold];
  };
  expect(await nodesOf('--node', 'agent_2')).toEqual(['agent_2', '0: agent_2', '2: agent_2', '3: agent_2']);
  expect(await nodesOf('--family', 'agent')).toEqual(['agent', '0: agent_1,agent_2', '2: agent_2', '3: agent_2']);
  expect(await nodesOf('--family', 'agent', '--by-iteration')).toEqual([
    'agent_1 agent_2',
    '0: agent_1,agent_2',
    '2: agent_2',
    '3: agent_2',
  ]);
  expect(await nodesOf('--only', 'effect', '--rows', '1')).toEqual([
    'function answer',
    '0: function_1,function_2,answer',
  ]);
  expect(await nodesOf('--only', 'noise')).toEqual(['']);
});

test('rows are paired by a key', async () => {
  using world = await worldWith([...changed].reverse());
  const { stdout } = await world.flow('diff', 'before', 'later', '--key', 'query', '--rows', '1');
  expect(stdout).toContain('4 of 4 rows compared, paired by query\n');
  expect(stdout).toContain('row 0 → 3  {query: "本人の同意は要りますか"}\n');
});

test('a key that two rows share is refused', async () => {
  using world = await worldWith([...rows, rows[1] as ComparedRow]);
  const { stderr } = await world.flow('diff', 'before', 'later', '--key', 'query');
  expect(stderr).toBe(
    'error: --key query: rows 1 and 4 of run later are both 病歴は要配慮個人情報ですか\nA key tells every row of a run apart.\n',
  );
});

test('as JSON', async () => {
  using world = await worldWith(changed);
  const { stdout } = await world.flow('diff', 'before', 'later', '--json', '--rows', '1');
  const json = JSON.parse(stdout);
  expect(json).toMatchObject({
    same: false,
    left: { id: 'before', record: '.flow/runs/before.run', flow: 'agent' },
    paired_by: 'line',
    rows: { left: 4, right: 4, paired: 4, same: 1, outputs_differ: 3, failed_only_left: 0, failed_only_right: 1 },
    differing_rows_found: 3,
  });
  expect(json.nodes[1]).toEqual({
    name: 'agent',
    kind: 'llm',
    instances: ['agent_1', 'agent_2'],
    aggregation: false,
    only_in: null,
    changed_parts: [{ part: 'template agent.jinja2' }],
    same: 1,
    changed: 3,
    status_differs: 1,
    failed_only_left: 0,
    failed_only_right: 1,
    kinds: { cause: 3 },
    effects_of: {},
    cause_parts: [{ part: 'template agent.jinja2' }],
    origins: [],
  });
  expect(json.differing_rows[0].output_changes).toEqual([
    { path: 'answer', left: '同意は必要です。', right: '同意は不要です。' },
  ]);
});

test('what looks the same is written out: a space of no width', async () => {
  const answer = 'あります。'.replace('ま', 'ま\u200b');
  using world = await worldWith([...rows.slice(0, 3), { ...(rows[3] as ComparedRow), answer }]);
  expect((await world.flow('diff', 'before', 'later')).stdout).toContain('ま\\u200b');
  const json = JSON.parse((await world.flow('diff', 'before', 'later', '--json')).stdout);
  expect(json.differing_rows.at(-1).output_changes).toEqual([
    {
      path: 'answer',
      left: 'あります。',
      right: answer,
      look_alike: { left: 'あります。', right: 'ありま\\u200bす。' },
    },
  ]);
  expect((await world.flow('diff', 'before', 'later', '--format', 'markdown')).stdout).toContain('ま\\u200b');
});

test('as Markdown', async () => {
  using world = await worldWith(changed);
  const { stdout } = await world.flow('diff', 'before', 'later', '--format', 'markdown', '--rows', '1');
  expect(
    stdout,
  ).toBe(`**answer changed in 3 of 4 rows. Cause: agent (prompt agent.jinja2 changed, flow.dag.yaml:23). 6 changes are effects of it.**

A \`before\` (agent/flow.dag.yaml), B \`later\` (agent/flow.dag.yaml)

| node | same | changed | failed in | kind | why |
|---|---:|---:|---|---|---|
| start | 4 |  |  |  |  |
| agent ×2 | 1 | 3 | B 1 | cause | prompt agent.jinja2 changed |
| function ×2 | 1 | 3 |  | effect | agent → function |
| answer | 1 | 3 |  | effect | agent → function → answer |

<details><summary>row 0 {query: &quot;本人の同意は要りますか&quot;}</summary>

- **agent\\_1** cause: prompt agent.jinja2 changed
  - <code>prompt[0].content</code>: Search <del>first</del><ins>last</ins>.
  - <code>function_call.name</code>: <del>faq_search</del><ins>guideline_search</ins>
- **outputs**
  - <code>answer</code>: 同意は<del>必要</del><ins>不要</ins>です。
- also: function\\_1 (effect), agent\\_2 (both), function\\_2 (effect), answer (effect)

</details>

2 more rows differ.
`);
});

/** What a written page brings along. */
function exportedOf(world: TestWorld): Exported {
  const page = readFileSync(join(world.folder, 'diff.html'), 'utf8');
  const [, json = ''] = /<script type="application\/json" id="unroll-export">(.*)<\/script>/.exec(page) ?? [];
  return exported.parse(JSON.parse(json));
}

function answerOf<Schema extends z.ZodType>(schema: Schema, name: string, { answers }: Exported): z.output<Schema> {
  return schema.parse(answers[name]);
}

test('as one page that loads nothing', async () => {
  const dangerous = { ...(changed[0] as ComparedRow), answer: '</div><script>alert(1)</script>' };
  using world = await worldWith([dangerous, ...changed.slice(1)]);
  const { stdout, stderr } = await world.flow('diff', 'before', 'later', '--html', 'diff.html');
  expect({ stdout, stderr }).toEqual({
    stdout:
      'answer changed in 3 of 4 rows. Cause: agent (prompt agent.jinja2 changed, flow.dag.yaml:23). 6 changes are effects of it.\n',
    stderr: 'diff.html written\n',
  });
  const page = readFileSync(join(world.folder, 'diff.html'), 'utf8');
  expect(page).toMatch(
    /content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; /,
  );
  expect(page).not.toContain('<script>alert(1)');
  const all = exportedOf(world);
  expect(all.start).toBe('/diff?left=before&right=later');
  const { graph, onlyLeft } = answerOf(diffPage, 'diff?left=before&right=later', all);
  expect(Object.fromEntries(graph.nodes.map(({ id, change }) => [id, change]))).toMatchObject({
    ...{ 'node.start': 'same', 'node.agent': 'cause', 'node.function': 'effect' },
  });
  expect(onlyLeft).toEqual({ rows: 0, first: [] });
  const row = answerOf(diffRow, 'diff/row?left=before&line=0&repeat=0&right=later', all);
  expect(row.outputChanges.places[0]?.right?.text).toBe(dangerous.answer);
  expect(Object.keys(all.answers)).toContain('runs/later/rows/0/0');
});

test('a page of runs of other folders, as the options ask for it', async () => {
  using world = await worldWith([...changed].reverse().slice(1));
  const moved = join(world.folder, 'elsewhere');
  renameSync(join(world.folder, '.flow/runs'), moved);
  renameSync(join(moved, 'later.run'), join(world.folder, 'before.run'));
  const options = ['--key', 'query', '--rename', 'answer=answer', '--by-iteration', '--only', 'effect', '--rows', '2'];
  const asked = ['elsewhere/before.run', 'before.run', ...options, '--family', 'agent', '--limit', '1'];
  expect(await world.flow('diff', ...asked, '--html', 'diff.html')).toMatchObject({ code: 0 });
  const all = exportedOf(world);
  const pair = 'key=query&left=before&rename=answer%3Danswer&right=before+%28B%29&turns=each';
  expect(new URLSearchParams(all.start.split('?')[1]).getAll('only')).toEqual(['effect']);
  const page = answerOf(diffPage, `diff?${pair}`, all);
  expect(page).toMatchObject({ pairedBy: 'key', onlyLeft: { rows: 1, first: [{ line: 3, repeat: 0 }] } });
  expect(page.nodes.map(({ name }) => name)).toEqual([
    ...['start', 'agent_1', 'function_1', 'agent_2', 'function_2', 'answer'],
  ]);
  const told = answerOf(
    diffRows,
    `diff/rows?key=query&left=before&only=effect&rename=answer%3Danswer&right=before+%28B%29&turns=each`,
    all,
  );
  expect(told.rows.map(({ left, right }) => [left.line, right.line])).toEqual([
    [0, 2],
    [2, 0],
  ]);
});

test('on a terminal, texts are painted, not marked', async () => {
  using world = await worldWith(changed, undefined, { columns: 80 });
  const { stdout } = await world.flow('diff', 'before', 'later', '--rows', '1');
  expect(stdout).toContain('同意は\u001B[31m必要\u001B[39m\u001B[32m不要\u001B[39mです。');
});

test('runs that are not named: the newest, and the one of the same flow before it', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, '.flow/runs');
  for (const id of ['20261121-0100', '20261121-0200', '20261121-0300']) {
    await recordComparedRun(folder, id, 'Search.', rows);
  }
  const compared = async (...named: readonly string[]) => {
    const { stdout } = await world.flow('diff', ...named, '--json');
    const { left, right } = JSON.parse(stdout) as Record<'left' | 'right', { readonly id: string }>;
    return [left.id, right.id];
  };
  const [first, second, third] = ['20261121-0100', '20261121-0200', '20261121-0300'];
  expect(await compared()).toEqual([second, third]);
  expect(await compared('latest')).toEqual([second, third]);
  expect(await compared('20261121-01')).toEqual([first, third]);
  expect(await compared('20261121-01', '20261121-02')).toEqual([first, second]);
  expect(await world.flow('diff', 'before.run', '20261121-01')).toMatchObject({ code: 2 });
  await world.flow('runs', 'rm', third, second);
  expect(await world.flow('diff')).toMatchObject({
    code: 2,
    stderr:
      'error: there is no run of agent before 20261121-0100\nName two runs: flow diff A B. flow runs lists them.\n',
  });
});

test('another Unroll is the cause of what nothing else can have changed', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, '.flow/runs');
  const builds = [
    { version: '0.1.0', build: '4f1c2a9b03de' },
    { version: '0.1.1', build: '9a33e0c1d752' },
  ] as const;
  await recordComparedRun(folder, 'before', 'Search first.', rows, builds[0]);
  await recordComparedRun(folder, 'later', 'Search first.', changed, builds[1]);
  const { stdout } = await world.flow('diff', 'before', 'later');
  const program = 'Unroll 0.1.0 (build 4f1c2a9b03de) → 0.1.1 (build 9a33e0c1d752)';
  expect(stdout).toContain(`Cause: ${program}, which shows in agent. 6 changes are effects of it.\n`);
  expect(stdout).toContain(`agent_1  cause: ${program}\n`);
  expect(stdout).not.toContain('noise');
  const json = JSON.parse((await world.flow('diff', 'before', 'later', '--json')).stdout);
  expect([json.left.made_with, json.right.made_with]).toEqual(builds);
});

test('copies of one run are told apart, in the same folder and in another', async () => {
  using world = await worldWith(changed);
  const runs = join(world.folder, '.flow/runs');
  copyFileSync(join(runs, 'before.run'), join(runs, 'kept.run'));
  copyFileSync(join(runs, 'before.run'), join(world.folder, 'before.run'));
  const heads = async (...named: readonly string[]) =>
    (await world.flow('diff', ...named)).stdout.split('\n').slice(0, 2);
  expect(await heads('before', 'kept')).toEqual(['A before  agent/flow.dag.yaml', 'B kept  agent/flow.dag.yaml']);
  const apart = ['A .flow/runs/before.run  agent/flow.dag.yaml', 'B before.run  agent/flow.dag.yaml'];
  expect(await heads('before', 'before.run')).toEqual(apart);
  const { stdout } = await world.flow('diff', 'before', 'before.run', '--format', 'markdown');
  expect(stdout).toContain('A `.flow/runs/before.run` (agent/flow.dag.yaml), B `before.run` (agent/flow.dag.yaml)');
  const ids = JSON.parse((await world.flow('diff', 'before', 'kept', '--json')).stdout);
  expect([ids.left.id, ids.right.id]).toEqual(['before', 'kept']);
  const { stderr } = await world.flow('diff', 'before', 'kept', '--key', 'qery');
  expect(stderr).toContain('run before has no input "qery"');
  expect((await world.flow('diff', 'later', 'kept', '--rename', 'agent=agnt')).stderr).toContain(
    'run kept has no node',
  );
});
