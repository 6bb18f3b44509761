import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  evaluationsPage as listShape,
  evaluationPage as pageShape,
  type Sentence,
} from '@unroll/project/studio-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeFiles } from '../../packages/cli/src/testing/write-files.ts';
import { evaluationPage, evaluationsPage } from '../../packages/project/src/studio/evaluation-pages.ts';
import { Studio } from '../../packages/project/src/studio/studio.ts';
import { Answers } from '../../packages/project/src/studio-export/answers.ts';
import { addRun } from '../../packages/project/src/studio-export/export-runs.ts';
import { createStudioWorld, guidelineFirst, type StudioWorld } from './studio-world.ts';

let world: StudioWorld;
let studio: Studio;
let right: string;
let worse: string;
const path = 'evals/privacy-agent/eval.yaml';

beforeAll(async () => {
  world = createStudioWorld();
  right = await world.evaluate();
  worse = await world.evaluate(guidelineFirst);
  studio = new Studio(world.host, { isReadOnly: true, opened: [] });
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

test('every evaluation of the folder is listed with what it holds runs to', async () => {
  const { evaluations } = listShape.parse(await evaluationsPage(studio));
  expect(evaluations).toMatchObject([{ path, metrics: 11, gates: 6, hasBaseline: true, asksJudges: false }]);
  expect([...(evaluations[0]?.runs ?? [])].sort()).toEqual([right, worse]);
});

test('several runs: which may be kept, where the others got worse first, and why', async () => {
  const { verdict, runs, metrics, rows, pairedBy } = pageShape.parse(
    await evaluationPage(path, [right, worse], studio),
  );
  expect(textsOf(verdict.answer)).toEqual([
    `${right} meets all 6 gates.`,
    `${worse} fails 4 of 6 gates: first_function, calls, faq_recall, cited.`,
  ]);
  expect(textsOf(verdict.details)).toEqual([
    `Of 11 metrics compared with ${right}: 7 worse, 2 not to be told from chance, 2 the same in every row.`,
    `${worse} got worse first at agent_1 in 91 rows (first_function). Cause: agent (prompt agent.jinja2 changed).`,
  ]);
  expect({ rows, pairedBy }).toEqual({ rows: 96, pairedBy: 'query' });
  expect(runs.map(({ gates }) => gates.failed)).toEqual([0, 4]);
  expect(runs[1]?.failing[0]).toMatchObject({ node: 'agent_1', metric: 'first_function' });
  expect(runs[1]?.loops[0]).toMatchObject({ turns: [{}, {}, {}], stopped: { never: 0 }, recommendedTimes: 3 });
  expect(runs[1]?.since).toMatchObject({
    ...{ before: right, isThere: true, paired: 96, pairedBy: 'key', dataChanged: false },
    changes: [{ node: 'agent', text: 'prompt agent.jinja2 changed' }],
    worse: [{ node: 'agent_1', rows: 91, cause: 'Cause: agent (prompt agent.jinja2 changed).' }],
  });
  const drawn = runs[1]?.graph?.nodes.find(({ label }) => label === 'agent');
  expect(drawn).toMatchObject({ gateFails: true, trend: 'worse', measures: { score: { of: 'first_function' } } });
  const first = metrics.find(({ name }) => name === 'first_function');
  expect(first).toMatchObject({ bounds: [0.95], scale: { low: 0, high: 1 }, isSignificant: true });
  expect(first?.runs.map(({ mean }) => mean.text)).toEqual(['97.9 %', '3.1 %']);
  expect(first?.runs[1]?.difference).toMatchObject({
    verdict: 'worse',
    flips: { fixed: 0, broken: 91 },
    interval: { text: '−97.9 to −85.9 points' },
  });
});

test('the same in Japanese: what is said of runs, of their gates, and why scores are missing', async () => {
  const { verdict, runs, metrics, method } = await evaluationPage(path, [right, worse], studio, 'ja');
  expect(textsOf([...verdict.answer, ...verdict.details])).toEqual([
    `${right} は 6 件の基準をすべて満たしています。`,
    `${worse} は基準 6 件中 4 件が未達です：first_function、calls、faq_recall、cited。`,
    `${right} と比べた 11 個の指標：悪化 7、有意差なし 2、全行で同じ 2。`,
    `${worse} が最初に悪化した場所は agent_1 で、91 行です（first_function）。原因：agent（プロンプト agent.jinja2 の変更）。`,
  ]);
  expect(runs[1]?.since).toMatchObject({
    changes: [{ text: 'プロンプト agent.jinja2 の変更' }],
    worse: [{ text: 'first_function が 91 行で悪化', cause: '原因：agent（プロンプト agent.jinja2 の変更）。' }],
  });
  const told = metrics.flatMap((metric) =>
    metric.runs.flatMap(({ gate, unscored, difference, interval }) => [
      ...[gate?.rule, gate?.reason, difference?.difference.text, difference?.interval?.text, interval?.text],
      ...unscored.map(({ reason }) => reason),
    ]),
  );
  expect([method, ...told].filter((text) => /[a-z]{2,} [a-z]{2,}|points/.test(text ?? ''))).toEqual([]);
});

test('the figures are those of flow eval', async () => {
  const { metrics } = await evaluationPage(path, [worse], studio);
  const said = await world.flow('eval', 'evals/privacy-agent', '--run', worse, '--json', '--quiet');
  const result = JSON.parse(said) as { metrics: { name: string; summary: { mean: number; scored: number } }[] };
  const shown = metrics.map(({ name, runs }) => ({ name, mean: runs[0]?.mean.value, scored: runs[0]?.scored }));
  expect(shown).toEqual(result.metrics.map(({ name, summary: { mean, scored } }) => ({ name, mean, scored })));
});

test('a run of something else, or an evaluation that is not there, is refused', async () => {
  await expect(evaluationPage(path, ['elsewhere'], studio)).rejects.toMatchObject({ code: 'RunNotFound' });
  await expect(evaluationPage('none/eval.yaml', [], studio)).rejects.toMatchObject({ code: 'EvalNotFound' });
});

test('without a run it says what makes one', async () => {
  using empty = createStudioWorld();
  rmSync(join(empty.folder, '.runs'), { recursive: true, force: true });
  await using none = new Studio(empty.host, { isReadOnly: true, opened: [] });
  const page = pageShape.parse(await evaluationPage(path, [], none));
  expect(page).toMatchObject({ runs: [], problem: expect.stringContaining(`flow eval ${path}`) });
});

test('an export holds the rows that a page leads to first, and no more pages than its bounds let in', async () => {
  const exported = new Studio(world.host, { isReadOnly: true, opened: [], isExport: true });
  const gathered = async (bytes: number) => {
    const into = new Answers();
    const first = [{ line: 50, repeat: 0 }];
    const bounds = { lines: 20, pages: 4, bytes, diffRows: 1 };
    await addRun(worse, { bounds, put: () => undefined, evaluation: path, first }, into, exported);
    const { answers, rows } = into.take();
    const { lines = [], opened = [], head } = rows[`runs/${worse}/rows`] ?? {};
    const pages = Object.keys(answers).filter((name) => name.startsWith(`runs/${worse}/rows/`));
    return { pages, opened: opened.map((at) => lines[at]?.line), leftOut: head?.leftOut };
  };
  const few = await gathered(1);
  expect(few).toEqual({ pages: [`runs/${worse}/rows/50/0`], opened: [50], leftOut: 76 });
  const more = await gathered(10_000_000);
  expect(more.opened).toHaveLength(4);
  expect(more.pages).toHaveLength(4);
  expect(more.opened[0]).toBe(50);
  await exported[Symbol.asyncDispose]();
});

test('an evaluator in a file beside the evaluation scores; one that is missing is told until it is there, and scored anew as it changes', async () => {
  const own = 'evals/own/eval.yaml';
  const mean = async (): Promise<unknown> => {
    const { metrics } = pageShape.parse(await evaluationPage(own, [right], studio));
    return metrics.map(({ name, runs }) => [name, runs[0]?.mean.value]);
  };
  const mistakes = async (): Promise<unknown> => {
    const { evaluations } = listShape.parse(await evaluationsPage(studio));
    return evaluations.find((one) => one.path === own)?.mistakes;
  };
  writeFiles(world.folder, {
    [own]: `name: own
flow: ../../flows/privacy-agent
data: ../privacy-agent/cases.jsonl
metrics:
  - {name: long, on: outputs.answer, evaluator: ./long.ts}
`,
  });
  expect(await mistakes()).toEqual(['there is no evaluator file ./long.ts']);
  writeFiles(world.folder, { 'evals/own/long.ts': 'export default () => 3;\n' });
  expect([await mistakes(), await mean()]).toEqual([[], [['long', 3]]]);
  writeFiles(world.folder, { 'evals/own/long.ts': 'export default () => 40;\n' });
  expect(await mean()).toEqual([['long', 40]]);
  rmSync(join(world.folder, 'evals/own'), { recursive: true });
});
