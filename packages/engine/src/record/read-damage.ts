import { type OnDamage, RunDamageError } from './run-file-error.ts';
import { statuses } from './status-number.ts';
import type { CountedTable } from './table-totals.ts';

export interface RunFileReaderOptions {
  /** Told of what is left out where many records are read; without it damage is thrown. */
  readonly onDamage?: OnDamage | undefined;
  /** This process wrote, or looked at, all that is in the file. */
  readonly isTrusted?: boolean;
}

/** In a damaged file anything may stand where a status should. */
export const isStatus = `status IN (${statuses.map((_, number) => number).join(', ')})`;

/** What is done where nobody is told of damage. */
export function raiseDamage(damage: Parameters<OnDamage>[0]): never {
  throw damage instanceof Error ? damage : new RunDamageError(damage);
}

const namesOfTables: Readonly<Record<CountedTable, string>> = {
  node_ends: 'records of nodes',
  row_ends: 'rows that ended',
  row_digests: 'digests of rows',
  nodes: 'names of nodes',
  metrics: 'metrics',
  meta: 'entries on what the run was',
};

/** What is said of a table that does not hold what was written to it. */
export function missingText(
  path: string,
  table: CountedTable,
  { found, recorded }: { readonly found: number; readonly recorded: number },
): string {
  const what = namesOfTables[table];
  if (found === recorded) return `the run record ${path} is damaged: not all ${what} are as they were written`;
  return `the run record ${path} is damaged: of ${recorded} ${what} ${found} are found`;
}
