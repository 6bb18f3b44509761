/**
 * Why a node gave something else.
 *
 * - `cause`: its own definition changed, what went in did not
 * - `effect`: only what went in changed
 * - `both`: definition and inputs changed
 * - `input`: what went in changed because the row's own inputs differ
 * - `noise`: definition and inputs are the same, what came out is not: sampling, time, the world
 * - `unknown`: a run does not tell its definitions, or holds no record of the node
 */
export type ChangeKind = 'cause' | 'both' | 'effect' | 'input' | 'noise' | 'unknown';

export const changeKinds: readonly ChangeKind[] = ['cause', 'both', 'effect', 'input', 'noise', 'unknown'];

export interface Attribution {
  readonly kind: ChangeKind;
  /** Parts of its definition that differ (`template`, `code` …), for `cause` and `both`. */
  readonly parts: readonly string[];
  /** One way from each origin of what went in. */
  readonly paths: readonly ChangePath[];
}

/** The way a difference took. */
export interface ChangePath {
  /** What became of its origin. */
  readonly from: 'cause' | 'noise' | 'input' | 'unknown';
  /** From the origin to the node itself: `[agent_1, function_1, agent_2]`, `[inputs.query, agent_1]`. */
  readonly steps: readonly string[];
}
