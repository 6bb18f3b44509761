import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { eachOf, type JsonObject, type RunReader, stringifyJson } from '@unroll/engine';
import {
  beginOutputFile,
  makePlace,
  outputNotWritable,
  ProjectFailure,
  type System,
  writeOutputFile,
} from '@unroll/project';

type Folder = Pick<System, 'folder'>;

/**
 * Makes the folder that outputs are to be written to, before anything runs.
 *
 * @param folder as given
 * @throws ProjectFailure where nothing can be written in it
 */
export function makeOutputFolder(folder: string, system: Folder): void {
  makePlace(join(folder, 'run.json'), system);
}

/**
 * Writes `outputs.json` and `run.json` (as `flow run --json` prints it) into a folder, as given, made when missing.
 *
 * @throws ProjectFailure
 */
export function writeOutputs(folder: string, outputs: JsonObject, result: string, system: Folder): void {
  try {
    writeOutputFile(join(folder, 'outputs.json'), `${stringifyJson(outputs, 2)}\n`, system);
    writeOutputFile(join(folder, 'run.json'), result, system);
  } catch (error) {
    throw afterRun(error);
  }
}

/**
 * Writes `outputs.jsonl`, a line a completed row with its `line_number`, as Prompt flow's runs have it, and `run.json`
 * into a folder, as given, made when missing.
 *
 * @throws ProjectFailure
 */
export async function writeBulkOutputs(
  folder: string,
  reader: RunReader,
  result: string,
  system: Folder,
): Promise<void> {
  try {
    await writeLines(join(folder, 'outputs.jsonl'), reader, system);
    writeOutputFile(join(folder, 'run.json'), result, system);
  } catch (error) {
    throw afterRun(error);
  }
}

async function writeLines(path: string, reader: RunReader, system: Folder): Promise<void> {
  const output = beginOutputFile(path, system);
  try {
    await fill(output.written, path, reader);
    output.finish();
  } catch (error) {
    output.discard();
    throw error;
  }
}

async function fill(written: string, path: string, reader: RunReader): Promise<void> {
  const file = orNotWritable(path, () => openSync(written, 'w'));
  try {
    for await (const { line, repeat, status, outputs } of eachOf(reader.rows())) {
      if (status !== 'Completed') continue;
      const place = { line_number: line, ...(repeat === undefined ? {} : { repeat }) };
      const text = `${stringifyJson({ ...place, ...outputs })}\n`;
      orNotWritable(path, () => writeSync(file, text));
    }
  } finally {
    closeSync(file);
  }
}

function orNotWritable<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw outputNotWritable(path, error);
  }
}

/** Something ran before. */
function afterRun(error: unknown): unknown {
  if (!(error instanceof ProjectFailure)) return error;
  const { message, code, help } = error;
  return new ProjectFailure(message, { code, help, kind: 'failed' });
}
