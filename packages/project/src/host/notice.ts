import type { Diagnostic, RunDamage } from '@unroll/engine';
import type { CassetteDrift, CassetteMode } from '@unroll/nodes';

/** What an operation tells beside its result. */
export type Notice =
  /** Something is doubtful; the operation goes on. */
  | { readonly kind: 'warning'; readonly message: string }
  /** How something was understood that could be understood otherwise. */
  | { readonly kind: 'note'; readonly message: string }
  /** No inputs were given, and the sample that the flow brings stands in for them. */
  | { readonly kind: 'sample' }
  /** What is wrong with a flow that can run all the same. */
  | { readonly kind: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] }
  /** Part of a record cannot be read and is left out; `record` is its path as it can be typed. */
  | { readonly kind: 'damage'; readonly record: string; readonly damage: RunDamage }
  /** How far a run and its cassette have grown apart; told when the flow is closed. */
  | { readonly kind: 'cassette'; readonly file: string; readonly mode: CassetteMode; readonly drift: CassetteDrift };
