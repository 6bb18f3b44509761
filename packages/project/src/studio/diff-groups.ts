import type { RowPairId } from '@unroll/engine';
import type { EvalResult, MetricResult } from '@unroll/evals';
import type { DiffGroup } from '../studio-contract/contract.ts';
import { diffPageWords } from './diff-page-words.ts';
import type { HeldDiff } from './held-diffs.ts';
import type { Language } from './lens.ts';

/** What an evaluation says of both runs. */
export interface ScoredSides {
  readonly left: EvalResult;
  /** Compared with the left one. */
  readonly right: EvalResult;
}

interface Group {
  readonly name: string;
  readonly metric?: string;
  readonly title: string;
  has(pair: RowPairId): boolean;
}

/** What became of pairs of rows, most worth a look first. */
export class DiffGroups {
  private readonly compared: HeldDiff;
  private readonly flips: readonly Flips[];
  private readonly all: readonly Group[];

  constructor(compared: HeldDiff, scored: ScoredSides | undefined) {
    this.compared = compared;
    this.flips = scored === undefined ? [] : flipsOf(compared, scored);
    this.all = this.groups();
  }

  /** Those that have rows, with how many. */
  counted(): readonly DiffGroup[] {
    return this.all.flatMap((group) => {
      const { name, title, metric } = group;
      const rows = this.compared.pairs.reduce((sum, pair) => sum + (group.has(pair) ? 1 : 0), 0);
      return rows === 0 ? [] : [{ name, title, rows, ...(metric === undefined ? {} : { metric }) }];
    });
  }

  /** @returns undefined where there is no such group */
  pairsOf(name: string): readonly RowPairId[] | undefined {
    const group = this.all.find((one) => one.name === name);
    const found = group === undefined ? undefined : this.compared.pairs.filter((pair) => group.has(pair));
    return name === 'worse' ? found?.toSorted((one, other) => this.brokenBy(other) - this.brokenBy(one)) : found;
  }

  /** By how many metrics: rows that broke in most of them come first. */
  private brokenBy(pair: RowPairId): number {
    return this.flips.filter(({ broken }) => broken.has(placeOf(pair))).length;
  }

  /** What became of one pair, in a few words each. */
  whatOf(pair: RowPairId, language: Language = 'en'): readonly { readonly text: string; readonly isBad: boolean }[] {
    const { failed, outputsDiffer } = this.compared;
    const words = diffPageWords[language];
    const flipped = this.flips.flatMap(({ metric, broken, fixed }) => [
      ...(broken.has(placeOf(pair)) ? [{ text: words.broken(metric), isBad: true }] : []),
      ...(fixed.has(placeOf(pair)) ? [{ text: words.fixed(metric), isBad: false }] : []),
    ]);
    return [
      ...(failed.has(pair.pattern) ? [{ text: words.failed, isBad: true }] : []),
      ...flipped,
      ...(flipped.length === 0 && outputsDiffer.has(pair.pattern) ? [{ text: words.answerChanged, isBad: false }] : []),
      ...(flipped.length === 0 && this.isInside(pair) ? [{ text: words.nodesOnly, isBad: false }] : []),
    ];
  }

  private groups(): readonly Group[] {
    const { outputsDiffer, failed, diff } = this.compared;
    const isBroken = (pair: RowPairId): boolean => this.flips.some(({ broken }) => broken.has(placeOf(pair)));
    return [
      { name: 'worse', title: 'got worse', has: isBroken },
      { name: 'changed', title: 'answer changed', has: ({ pattern }) => outputsDiffer.has(pattern) },
      { name: 'failed', title: 'failed only in B', has: ({ pattern }) => failed.has(pattern) },
      ...this.flips.flatMap(({ metric, broken, fixed }): readonly Group[] => [
        { name: `broken:${metric}`, metric, title: `${metric} broken`, has: (pair) => broken.has(placeOf(pair)) },
        { name: `fixed:${metric}`, metric, title: `${metric} fixed`, has: (pair) => fixed.has(placeOf(pair)) },
      ]),
      { name: 'inside', title: 'nodes only', has: (pair) => this.isInside(pair) },
      { name: 'same', title: 'same', has: ({ pattern }) => !diff.patterns.has(pattern) },
    ];
  }

  private isInside({ pattern }: RowPairId): boolean {
    return this.compared.diff.patterns.has(pattern) && !this.compared.outputsDiffer.has(pattern);
  }
}

/** Pairs that a pass metric judges otherwise, by the place of their right row. */
interface Flips {
  readonly metric: string;
  readonly broken: ReadonlySet<string>;
  readonly fixed: ReadonlySet<string>;
}

function flipsOf({ pairs }: HeldDiff, { left, right }: ScoredSides): readonly Flips[] {
  return right.metrics.flatMap((metric): readonly Flips[] => {
    const earlier = left.metrics.find(({ name }) => name === metric.name);
    if (metric.kind !== 'pass' || earlier?.kind !== 'pass') return [];
    const [was, is] = [scoresByPlace(earlier), scoresByPlace(metric)];
    const sign = metric.better === 'higher' ? 1 : -1;
    const turned = (direction: 1 | -1): ReadonlySet<string> => {
      const found = pairs.filter((pair) => {
        const [one, other] = [was.get(place(pair.left)), is.get(place(pair.right))];
        return one !== undefined && other !== undefined && sign * direction * (other - one) > 0;
      });
      return new Set(found.map(placeOf));
    };
    return [{ metric: metric.name, broken: turned(-1), fixed: turned(1) }];
  });
}

/** Of a family the mean of its turns. */
function scoresByPlace({ scores }: MetricResult): ReadonlyMap<string, number> {
  const sums = new Map<string, { readonly sum: number; readonly count: number }>();
  for (const [at, value] of scores.values.entries()) {
    const where = place({ line: scores.lines[at] ?? 0, repeat: scores.repeats[at] ?? 0 });
    const { sum, count } = sums.get(where) ?? { sum: 0, count: 0 };
    sums.set(where, { sum: sum + value, count: count + 1 });
  }
  return new Map([...sums].map(([where, { sum, count }]) => [where, sum / count]));
}

function placeOf({ right }: RowPairId): string {
  return place(right);
}

function place({ line, repeat }: { readonly line: number; readonly repeat: number }): string {
  return `${line}/${repeat}`;
}
