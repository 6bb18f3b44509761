import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { printJson, type Values } from '@unroll/engine';

/** Writes `outputs.json` and `run.json` (as `flow run --json` prints it) into a folder, absolute, made when missing. */
export function writeOutputs(folder: string, outputs: Values, result: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, 'outputs.json'), `${printJson(outputs, 2)}\n`);
  writeFileSync(resolve(folder, 'run.json'), result);
}
