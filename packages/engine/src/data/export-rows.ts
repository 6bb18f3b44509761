import { eachOf } from '../record/batches.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import { recordJson } from '../record/record-json.ts';
import type { RunReader } from '../record/run-reader.ts';
import type { JsonObject } from '../value/json.ts';

/** One exported row; nested under `inputs` and `outputs`. */
export type ExportedRow = JsonObject;

/** What the data has of a row beside its inputs; undefined where it has no such row. */
export type DataColumnsOf = (row: Pick<RowRun, 'line' | 'inputs'>) => Promise<JsonObject | undefined>;

/**
 * Rows of a run in order: `line_number status inputs outputs`, with `repeat`, `error` and `unfinished` where they say something.
 *
 * @param columnsOf given where they are asked for, as `data`
 */
export async function* exportRows(reader: RunReader, columnsOf?: DataColumnsOf): AsyncGenerator<ExportedRow, void> {
  for await (const row of eachOf(reader.rows())) {
    const { line, repeat = 0, status, inputs, outputs, error, unfinished } = row;
    const data = await columnsOf?.(row);
    yield {
      line_number: line,
      ...(repeat === 0 ? {} : { repeat }),
      status,
      ...(data === undefined ? {} : { data }),
      inputs,
      outputs,
      ...(error === undefined ? {} : { error: { code: error.code, message: error.message, node: error.node ?? null } }),
      ...(unfinished === undefined ? {} : { unfinished }),
    };
  }
}

/** Records of the nodes, row by row, as `recordJson` tells them. */
export async function* exportNodes(reader: RunReader): AsyncGenerator<ExportedRow, void> {
  for await (const { nodes } of eachOf(reader.records())) for (const run of nodes) yield nodeRow(run);
}

function nodeRow(run: NodeRun): ExportedRow {
  return { ...(run.repeat === undefined ? {} : { repeat: run.repeat }), ...recordJson(run) };
}
