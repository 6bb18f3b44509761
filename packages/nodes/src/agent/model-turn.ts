import type { JsonObject, JsonValue } from '@unroll/engine';

/** A call as the model asked for it. */
export interface AskedCall {
  readonly id?: string;
  readonly name: string;
  /** The parsed object; the text as written where it is none. */
  readonly arguments: JsonValue;
  /** Why the arguments cannot be read. */
  readonly problem?: string;
}

/** What the model wants in one turn. */
export type ModelTurn =
  | { readonly kind: 'answer'; readonly status: 'answered' | 'refused'; readonly content: JsonValue }
  | { readonly kind: 'calls'; readonly calls: readonly AskedCall[]; readonly said: JsonObject }
  /** A text of no known form; `log` is what the model is shown of it. */
  | { readonly kind: 'unreadable'; readonly log: string };
