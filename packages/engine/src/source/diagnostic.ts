import type { DiagnosticDetails } from './diagnostic-details.ts';
import type { Span } from './source-file.ts';

/** A mistake of the author, with its place. Collected, never thrown. `code` is listed in docs/diagnostics.md. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Upper snake case, for instance `FLOW_UNKNOWN_KEY`. */
  readonly code: string;
  /** One sentence without a full stop: what is wrong. */
  readonly message: string;
  readonly span?: Span | undefined;
  /** What was expected or how to fix it, for instance `did you mean "prompt"?`. */
  readonly help?: string | undefined;
  /** Further places, for instance each arrow of a cycle. */
  readonly notes?: readonly Note[];
  /** An error that keeps no flow from running: at most the node that has the mistake fails, when it is reached. */
  readonly allowsRun?: boolean;
  /** The node that cannot be made ready because of it: who runs without this node never meets the mistake. */
  readonly unreadyNode?: string;
  readonly details?: DiagnosticDetails;
}

export interface Note {
  readonly message: string;
  readonly span?: Span | undefined;
}

/** Whether a flow with this diagnostic cannot run at all. */
export function preventsRun(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error' && diagnostic.allowsRun !== true;
}
