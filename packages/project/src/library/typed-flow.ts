import type { JsonObject, JsonValue, RowError } from '@unroll/engine';
import { Float } from '@unroll/engine';
import type { RowOutcome } from '../host/run-outcome.ts';
import type { Operation } from './operation.ts';
import type { RowRunEvent } from './run-operations.ts';
import type { RowRunSettings } from './settings.ts';

/** JSON as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An image as an input: a path, an address, or bytes as `{"data:image/png;base64": "…"}`. */
export type FlowImage =
  | string
  | { readonly [form: `data:image/${string}`]: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** What a flow is given and what it gives, as `flow types` writes it. */
export interface FlowShape {
  readonly inputs: object;
  readonly outputs: object;
}

/** A flow of which nothing more is known. */
export interface AnyFlow {
  readonly inputs: { readonly [name: string]: Json };
  readonly outputs: { readonly [name: string]: Json };
}

/** A flow whose inputs and outputs are known to TypeScript. */
export interface TypedFlow<Shape extends FlowShape> {
  /** One row, as `runRow` runs it. */
  run(inputs: Shape['inputs'], settings?: RowRunSettings): Operation<RowRunEvent, TypedRow<Shape['outputs']>>;
}

/** What came of a row; its outputs as the flow declares them, which nothing holds its nodes to. */
export type TypedRow<Outputs extends object> =
  | {
      readonly status: 'Completed';
      readonly outputs: Outputs;
      /** So that it can be asked for before the status is. */
      readonly error?: undefined;
      readonly outcome: RowOutcome;
    }
  | {
      readonly status: 'Failed' | 'Canceled';
      readonly outputs: Partial<Outputs>;
      readonly error: RowError | undefined;
      readonly outcome: RowOutcome;
    };

/** The same work, its row with plain outputs. */
export function typedRow<Outputs extends object>(
  row: Operation<RowRunEvent, RowOutcome>,
): Operation<RowRunEvent, TypedRow<Outputs>> {
  const result = row.result.then((outcome): TypedRow<Outputs> => {
    const { status, error } = outcome.row;
    const outputs = plainObject(outcome.row.outputs);
    // What the flow declares is taken at its word.
    if (status === 'Completed') return { status, outputs: outputs as Outputs, outcome };
    return { status, outputs: outputs as Partial<Outputs>, error, outcome };
  });
  // Told by the iterator where nobody asks for the result.
  result.catch(() => undefined);
  return { result, [Symbol.asyncIterator]: () => row[Symbol.asyncIterator]() };
}

function plainObject(value: JsonObject): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** Python's floats and long ints are numbers; what JSON has no number for is null. */
function plain(value: JsonValue): Json {
  if (value instanceof Float) return finite(value.valueOf());
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return finite(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plain);
  return typeof value === 'object' && value !== null ? plainObject(value as JsonObject) : (value as Json);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
