import { firstOf, type RunReader } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { parseRowName } from './row-name.ts';

/** A row of a run; without `repeat`, the first time it was run. */
export interface RowPlace {
  readonly line: number;
  readonly repeat?: number;
}

/**
 * The row that `--row` names, else the first that ended.
 *
 * @throws ProjectFailure when there is none
 */
export async function placeOf(store: RunReader, given: string | undefined): Promise<RowPlace> {
  if (given === undefined) {
    const first = await firstOf(store.rowEnds());
    if (first === undefined) throw new ProjectFailure(`run ${store.info.id} has no row that ended`);
    return first;
  }
  const named = parseRowName(given);
  if (named === undefined) throw new ProjectFailure(`--row takes the number of a row from 0, not "${given}"`);
  if ((await store.nodes(named.line, named.repeat)).length > 0) return named;
  throw new ProjectFailure(`run ${store.info.id} has no row ${given}`, { code: 'RowNotFound' });
}
