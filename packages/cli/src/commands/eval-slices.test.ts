// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalResult } from '@unroll/evals';
import { openProject } from '@unroll/project';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExportedEvaluation } from '../testing/read-export.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const world = createTestWorld();
const kinds = ['質問（日本語）', 'en', null] as const;

/** 30 rows, of which those of one kind are answered wrongly. */
function data(wrong: number): string {
  const rows = Array.from({ length: 30 }, (_, line) => {
    const answer = line % 3 === wrong ? 'no' : 'yes';
    return { query: answer, lang: kinds[line % 3], expected: { answer: 'yes', kind: line % 2 === 0 ? 1 : 2 } };
  });
  return `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
}

beforeAll(async () => {
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      'inputs: {query: {type: string}}\noutputs: {answer: {type: string, reference: "${inputs.query}"}}\nnodes: []\n',
    'was.jsonl': data(1),
    'is.jsonl': data(0),
    'e/eval.yaml': `flow: ../f
data: ../is.jsonl
slices: ["\${row.lang}"]
metrics:
- {name: right, on: outputs.answer, evaluator: equals, expected: "\${row.expected.answer}"}
- {name: near, on: outputs.answer, evaluator: chrf, expected: "\${row.expected.answer}"}
`,
  });
  await world.flow('run', 'f', '--data', 'was.jsonl', '--name', 'was', '--quiet');
  await world.flow('run', 'f', '--data', 'is.jsonl', '--name', 'is', '--quiet');
});
afterAll(() => world[Symbol.dispose]());

test('scores of a run that is there by the column that the file names', async () => {
  const { stdout, stderr, code } = await world.flow('eval', 'e', '--run', 'is');
  expect(stdout).toMatchInlineSnapshot(`
    "e  is  30 rows

    metric  on              evaluator    mean  95 %              n
    right   outputs.answer  equals     66.7 %  48.8 % – 80.8 %  30
    near    outputs.answer  chrf        0.667  0.488 – 0.808    30

    by lang
      metric  lang            rows   mean  95 %             n
      right   質問（日本語）    10    0 %  0 % – 27.8 %    10
              en                10  100 %  72.2 % – 100 %  10
              none              10  100 %  72.2 % – 100 %  10
      near    質問（日本語）    10      0  0 – 0.278       10
              en                10      1  0.722 – 1       10
              none              10      1  0.722 – 1       10

    went wrong first at
      outputs.answer  right  10 rows: 0, 3, 6, 9, 12 …
        expected yes, got no
        flow show is --row 0

    next  flow show is
    "
  `);
  expect([stderr, code]).toEqual(['', 0]);
});

test('--by for once, compared with another run: verdicts are of all slices together', async () => {
  const { stdout } = await world.flow(
    ...['eval', 'e', '--run', 'is', '--against', 'was', '--by', 'lang', '--by', 'expected.kind', '--markdown', 'e.md'],
  );
  expect(stdout).toMatchInlineSnapshot(`
    "e  is  30 rows

    metric  on              evaluator    mean  95 %              n  compared
    right   outputs.answer  equals     66.7 %  48.8 % – 80.8 %  30  ±0, not significant
    near    outputs.answer  chrf        0.667  0.488 – 0.808    30  ±0, not significant

    by lang
      metric  lang            rows   mean  95 %             n  compared
      right   質問（日本語）    10    0 %  0 % – 27.8 %    10  −100 points, worse
              en                10  100 %  72.2 % – 100 %  10  +100 points, better
              none              10  100 %  72.2 % – 100 %  10  same
      near    質問（日本語）    10      0  0 – 0.278       10  −1, worse
              en                10      1  0.722 – 1       10  +1, better
              none              10      1  0.722 – 1       10  same

    by expected.kind
      metric  expected.kind  rows    mean  95 %              n  compared
      right   1                15  66.7 %  41.7 % – 84.8 %  15  ±0, not significant
              2                15  66.7 %  41.7 % – 84.8 %  15  ±0, not significant
      near    1                15   0.667  0.417 – 0.848    15  ±0, not significant
              2                15   0.667  0.417 – 0.848    15  ±0, not significant
      Corrected for all 10 comparisons of slices together: of what is called better or worse at most 5 % is expected to be chance.

    went wrong first at
      outputs.answer  right  10 rows: 0, 3, 6, 9, 12 …
        expected yes, got no
        flow show is --row 0

    compared with was
      Of 2 metrics compared with the baseline: 2 not to be told from chance.
      Worse by group: lang 質問（日本語） (right 100 % → 0 %, near 1 → 0).
    next  flow show is
    "
  `);
  const markdown = readFileSync(join(world.folder, 'e.md'), 'utf8');
  expect(markdown.slice(markdown.indexOf('<details>'), markdown.indexOf('<sub>'))).toMatchInlineSnapshot(`
    "<details><summary>By lang</summary>

    | metric | lang | rows | mean | 95 % interval | scored | baseline | difference | verdict |
    | --- | --- | --: | --: | --- | --: | --: | --: | --- |
    | right | 質問（日本語） | 10 | 0 % | 0 % … 27.8 % | 10 | 100 % | −100 points | **worse** (p = 0.005); 0 fixed, 10 broken |
    | right | en | 10 | 100 % | 72.2 % … 100 % | 10 | 0 % | +100 points | **better** (p = 0.005); 10 fixed, 0 broken |
    | right | none | 10 | 100 % | 72.2 % … 100 % | 10 | 100 % | ±0 | same |
    | near | 質問（日本語） | 10 | 0 | 0 … 0.278 | 10 | 1 | −1 | **worse** (p = 0.005) |
    | near | en | 10 | 1 | 0.722 … 1 | 10 | 0 | +1 | **better** (p = 0.005) |
    | near | none | 10 | 1 | 0.722 … 1 | 10 | 1 | ±0 | same |

    Corrected for all 10 comparisons of slices together: of what is called better or worse at most 5 % is expected to be chance.

    </details>

    <details><summary>By expected.kind</summary>

    | metric | expected.kind | rows | mean | 95 % interval | scored | baseline | difference | verdict |
    | --- | --- | --: | --: | --- | --: | --: | --: | --- |
    | right | 1 | 15 | 66.7 % | 41.7 % … 84.8 % | 15 | 66.7 % | ±0 | not significant (p = 1.00); 5 fixed, 5 broken |
    | right | 2 | 15 | 66.7 % | 41.7 % … 84.8 % | 15 | 66.7 % | ±0 | not significant (p = 1.00); 5 fixed, 5 broken |
    | near | 1 | 15 | 0.667 | 0.417 … 0.848 | 15 | 0.667 | ±0 | not significant (p = 1.00) |
    | near | 2 | 15 | 0.667 | 0.417 … 0.848 | 15 | 0.667 | ±0 | not significant (p = 1.00) |

    Corrected for all 10 comparisons of slices together: of what is called better or worse at most 5 % is expected to be chance.

    </details>

    **Got worse first at**

    - \`outputs.answer\`: right is worse in 10 rows (rows 0, 3, 6, 9, 12, 15, 18, 21, 24, 27)

    <details><summary>outputs.answer: right (10 failing rows)</summary>

    - row 0: expected \`yes\`; actual \`no\`
    - row 3: expected \`yes\`; actual \`no\`
    - row 6: expected \`yes\`; actual \`no\`

    </details>

    "
  `);
});

test('a run of the flow is told apart too, and a library is given the same as --json prints', async () => {
  const { stdout } = await world.flow('eval', 'e', '--name', 'anew', '--by', 'expected.kind', '--json');
  const { slices } = JSON.parse(stdout) as EvalResult;
  const lines = (kind: number) => Array.from({ length: 15 }, (_, at) => 2 * at + kind);
  expect(
    slices?.map(({ column, slices: parts }) => [column, parts.map(({ value, lines: own }) => [value, own])]),
  ).toEqual([
    [
      'expected.kind',
      [
        ['1', lines(0)],
        ['2', lines(1)],
      ],
    ],
  ]);
  const project = openProject(world.folder, { environment: {} });
  const { result } = await project.evaluate('e', { run: 'anew', by: ['expected.kind'] }).result;
  expect(result.slices).toEqual(slices);
});

test('the page shows them', async () => {
  await world.flow('eval', 'e', '--run', 'is', '--against', 'was', '--html', 'e.html', '--quiet');
  const { runs } = readExportedEvaluation(join(world.folder, 'e.html'));
  expect(
    runs.map(({ slices }) => slices.map(({ column, slices: parts }) => [column, parts.map(({ value }) => value)])),
  ).toEqual([[['lang', ['質問（日本語）', 'en', 'none']]], [['lang', ['質問（日本語）', 'en', 'none']]]]);
});

test.for([
  [
    ['--by', 'lagn'],
    'error EVAL_UNKNOWN_COLUMN no row of the data has row.lagn\n    help: did you mean "lang"?\n1 error\n',
  ],
  [
    ['--by', 'expected.knd', '--by', '${outputs.answer}'],
    `error EVAL_TARGET scores are told apart by a column of the data, and "\${outputs.answer}" is none
    help: a column is written \${row.name}, a field of it \${row.name.field}
error EVAL_UNKNOWN_COLUMN no row of the data has row.expected.knd
    help: did you mean "kind"?
2 errors
`,
  ],
  [['--by', ''], 'error: --by takes <column>, not ""\n'],
  [
    ['--by', 'lang', '--oracle', 'x'],
    'error: --by tells the scores of a run apart, and an oracle run compares two\nLeave one of them out.\n',
  ],
] as const)('%j is refused before anything runs', async ([options, told]) => {
  const { code, stdout, stderr } = await world.flow('eval', 'e', '--name', 'never', ...options);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(told)]);
});

test('where the run alone is there, columns are its inputs', async () => {
  const metrics = 'metrics:\n- {name: short, on: outputs.answer, evaluator: equals, expected: "no"}\n';
  writeFiles(world.folder, { 'r/eval.yaml': `run: is\nslices:\n- "\${row.qurey}"\n${metrics}` });
  expect(await world.flow('eval', 'r')).toMatchObject({
    code: 2,
    stderr: `r/eval.yaml:3:3 error EVAL_UNKNOWN_COLUMN no row of the data has row.qurey
    - "\${row.qurey}"
      ~~~~~~~~~~~~~~
    help: did you mean "query"?
1 error
`,
  });
  const { stdout } = await world.flow('eval', 'r', '--by', 'query', '--json');
  expect(stdout).toContain('"slices"');
});
