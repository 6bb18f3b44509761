import type { MessagePort } from 'node:worker_threads';
import type { NodeOutcome } from '@unroll/engine';
import type { Sighting } from '../observe/sighting.ts';
import type { CodePlace } from './code-place.ts';

/** What a thread is given when it starts. */
export interface ThreadSettings {
  /** Of the flow, absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What only the thread itself sees of what it is given: code that runs in it has no way to the engine. */
export interface ThreadData extends ThreadSettings {
  readonly port: MessagePort;
}

export type ToThread =
  | { readonly kind: 'load'; readonly number: number; readonly place: CodePlace }
  /** Only once the call before has ended. */
  | { readonly kind: 'call'; readonly call: ThreadCall }
  /** Tells the call under way to stop. */
  | { readonly kind: 'abort' }
  /** Nothing more comes: it ends as a program does, with its exit listeners. */
  | { readonly kind: 'leave' };

export interface ThreadCall {
  /** Of the place of its function. */
  readonly key: string;
  readonly node: string;
  readonly line: number;
  readonly isAggregation: boolean;
  readonly inputs: Record<string, unknown>;
}

export type FromThread =
  | { readonly kind: 'loaded'; readonly number: number; readonly loaded: FunctionShape | LoadFailure }
  | { readonly kind: 'ended'; readonly outcome: NodeOutcome }
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
