import type { Span } from '../source/source-file.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';

/** A node as it will run: one of the author's, or one instance of a loop's. */
export interface NodeDefinition {
  readonly name: string;
  readonly type: string;
  readonly source?: NodeSource;
  readonly connection?: string;
  readonly api?: string;
  readonly inputs: Readonly<Record<string, InputDefinition>>;
  readonly aggregation: boolean;
  /** Every other key as written (`provider`, `retry`, `index`, `top_k` …). */
  readonly settings: JsonObject;
  /** What this run asks in place of what the file of the node says, where its type takes that (`choosesModel`). */
  readonly chosen?: { readonly connection?: string; readonly model?: string };
  /** Where key or value of `path` (`['inputs', 'query']`) stands in the flow file. */
  locate(path: readonly (string | number)[], part?: 'key' | 'value'): Span | undefined;
}

export interface NodeSource {
  readonly type: 'code' | 'package' | 'package_with_prompt';
  readonly path?: string;
  readonly tool?: string;
}

/** Whether a call is given it: a literal null or "" is left out, so that the default of the code or the service applies. */
export function isGiven(input: InputDefinition | undefined): boolean {
  return input !== undefined && (input.kind !== 'literal' || (input.value !== null && input.value !== ''));
}

export type InputDefinition =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  /** Bound to an input of the flow; such values may not open a chat role. */
  | { readonly kind: 'flow-input'; readonly input: string }
  | { readonly kind: 'node-output'; readonly node: string; readonly path: string };
