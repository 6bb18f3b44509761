import { type DataRow, eachOf, imagesOfRecord, type JsonObject, type Plan, type RunReader } from '@unroll/engine';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import { hiddenOfRun } from '../bulk/run-as-data.ts';
import { ProjectFailure } from '../host/project-failure.ts';

/** Rows of a run: one by its line, the first so many, or all. */
export type ChosenRows = { readonly line: number } | { readonly first: number } | 'all';

/**
 * What went into rows of a run goes into them again, at the same lines, so that the two are compared row by row; a row that was repeated
 * counts once.
 *
 * @param inputs in the place of those that were given
 * @throws ProjectFailure where there is no such row, or its record holds no value of an input
 */
export async function triedRows(
  reader: RunReader,
  plan: Plan,
  chosen: ChosenRows,
  inputs: JsonObject,
): Promise<BulkRows> {
  const { data = {}, columnMapping = {} } = reader.info;
  refuseHidden(reader, plan, inputs);
  const total = await countRows(reader, chosen);
  if (total === 0) throw new ProjectFailure('the run has no such row that ended', { code: 'RowNotFound' });
  const isOtherData = Object.keys(inputs).length > 0;
  return {
    rows: rowsOf(reader, plan, chosen, inputs),
    data: isOtherData ? { total } : { ...data, total },
    mapping: isOtherData ? {} : columnMapping,
    about: `run ${reader.info.id}`,
  };
}

async function* rowsOf(
  reader: RunReader,
  { messageFormat }: Plan,
  chosen: ChosenRows,
  inputs: JsonObject,
): AsyncGenerator<DataRow, void> {
  const read = (given: JsonObject): JsonObject => imagesOfRecord(given, messageFormat) as JsonObject;
  if (chosen !== 'all' && 'line' in chosen) {
    const row = await reader.row(chosen.line);
    if (row !== undefined) yield { line: row.line, values: { ...read(row.inputs), ...inputs } };
    return;
  }
  let left = chosen === 'all' ? Infinity : chosen.first;
  for await (const { line, repeat = 0, inputs: given } of eachOf(reader.rows())) {
    if (repeat !== 0) continue;
    if (left <= 0) return;
    left -= 1;
    yield { line, values: { ...read(given), ...inputs } };
  }
}

async function countRows(reader: RunReader, chosen: ChosenRows): Promise<number> {
  if (chosen !== 'all' && 'line' in chosen) return (await reader.row(chosen.line)) === undefined ? 0 : 1;
  let rows = 0;
  for await (const { repeat } of eachOf(reader.rowEnds())) if (repeat === 0) rows += 1;
  return chosen === 'all' ? rows : Math.min(rows, chosen.first);
}

function refuseHidden({ info }: RunReader, plan: Plan, inputs: JsonObject): void {
  const { names } = hiddenOfRun(info);
  const hidden = plan.inputs.filter(
    ({ name, type }) => (type === 'secret' || names.includes(name)) && !Object.hasOwn(inputs, name),
  );
  const [first] = hidden;
  if (first === undefined) return;
  throw new ProjectFailure(`the record holds no value of the input "${first.name}"`, {
    help: 'Give it among the inputs, for one row.',
    code: 'InputHidden',
  });
}
