import type { DataRow } from './data-row.ts';
import { type ColumnMapping, mappingNotFound, mapRow, type NamedSets } from './map-columns.ts';

/**
 * Maps a stream of data rows to the inputs of a flow.
 *
 * @param others gives the other sets' rows of a line (`run.outputs` …); undefined where one of them has no such line,
 *   which leaves the row out
 * @param optional inputs that are left to their defaults where a row has no such column
 */
export async function* mapRows(
  rows: AsyncIterable<DataRow>,
  mapping: ColumnMapping,
  others: (line: number) => NamedSets | undefined | Promise<NamedSets | undefined> = () => ({}),
  optional: ReadonlySet<string> = new Set(),
): AsyncGenerator<DataRow, void> {
  for await (const row of rows) {
    if ('problem' in row) {
      yield row;
      continue;
    }
    const line = lineOf(row);
    const beside = await others(line);
    if (beside === undefined) continue;
    const mapped = mapRow({ ...beside, data: row.values }, mapping, optional);
    if (mapped.ok) yield { line, values: mapped.inputs };
    else yield { line, problem: mappingNotFound(mapped.notFound).message };
  }
}

/** A row that carries `line_number` keeps it. */
function lineOf(row: DataRow & { readonly values: object }): number {
  const { line_number: given } = row.values as { readonly line_number?: unknown };
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : row.line;
}
