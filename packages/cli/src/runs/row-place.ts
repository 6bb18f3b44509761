import type { RunStore } from '@unroll/engine';
import { parseRowName } from '../bulk/row-name.ts';
import { CommandFailure } from '../command-failure.ts';

/** A row of a run; without `repeat`, the first time it was run. */
export interface RowPlace {
  readonly line: number;
  readonly repeat?: number;
}

/**
 * The row that `--row` names, else the first that ended.
 *
 * @throws CommandFailure when there is none
 */
export function placeOf(store: RunStore, given: string | undefined): RowPlace {
  if (given === undefined) {
    const [first] = store.rows();
    if (first === undefined) throw new CommandFailure(`run ${store.info.id} has no row that ended`);
    return first;
  }
  const named = parseRowName(given);
  if (named === undefined) throw new CommandFailure(`--row takes the number of a row from 0, not "${given}"`);
  if (store.nodes(named.line, named.repeat).length > 0) return named;
  throw new CommandFailure(`run ${store.info.id} has no row ${given}`, { code: 'RowNotFound' });
}
