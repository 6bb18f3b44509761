import { DatabaseSync } from 'node:sqlite';
import { compareRuns, openSqliteRunReader } from '../packages/engine/src/index.ts';
import { alignNodes, diffRuns, mergeRuns, verdict } from '../packages/evals/src/index.ts';
import { ownCpuSeconds } from './process.ts';

/** Compares two run files once, in a process of its own: `node diff-once.ts ours|floor A B`. */
const [mode, left = '', right = ''] = process.argv.slice(2);
const cpu = ownCpuSeconds();
const start = performance.now();
const told = mode === 'floor' ? countChanged() : await diff();
const cost = { cpuSeconds: ownCpuSeconds() - cpu, wallSeconds: (performance.now() - start) / 1000 };
process.stdout.write(JSON.stringify({ ...cost, told }));

/** The least a comparison does: look up every row of one file in the other and see whether its digests are the same. */
function countChanged(): unknown {
  using database = new DatabaseSync(left);
  database.prepare('ATTACH ? AS other').run(right);
  return database
    .prepare(
      `SELECT count(*) AS changed FROM main.row_digests l JOIN other.row_digests r USING (row)
       WHERE r.digests <> l.digests`,
    )
    .get();
}

/** Everything `flow diff` does but printing: rows paired, nodes compared, every change attributed. */
async function diff(): Promise<string> {
  await using one = openSqliteRunReader(left);
  await using other = openSqliteRunReader(right);
  const aligned = alignNodes(one.info, other.info);
  const graph = mergeRuns(one.info, other.info, aligned);
  using compared = await compareRuns({ path: left, store: one }, { path: right, store: other }, { aligned });
  compared.unpaired('left', 5);
  compared.unpaired('right', 5);
  return verdict(diffRuns(compared, graph, { byIteration: false }), { outputs: ['answer'] });
}
