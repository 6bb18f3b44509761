import { type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import type { BulkSettings } from '@unroll/project';
import { type EngineKey, requireKey } from '../seal/index.ts';
import type { WorkSettings } from './work-settings.ts';

/** Values that a user gave to nodes. */
export type NodeValues = Pick<BulkSettings, 'environment' | 'init'>;

const valuesOf = (run: string): string => `values of run ${run}`;
const rowsOf = (run: string, chunk: number): string => `rows ${chunk} of run ${run}`;

export function sealValues(given: NodeValues, run: string, key: EngineKey): string {
  return Buffer.from(key.seal(Buffer.from(stringifyJson(given as unknown as JsonValue)), valuesOf(run))).toString(
    'base64',
  );
}

/**
 * What nodes are given of a run.
 *
 * @throws ProjectFailure where they are sealed with another key than the one there is here
 */
export function givenValues(
  run: string,
  { environment, sealed }: WorkSettings,
  key: EngineKey | undefined,
): NodeValues {
  if (sealed === undefined) return { environment, init: {} };
  const opened = requireKey(sealed.key, key);
  if (sealed.values === undefined) return { environment, init: {} };
  const text = Buffer.from(opened.open(Buffer.from(sealed.values, 'base64'), valuesOf(run))).toString();
  return parseJson(text) as unknown as NodeValues;
}

/** Seals the rows of a chunk. */
export type RowSealer = (bytes: Uint8Array, chunk: number) => Uint8Array;

export function rowSealer(run: string, key: EngineKey): RowSealer {
  return (bytes, chunk) => key.seal(bytes, rowsOf(run, chunk));
}

/** @throws ProjectFailure where they are sealed with another key than the one there is here */
export function openRows(
  bytes: Uint8Array,
  { id, settings: { sealed } }: { readonly id: string; readonly settings: WorkSettings },
  chunk: number,
  key: EngineKey | undefined,
): Uint8Array {
  return sealed?.rows === true ? requireKey(sealed.key, key).open(bytes, rowsOf(id, chunk)) : bytes;
}
