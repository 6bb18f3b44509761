import type { NodeStatus } from '@unroll/engine';
import type { PartChange } from '../attribute-changes/attribution.ts';
import type { ValueChange } from '../compare-values/diff-values.ts';

/** Why a node ran for a row, or why it did not. */
export type Explanation =
  /** `beside`: how it differs from the run it is compared with, where that is another than the one it was taken from. */
  | { readonly kind: 'taken'; readonly from: string; readonly beside?: readonly Difference[] }
  | { readonly kind: 'not run'; readonly status: 'Bypassed' | 'NotRun' }
  | { readonly kind: 'ran'; readonly because: Reason };

export type Reason =
  /** There is no run to compare with. */
  | { readonly kind: 'nothing to take from' }
  /** Its definition says that it always runs. */
  | { readonly kind: 'always'; readonly part: 'cache' | 'effects' | 'unseen' }
  /** What it takes or gives cannot be kept in a record. */
  | { readonly kind: 'not kept'; readonly why: string }
  /** Its output in the earlier run is what it was given, and code changed that later in the row. */
  | { readonly kind: 'given on' }
  | { readonly kind: 'no such row' }
  | { readonly kind: 'no such node' }
  /** The earlier run holds no output of it. */
  | { readonly kind: 'did not complete'; readonly status: NodeStatus }
  /** One of the runs was recorded without fingerprints. */
  | { readonly kind: 'no fingerprint' }
  /** What its code did in the earlier run that nobody can compare: `network`; or what it read is not known. */
  | { readonly kind: 'not seen'; readonly what: readonly string[] | undefined }
  /** `program`: which Unroll made the runs, where that differs and so do the outputs. */
  | { readonly kind: 'nothing changed'; readonly program?: PartChange }
  | { readonly kind: 'changed'; readonly differences: readonly Difference[] };

/** One thing its output depends on that is not what it was; the first one is told first. */
export interface Difference {
  /** `code search.ts`, `connection`, `prompt`, `input query`. */
  readonly part: string;
  /** Places where it differs; none where only digests are known. */
  readonly changes: readonly ValueChange[];
  /** Of a prompt: the template, where that is what changed. Of an input: where it comes from, `function_1.output`. */
  readonly from?: string;
}
