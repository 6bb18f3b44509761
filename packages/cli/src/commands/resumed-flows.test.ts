import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { continueSqliteRunLog } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { randomChatFlow } from '../testing/random-chat-flow.ts';
import { type Recorded, sharedRecords } from '../testing/random-runs.ts';
import { randomSource } from '../testing/random-source.ts';
import {
  type Asked,
  byPlace,
  countingAdditions,
  killedAfter,
  type Watched,
  type WatchedFlow,
  watchedRun,
} from '../testing/watched-run.ts';
import { writeFiles } from '../testing/write-files.ts';

/**
 * Flows thought up at random, killed after each addition to their record and gone on with: what models are asked, what is
 * recorded and what comes out is what an undisturbed run asks, records and gives; what completed is not asked for again.
 * RANDOM_FLOWS=300 RANDOM_SEED=1 RANDOM_KILLS=1000 for more of them, killed at every place.
 */
const flows = Number(process.env['RANDOM_FLOWS'] ?? 8);
const seed = Number(process.env['RANDOM_SEED'] ?? 1);
const most = Number(process.env['RANDOM_KILLS'] ?? 8);

function folderOf(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-resumed-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Requests that are still to be made, of rows that complete: beside a node that fails, what comes first is chance. */
function stillAsked(asked: readonly Asked[], { finished }: Watched, { rows }: Recorded): readonly string[] {
  const failed = rows.flatMap(({ status, line, repeat }) => (status === 'Completed' ? [] : [`${line}/${repeat}`]));
  return byPlace(
    asked.filter(({ line, repeat, node }) => {
      return !failed.includes(`${line}/${repeat}`) && !finished.has(`${line}/${repeat} ${node}`);
    }),
  );
}

/** @param most kills at most, at places that lie equally far apart */
async function checkKills(watched: WatchedFlow, most: number): Promise<void> {
  let additions = 0;
  const undisturbed = await watchedRun(
    watched,
    'undisturbed',
    countingAdditions(() => {
      additions += 1;
    }),
  );
  const apart = Math.max(1, additions / most);
  for (let place = 0; place < additions; place += apart) {
    const kept = Math.floor(place);
    const name = `killed-${kept}`;
    const killed = await watchedRun(watched, name, killedAfter(kept));
    const resumed = await watchedRun(watched, name, (path) => continueSqliteRunLog(path));
    const [after, whole] = sharedRecords(resumed.recorded, undisturbed.recorded);
    expect(after, `killed after ${kept}`).toEqual(whole);
    const [left, all] = [resumed, undisturbed].map((one) => stillAsked(one.asked, killed, undisturbed.recorded));
    expect(left, `killed after ${kept}`).toEqual(all);
    const again = resumed.asked.filter(({ line, repeat, node }) => killed.finished.has(`${line}/${repeat} ${node}`));
    expect(again, `asked again, killed after ${kept}`).toEqual([]);
  }
}

function watchedFlow(number: number, options: { readonly python: boolean }): WatchedFlow {
  const random = randomSource(number);
  const folder = folderOf();
  const { files, rows } = randomChatFlow(random, options);
  writeFiles(folder, files);
  // No budget of rows: of nodes side by side, what one is left depends on how soon the other ends (with-budget.test.ts has them).
  return { folder, rows, repeat: random.chance(20) ? 2 : 1, concurrency: 1 + random.below(3) };
}

test.for(Array.from({ length: flows }, (_, at) => seed + at))('flow %i', async (number) => {
  await checkKills(watchedFlow(number, { python: false }), most);
});

test.for(Array.from({ length: Math.ceil(flows / 6) }, (_, at) => seed + at))(
  'flow %i, with Python',
  { timeout: 60_000 },
  async (number) => {
    await checkKills(watchedFlow(number, { python: true }), most / 2);
  },
);
