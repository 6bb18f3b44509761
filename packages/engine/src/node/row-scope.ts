import type { JsonObject, JsonValue } from '../value/json.ts';
import { ScopeSlots, type SlottedScope } from './scope-slots.ts';

/** What a node handed on to those after it in its row. */
export interface Handed {
  readonly output: JsonValue;
  /** As in `NodeSuccess`. */
  readonly beside?: JsonObject;
}

/** The row a node runs for, over all attempts at it: what was recorded before the run was stopped is there like the rest. */
export interface RowScope extends SlottedScope {
  /** Undefined where the node did not complete. */
  handed(node: string): Handed | undefined;
  /**
   * Milliseconds that the row was worked on since then, without the time between two attempts.
   *
   * @param at milliseconds since the epoch
   */
  workedSince(at: number): number;
}

/** Of a call that belongs to no row: no node came before it. */
export function rowAlone(): RowScope {
  return Object.assign(new ScopeSlots(), { handed: () => undefined, workedSince: () => 0 });
}

/** A node that ended, as its record tells it. */
export interface FinishedNode extends Partial<Handed> {
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly durationMs?: number;
}
