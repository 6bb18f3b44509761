import type { JsonValue, RunNode } from '@unroll/engine';
import type { MetricResult } from '../eval-result/eval-result.ts';
import type { FailingRow, FirstBadGroup } from '../eval-result/first-bad-result.ts';

/** What of a scored run tells where its rows went wrong. */
export interface FailureOriginInput {
  /** In the order of the flow: what comes first is blamed first. */
  readonly nodes: readonly RunNode[];
  readonly metrics: readonly Pick<
    MetricResult,
    'name' | 'on' | 'node' | 'kind' | 'better' | 'unit' | 'scores' | 'gate'
  >[];
  /** Rows that failed, with the node that did. */
  readonly failed: Iterable<FailedRow>;
  /** What stood there and what was expected, for the rows that are told. */
  readonly detail?: (found: Blame) => Pick<FailingRow, 'expected' | 'actual' | 'reason'>;
}

export interface FailedRow {
  readonly line: number;
  readonly repeat: number;
  /** Absent where no node is to blame: an input of the flow, or one of its outputs. */
  readonly node?: string;
  readonly reason: string;
}

/** A row and what is wrong with it first. */
export interface Blame {
  readonly line: number;
  readonly repeat: number;
  /** Node, instance of a loop's node (`function_2`), or what the metric is on where it measures no node. */
  readonly node: string;
  /** Name of the metric, or `failed`. */
  readonly kind: string;
}

const maxExamples = 5;

/**
 * The failing rows, each under the first node in the order of the flow whose own metric fails there (of a family, its first
 * failing instance) or which failed itself. A row fails where a metric of the kind `pass` gives 0 or where it did not
 * complete, or where a number of which more is better, whose gate is not met, is 0 (a recall of nothing); in such a row
 * a node is bad too where any such number is 0.
 * A row in which only outputs of the flow are wrong stands under that output, last. The largest group comes
 * first; groups as large stay in the order of the flow.
 */
export function failureOrigins(given: FailureOriginInput): readonly FirstBadGroup[] {
  const blamed = [...firstBlames(given).values()].sort((one, other) => rank(one, other));
  const groups = new Map<string, { readonly place: number; readonly blames: PlacedBlame[] }>();
  for (const found of blamed) {
    const key = JSON.stringify([found.node, found.kind]);
    const group = groups.get(key) ?? { place: found.place, blames: [] };
    group.blames.push(found);
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((one, other) => other.blames.length - one.blames.length || one.place - other.place)
    .map(({ blames }) => groupOf(blames, given));
}

/** Every failing row with what is wrong with it first, in the order of rows. */
export function blamedRows(given: FailureOriginInput): readonly Blame[] {
  return [...firstBlames(given).values()].sort(rank);
}

interface PlacedBlame extends Blame {
  /** Rank in the order of the flow. */
  readonly place: number;
  readonly reason?: string;
}

function rank(one: PlacedBlame, other: PlacedBlame): number {
  return one.line - other.line || one.repeat - other.repeat;
}

function firstBlames({ nodes, metrics, failed }: FailureOriginInput): ReadonlyMap<string, PlacedBlame> {
  const first = new Map<string, PlacedBlame>();
  const blame = (found: PlacedBlame): void => {
    const before = first.get(rowKey(found));
    if (before === undefined || found.place < before.place) first.set(rowKey(found), found);
  };
  const blamesOfAll = (kept: (metric: Measured) => boolean): readonly PlacedBlame[] =>
    metrics.filter(kept).flatMap((metric) => blamesOf(metric, nodes));
  for (const row of failed) blame(blameOfFailed(row, nodes));
  for (const found of blamesOfAll(isFailing)) blame(found);
  for (const found of blamesOfAll(isShare)) if (first.has(rowKey(found))) blame(found);
  return first;
}

/** A share whose gate is not met fails a row by itself where it is 0. */
function isFailing(metric: Measured): boolean {
  return metric.kind === 'pass' || (isShare(metric) && metric.gate?.passed === false);
}

type Measured = FailureOriginInput['metrics'][number];

function rowKey({ line, repeat }: Pick<Blame, 'line' | 'repeat'>): string {
  return `${line}/${repeat}`;
}

function blameOfFailed({ line, repeat, node, reason }: FailedRow, nodes: readonly RunNode[]): PlacedBlame {
  const place = nodes.findIndex(({ name }) => name === node);
  return { line, repeat, node: node ?? 'the flow', kind: 'failed', place: place < 0 ? nodes.length : place, reason };
}

/** A number without a unit, of which more is better: 0 is nothing of it. */
function isShare({ kind, better, unit }: Measured): boolean {
  return kind === 'number' && better === 'higher' && unit === undefined;
}

function blamesOf({ name, on, node, scores }: Measured, nodes: readonly RunNode[]): readonly PlacedBlame[] {
  return wrongToTheEnd(scores).map((at) => {
    const place = node === undefined ? undefined : placeOf(node, scores.iterations?.[at], nodes);
    const found = place ?? { node: on, place: nodes.length };
    return { line: scores.lines[at] ?? 0, repeat: scores.repeats[at] ?? 0, kind: name, ...found };
  });
}

/**
 * Where the scores of each row become 0 and stay so: of a family that is measured turn by turn, a turn that is made good
 * later is no mistake.
 */
function wrongToTheEnd({ lines, repeats, iterations, values }: MetricResult['scores']): readonly number[] {
  const found: number[] = [];
  let wrongFrom: number | undefined;
  for (const [at, value] of values.entries()) {
    const isSameRow = iterations !== undefined && lines[at] === lines[at - 1] && repeats[at] === repeats[at - 1];
    if (!isSameRow && wrongFrom !== undefined) {
      found.push(wrongFrom);
      wrongFrom = undefined;
    }
    if (value !== 0) wrongFrom = undefined;
    else wrongFrom ??= at;
  }
  return wrongFrom === undefined ? found : [...found, wrongFrom];
}

/** A family measured as a whole stands where its last instance does: before that nobody can tell. */
function placeOf(
  name: string,
  iteration: number | undefined,
  nodes: readonly RunNode[],
): Pick<PlacedBlame, 'node' | 'place'> | undefined {
  const single = nodes.findIndex((node) => node.name === name);
  if (single >= 0) return { node: name, place: single };
  if (iteration === undefined) {
    const last = nodes.findLastIndex(({ family }) => family === name);
    return last < 0 ? undefined : { node: `${name}[*]`, place: last };
  }
  const place = nodes.findIndex((node) => node.family === name && node.iteration === iteration);
  return place < 0 ? undefined : { node: nodes[place]?.name ?? name, place };
}

function groupOf(blames: readonly PlacedBlame[], { detail }: FailureOriginInput): FirstBadGroup {
  const [{ node, kind } = { node: '', kind: '' }] = blames;
  const examples = blames.slice(0, maxExamples).map(({ line, repeat, reason, place: _, ...found }): FailingRow => {
    const values: { expected?: JsonValue; actual?: JsonValue; reason?: string } =
      detail?.({ line, repeat, node: found.node, kind: found.kind }) ?? {};
    return { line, repeat, ...(reason === undefined ? {} : { reason }), ...values };
  });
  return { node, kind, rows: blames.length, examples };
}
