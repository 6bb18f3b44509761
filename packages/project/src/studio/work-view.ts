import type { EngineWork, WorkerAtWork } from '../host/engine-runs.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { RunPlaces } from '../records/open-record.ts';
import { isAtEngine, runIdOf } from '../records/record-place.ts';
import type { WorkView } from '../studio-contract/contract.ts';
import { costFigure, countFigure, durationFigure, leftFigure } from './figures.ts';

/** Who works on a run at an engine; undefined for one that is a file, or over. */
export async function workViewOf(place: string, { engine }: RunPlaces): Promise<WorkView | undefined> {
  if (!isAtEngine(place) || engine === undefined) return undefined;
  try {
    const work = await (await engine.catalog()).workOn(runIdOf(place));
    return work && workView(work);
  } catch (error) {
    // Its rows can be seen all the same.
    if (error instanceof ProjectFailure && error.code === 'RunDamaged') return undefined;
    throw error;
  }
}

function workView({ isStopping, workers, paces, budget, spent }: EngineWork): WorkView {
  return {
    isStopping,
    workers: workers.map(workerView),
    nodes: byRows(workers.flatMap(({ nodes }) => Object.entries(nodes))),
    paces: paces.map(({ connection, most, waitMs }) => ({
      connection,
      most,
      wait: waitMs < 1000 ? undefined : leftFigure(waitMs),
    })),
    budget: budgetView(budget, spent),
  };
}

function workerView({ name, host, process, rows, nodes, silentMs, lacks }: WorkerAtWork): WorkView['workers'][number] {
  const silent = leftFigure(Math.ceil((silentMs + 1) / 1000) * 1000);
  return { name, host, process, rows: countFigure(rows, 'rows'), nodes: byRows(Object.entries(nodes)), silent, lacks };
}

function byRows(counts: readonly (readonly [string, number])[]): WorkView['nodes'] {
  const sums = new Map<string, number>();
  for (const [name, rows] of counts) sums.set(name, (sums.get(name) ?? 0) + rows);
  const nodes = [...sums].flatMap(([name, rows]) => (rows === 0 ? [] : [{ name, rows }]));
  return nodes.sort((one, other) => other.rows - one.rows || one.name.localeCompare(other.name, 'en'));
}

function budgetView({ tokens, cost, seconds }: EngineWork['budget'], spent: EngineWork['spent']): WorkView['budget'] {
  const all: WorkView['budget'][number][] = [];
  const add = (of: 'tokens' | 'cost' | 'seconds', used: number, most: number | undefined): void => {
    if (most === undefined) return;
    const [figure, limit] = [figures[of](used), figures[of](most)];
    all.push({ of, spent: figure, most: limit, share: Math.min(1, used / most) });
  };
  add('tokens', spent.tokens, tokens);
  add('cost', spent.cost, cost);
  add('seconds', spent.elapsedMs / 1000, seconds);
  return all;
}

const figures = {
  tokens: (tokens: number) => countFigure(tokens, 'tokens'),
  // Of a budget nothing spent is a figure too.
  cost: (dollars: number) => ({ ...costFigure(dollars, false), ...(dollars === 0 ? { value: 0, text: '$0' } : {}) }),
  seconds: (seconds: number) => durationFigure(Math.floor(seconds) * 1000),
};
