/**
 * Why a node gave something else.
 *
 * - `cause`: its own definition changed, what went in did not; or nothing but the Unroll that made the runs changed
 * - `effect`: only what went in changed
 * - `both`: definition and inputs changed
 * - `input`: what went in changed because the row's own inputs differ
 * - `noise`: definition, inputs and the Unroll that made the runs are the same, what came out is not: sampling, time, the world
 * - `unknown`: a run does not tell its definitions, or holds no record of the node
 */
export type ChangeKind = 'cause' | 'both' | 'effect' | 'input' | 'noise' | 'unknown';

export const changeKinds: readonly ChangeKind[] = ['cause', 'both', 'effect', 'input', 'noise', 'unknown'];

/** One part of a node's definition that differs. Its values are told where they are short and no digests. */
export interface PartChange {
  /** `template ask.jinja2`, `code search.py`, `input temperature` … */
  readonly part: string;
  readonly left?: string;
  readonly right?: string;
}

export interface Attribution {
  readonly kind: ChangeKind;
  /**
   * Parts of its definition that differ, for `cause` and `both`. Beside those recorded: `added`, `removed` (the node),
   * `inputs` (it is bound otherwise), `answering` (another connection answered),
   * `environment` (what only its fingerprint knows), `Unroll` (another version or build).
   */
  readonly parts: readonly PartChange[];
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
