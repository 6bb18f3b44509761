import { eachOf } from '../record/batches.ts';
import type { NodeRun } from '../record/node-run.ts';
import { recordJson } from '../record/record-json.ts';
import type { RunReader } from '../record/run-reader.ts';
import type { JsonObject } from '../value/json.ts';

/** One exported row; nested under `inputs` and `outputs`. */
export type ExportedRow = JsonObject;

/** Rows of a run in order: `line_number status inputs outputs`, with `repeat`, `error` and `unfinished` where they say something. */
export async function* exportRows(reader: RunReader): AsyncGenerator<ExportedRow, void> {
  for await (const { line, repeat = 0, status, inputs, outputs, error, unfinished } of eachOf(reader.rows())) {
    yield {
      line_number: line,
      ...(repeat === 0 ? {} : { repeat }),
      status,
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
