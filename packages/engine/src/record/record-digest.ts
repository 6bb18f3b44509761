import type { NodeRun, RowRun } from './node-run.ts';
import type { RecordDigest } from './run-reader.ts';
import { valueHash } from './value-hash.ts';

/** The digest of a record as every store keeps it. */
export function recordDigest(run: NodeRun): RecordDigest {
  return {
    line: run.line,
    repeat: run.repeat ?? 0,
    node: run.node,
    status: run.status,
    outputHash: outputHash(run),
    inputsHash: valueHash(run.inputs ?? {}),
    ...(run.fingerprint === undefined ? {} : { fingerprint: run.fingerprint }),
  };
}

/** Digests of what went into a row and what came out of it: its outputs, or the code and message of its error. */
export function rowDigest({ inputs, outputs, error }: RowRun): {
  readonly inputsHash: string;
  readonly outputsHash: string;
} {
  const given = error === undefined ? outputs : { error: error.code, message: error.message };
  return { inputsHash: valueHash(inputs), outputsHash: valueHash(given) };
}

/** Of what a node gave: its output, or the code and message of its error. */
export function outputHash({ output = null, error }: NodeRun): string {
  return valueHash(error === undefined ? output : { error: error.code, message: error.message });
}
