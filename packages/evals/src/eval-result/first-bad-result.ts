import type { JsonValue } from '@unroll/engine';

/** Failing rows whose first wrong node is the same. */
export interface FirstBadGroup {
  readonly node: string;
  /** Name of its metric that fails, or `failed` where the node itself failed. */
  readonly kind: string;
  readonly rows: number;
  /** The first of them. */
  readonly examples: readonly FailingRow[];
}

export interface FailingRow {
  readonly line: number;
  readonly repeat: number;
  readonly expected?: JsonValue;
  readonly actual?: JsonValue;
  readonly reason?: string;
}
