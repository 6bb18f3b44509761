import {
  imagesOfRecord,
  type JsonObject,
  type JsonValue,
  type NamedSets,
  type Plan,
  type RunReader,
  setsOf,
} from '@unroll/engine';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { openRecordedData } from './recorded-data.ts';

/** The sets a mapping may read of an earlier run, for one line; undefined where that row did not complete. */
export type EarlierSets = (line: number) => Promise<NamedSets | undefined>;

/**
 * `run.outputs` is what the earlier run gave. `run.inputs` is what it ran over: the columns of its data, whether its flow read
 * them or not, and the inputs its flow had where the data has no column of that name.
 *
 * @param located makes the paths of images in a row of data absolute, from the data's folder
 */
export async function openEarlierSets(
  earlier: RunReader,
  { messageFormat }: Pick<Plan, 'messageFormat'>,
  { columnMapping = {} }: Pick<BulkSettings, 'columnMapping'>,
  located: (values: JsonObject, folder: string) => JsonObject,
  host: ProjectHost,
): Promise<EarlierSets> {
  // A set that there is not (`run.output`) is told with the columns there are.
  const asksForInputs = Object.values(columnMapping).some(
    (source) => setsOf({ source }, ['run']).size > 0 && setsOf({ source }, ['run.outputs']).size === 0,
  );
  const columns = asksForInputs ? await readColumns(earlier, located, host) : undefined;
  return async (line) => {
    const row = await earlier.row(line);
    if (row?.status !== 'Completed') return undefined;
    const read = (values: JsonObject): JsonObject => imagesOfRecord(values, messageFormat) as JsonObject;
    const withLine = (values: JsonObject): JsonObject => ({ ...values, line_number: line as JsonValue });
    return {
      'run.inputs': withLine({ ...read(row.inputs), ...columns?.get(line) }),
      'run.outputs': withLine(read(row.outputs)),
    };
  };
}

/** The rows of the data the run ran over; undefined where it is not there any more. */
async function readColumns(
  { info }: RunReader,
  located: (values: JsonObject, folder: string) => JsonObject,
  host: ProjectHost,
): Promise<ReadonlyMap<number, JsonObject> | undefined> {
  const recorded = await openRecordedData(info, host.folder, located);
  if (recorded === undefined || recorded.state === 'unreadable') return undefined;
  if (recorded.state === 'changed') {
    notify(host, {
      kind: 'warning',
      message: `${recorded.path} changed since run ${info.id}: \${run.inputs…} reads it as it is now`,
    });
  }
  const rows = new Map<number, JsonObject>();
  for await (const row of recorded.data.rows()) if ('values' in row) rows.set(row.line, row.values);
  return rows;
}
