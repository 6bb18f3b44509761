import type { DataRow } from './data-row.ts';
import { type ColumnMapping, mappingNotFound, mapRow, type NamedSets } from './map-columns.ts';
import { RowLines } from './row-lines.ts';

/**
 * Maps a stream of data rows to the inputs of a flow. Of rows with the same `line_number` those after the first cannot run.
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
  const lines = new RowLines();
  for await (const row of rows) {
    const { line, wanted } = lines.add(row);
    if ('problem' in row) {
      yield { ...row, line };
      continue;
    }
    if (wanted !== undefined) {
      yield { line, problem: lineTaken(row.line, wanted) };
      continue;
    }
    const beside = await others(line);
    if (beside === undefined) continue;
    const mapped = mapRow({ ...beside, data: row.values }, mapping, optional);
    if (mapped.ok) yield { line, values: mapped.inputs };
    else yield { line, problem: `line ${row.line} of input data: ${mappingNotFound(mapped.notFound).message}` };
  }
}

function lineTaken(place: number, wanted: number): string {
  return `line ${place} of input data has the line_number ${wanted}, which is that of a row before it`;
}
