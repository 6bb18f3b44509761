import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HashingModel, startHashingModel } from '../testing/hashing-model.ts';
import { type Edited, randomEdit } from '../testing/random-edits.ts';
import { type FlowDraft, randomFlow } from '../testing/random-flow.ts';
import { needless, ran, recorded, runDraft, sharedRecords, wronglyReported } from '../testing/random-runs.ts';
import { type RandomSource, randomSource } from '../testing/random-source.ts';
import { createTestWorld } from '../testing/test-io.ts';

/**
 * Flows thought up at random, edited at random: `--since` gives what a whole run gives and runs nothing it need not,
 * `flow diff` names the edited nodes and no others. RANDOM_FLOWS=300 RANDOM_SEED=1 for more of them.
 */
const flows = Number(process.env['RANDOM_FLOWS'] ?? 6);
const seed = Number(process.env['RANDOM_SEED'] ?? 1);
let model: HashingModel;
beforeAll(async () => {
  model = await startHashingModel();
});
afterAll(() => model[Symbol.asyncDispose]());

/** One edit, sometimes two. */
function edit(draft: FlowDraft, random: RandomSource): Edited {
  const one = randomEdit(draft, random);
  if (one.renamed !== undefined || random.chance(70)) return one;
  const two = randomEdit(one.draft, random);
  return {
    ...two,
    what: `${one.what}, ${two.what}`,
    direct: [...one.direct.map((name) => (name === two.renamed?.from ? two.renamed.to : name)), ...two.direct],
    isHarmless: one.isHarmless && two.isHarmless,
  };
}

test.for(Array.from({ length: flows }, (_, at) => seed + at))('flow %i', async (number) => {
  const random = randomSource(number);
  using world = createTestWorld();
  const draft = randomFlow(random, { python: random.chance(15) });
  const how = ['--repeat', random.chance(30) ? '2' : '1', '--concurrency', String(1 + random.below(4))];
  const edited = edit(draft, random);
  await runDraft(world, draft, 'before', model.url, how);
  await runDraft(world, edited.draft, 'after', model.url, how);
  await runDraft(world, edited.draft, 'since', model.url, [...how, '--since', 'before']);
  const before = await recorded(world, 'before');
  const after = await recorded(world, 'after');
  const since = await recorded(world, 'since');
  const [taken, whole] = sharedRecords(since, after);
  expect(taken, edited.what).toEqual(whole);
  expect(needless(since, before, edited), edited.what).toEqual([]);
  if (edited.isHarmless) expect(ran(since), edited.what).toEqual([]);
  expect(await wronglyReported(world, edited, before, after), edited.what).toEqual([]);
});
