import { createHash } from 'node:crypto';
import {
  Float,
  type JsonValue,
  type ModelApi,
  type ModelRequest,
  type NodeError,
  stringifyJson,
  type Usage,
} from '@unroll/engine';

/** One call of a model as a cassette keeps it. */
export interface RecordedCall {
  /** The node that asked, `agent_2`: the iteration is part of its name. */
  readonly node: string;
  /** Which repetition of the row, from 0. */
  readonly repeat: number;
  /** Name of the connection; never where it leads, nor a secret. */
  readonly connection: string;
  readonly api: ModelApi;
  readonly request: ModelRequest;
  /** Whether another connection was asked before: it may have been asked the same. */
  readonly isFallback?: true;
  readonly answer: RecordedAnswer;
}

export type RecordedAnswer =
  | { readonly body: JsonValue; readonly usage?: Usage; readonly logprobs?: JsonValue }
  /** A refusal that would come again, `content_filter`. */
  | {
      readonly error: NodeError;
      /** Another connection was asked then. */
      readonly isPassedOn?: true;
    };

/** What a call is found by: who asks, and everything that is sent; in which order the keys were written plays no part. */
export function callKey({ node, repeat, api, request, connection, isFallback }: Omit<RecordedCall, 'answer'>): string {
  const who = isFallback === true ? [connection] : [];
  const text = stringifyJson(inOneOrder([node, repeat, api, request, ...who]));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** `1` and `1.0` are the same on the wire. */
function inOneOrder(value: JsonValue): JsonValue {
  if (value instanceof Float) return value.valueOf();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOneOrder);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, inOneOrder(member)]));
}
