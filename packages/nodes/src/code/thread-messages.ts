import type { NodeOutcome } from '@unroll/engine';
import type { Sighting } from '../observe/sighting.ts';
import type { CodePlace } from './code-place.ts';

/** What a thread is given when it starts. */
export interface ThreadSettings {
  /** Of the flow, absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `places` of 32-bit integers that both sides read and write at any time, also while code computes. */
  readonly shared: SharedArrayBuffer;
}

/** Places in the shared integers; calls have numbers from 1 that grow with their order. */
export const places = {
  /** The call that the thread looked at last. */
  begun: 0,
  /** The call whose function computes, 0 where none does. */
  computing: 1,
  /** Calls up to this number, where they have not begun, are none of the thread's any more. */
  takenBack: 2,
} as const;

export type ToThread =
  | { readonly kind: 'load'; readonly number: number; readonly place: CodePlace }
  | { readonly kind: 'calls'; readonly calls: readonly ThreadCall[] }
  | { readonly kind: 'abort'; readonly number: number }
  /** Answered as soon as the thread's code gives way. */
  | { readonly kind: 'ping' };

export interface ThreadCall {
  readonly number: number;
  /** Of the place of its function. */
  readonly key: string;
  readonly node: string;
  readonly line: number;
  readonly isAggregation: boolean;
  readonly inputs: Record<string, unknown>;
}

export type FromThread =
  | { readonly kind: 'loaded'; readonly number: number; readonly loaded: FunctionShape | LoadFailure }
  | { readonly kind: 'ended'; readonly number: number; readonly outcome: NodeOutcome }
  /** It was taken back before it began. */
  | { readonly kind: 'left'; readonly number: number }
  | { readonly kind: 'pong' }
  /** What code read until then; comes before the outcome that it had a part in. */
  | { readonly kind: 'seen'; readonly sightings: readonly Sighting[] };

/** What has to be known of a function where it cannot be had itself. */
export interface FunctionShape {
  readonly ok: true;
  readonly text: string;
  /** How many parameters it has before one with a default. */
  readonly length: number;
}

export interface LoadFailure {
  readonly ok: false;
  /** Why no function of the module is the node; absent where the module was not imported. */
  readonly message?: string;
  readonly cause: { readonly code: string; readonly message: string };
  readonly trace: readonly string[];
}
