import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  evaluationsPage as listShape,
  evaluationPage as pageShape,
  type Sentence,
} from '@unroll/project/studio-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluationPage, evaluationsPage } from '../../packages/project/src/studio/evaluation-pages.ts';
import { Studio } from '../../packages/project/src/studio/studio.ts';
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
    `${worse} got worse first at agent_1 in 91 rows (first_function). Cause: agent (prompt agent.jinja2 changed).`,
  ]);
  expect({ rows, pairedBy }).toEqual({ rows: 96, pairedBy: 'query' });
  expect(runs.map(({ gates }) => gates.failed)).toEqual([0, 4]);
  expect(runs[1]?.failing[0]).toMatchObject({ node: 'agent_1', metric: 'first_function' });
  expect(runs[1]?.loops[0]?.turns).toHaveLength(3);
  const first = metrics.find(({ name }) => name === 'first_function');
  expect(first).toMatchObject({ gateAt: 0.95, scale: { low: 0, high: 1 }, isSignificant: true });
  expect(first?.runs.map(({ mean }) => mean.text)).toEqual(['97.9 %', '3.1 %']);
  expect(first?.runs[1]?.difference).toMatchObject({
    verdict: 'worse',
    flips: { fixed: 0, broken: 91 },
    interval: { text: '−97.9 to −85.9 points' },
  });
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
