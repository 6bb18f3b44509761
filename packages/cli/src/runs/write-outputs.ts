import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { eachOf, type JsonObject, makeFolder, type RunReader, stringifyJson } from '@unroll/engine';
import { outputNotWritable } from '@unroll/project';

/** Writes `outputs.json` and `run.json` (as `flow run --json` prints it) into a folder, absolute, made when missing. */
export function writeOutputs(folder: string, outputs: JsonObject, result: string): void {
  orNotWritable(folder, () => {
    makeFolder(folder);
    writeFileSync(resolve(folder, 'outputs.json'), `${stringifyJson(outputs, 2)}\n`);
    writeFileSync(resolve(folder, 'run.json'), result);
  });
}

/**
 * Writes `outputs.jsonl`, a line a completed row with its `line_number`, as Prompt flow's runs have it, and `run.json`
 * into a folder, absolute, made when missing.
 */
export async function writeBulkOutputs(folder: string, reader: RunReader, result: string): Promise<void> {
  orNotWritable(folder, () => makeFolder(folder));
  await writeLines(folder, reader);
  orNotWritable(folder, () => writeFileSync(resolve(folder, 'run.json'), result));
}

async function writeLines(folder: string, reader: RunReader): Promise<void> {
  const file = orNotWritable(folder, () => openSync(resolve(folder, 'outputs.jsonl'), 'w'));
  try {
    for await (const { line, repeat, status, outputs } of eachOf(reader.rows())) {
      if (status !== 'Completed') continue;
      const place = { line_number: line, ...(repeat === undefined ? {} : { repeat }) };
      const text = `${stringifyJson({ ...place, ...outputs })}\n`;
      orNotWritable(folder, () => writeSync(file, text));
    }
  } finally {
    closeSync(file);
  }
}

/** @throws ProjectFailure */
function orNotWritable<T>(folder: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw outputNotWritable(folder, error, 'failed');
  }
}
