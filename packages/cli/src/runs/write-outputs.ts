import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { type JsonObject, makeFolder, type RunStore, stringifyJson } from '@unroll/engine';
import { outputNotWritable } from './output-not-writable.ts';

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
export function writeBulkOutputs(folder: string, store: RunStore, result: string): void {
  orNotWritable(folder, () => {
    makeFolder(folder);
    writeLines(folder, store);
    writeFileSync(resolve(folder, 'run.json'), result);
  });
}

function writeLines(folder: string, store: RunStore): void {
  const file = openSync(resolve(folder, 'outputs.jsonl'), 'w');
  try {
    for (const { line, repeat, status, outputs } of store.rows()) {
      if (status !== 'Completed') continue;
      const place = { line_number: line, ...(repeat === undefined ? {} : { repeat }) };
      writeSync(file, `${stringifyJson({ ...place, ...outputs })}\n`);
    }
  } finally {
    closeSync(file);
  }
}

/** @throws ProjectFailure */
function orNotWritable(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw outputNotWritable(folder, error, 'failed');
  }
}
