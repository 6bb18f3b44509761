import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import { type JsonObject, type JsonValue, stringifyJson, textOrJson } from '../value/json.ts';
import { isJson, textHash, valueHash } from './value-hash.ts';

/** Raised when a fingerprint is made otherwise, so that no output is taken for one made the old way. */
const formVersion = 1;
/** Longer texts enter as their digests. */
const longestText = 200;

/** What a node is, whatever row it runs for. */
export interface NodeIdentity {
  readonly kind: string;
  /** Version of the node type. */
  readonly version: number;
  readonly parts: FingerprintInputs;
}

/** Digest of a node's identity; worked out once a run. */
export function identityHash({ kind, version, parts }: NodeIdentity): string {
  return textHash(stringifyJson([formVersion, kind, version, ...sortedEntries(parts)]));
}

/** Either a fingerprint, 32 hexadecimal digits, or why there is none. */
export type Fingerprint = { readonly fingerprint: string } | { readonly notKept: string };

/**
 * What the output of a node depends on, in one digest: its identity, the number of the repetition, and what goes in, by
 * name. Keys within a value count in their order, since Python and templates show it; inputs have no order.
 */
export function inputsFingerprint(identity: string, repeat: number, inputs: JsonObject): Fingerprint {
  let text = `${identity} ${repeat}`;
  for (const name of Object.keys(inputs).sort()) {
    const value = inputs[name] as JsonValue;
    if (!isJson(value)) return { notKept: `its input "${name}" is no JSON` };
    text += `\n${name}=${shortForm(value)}`;
  }
  return { fingerprint: textHash(text) };
}

/** The same with a rendered prompt, or the whole of a request, in the place of the inputs. */
export function renderedFingerprint(identity: string, repeat: number, rendered: JsonValue): Fingerprint {
  const isRequest = typeof rendered === 'object' && rendered !== null && !Array.isArray(rendered);
  return inputsFingerprint(identity, repeat, isRequest ? (rendered as JsonObject) : { rendered });
}

function shortForm(value: JsonValue): string {
  if (typeof value === 'string' && value.length <= longestText) return JSON.stringify(value);
  const isLong = typeof value === 'string' ? value.length > longestText : typeof value === 'object' && value !== null;
  return isLong ? `#${valueHash(value)}` : stringifyJson(value);
}

function sortedEntries(parts: FingerprintInputs): readonly (readonly [string, string])[] {
  return Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** A value as a part of a definition: itself where it is short, else its digest. */
export function partOf(value: JsonValue): string {
  const text = textOrJson(value);
  return text.length <= longestText && !text.includes('\n') ? text : textHash(text);
}
