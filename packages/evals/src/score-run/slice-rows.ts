import { cutText, type JsonObject, type JsonValue, textHash, textOrJson } from '@unroll/engine';
import type { SliceSpec } from '../eval-file/eval-spec.ts';
import type { EvalResult, MetricResult, MetricScores, SlicedColumn, SliceMetric } from '../eval-result/eval-result.ts';
import type { ValueRange } from '../statistics/mean-interval.ts';
import { readSteps } from '../targets/target.ts';
import { summarizeScores } from './summarize-scores.ts';

/** Values of one column that are told. */
const mostSlices = 20;

/** Characters of a value that are kept: whole texts of all rows would not fit in memory. */
const longestValue = 100;

/** Ranges of the scores by metric; of a metric that is not here the rows do not make up the figure. */
export type ScoreRanges = ReadonlyMap<string, ValueRange | undefined>;

/** Gathers which rows have which value of the columns by which scores are told apart. */
export class SliceRows {
  private readonly lines: number[] = [];
  private readonly columns: readonly GatheredColumn[];

  constructor(slices: readonly SliceSpec[]) {
    this.columns = slices.map((spec) => new GatheredColumn(spec));
  }

  /** Rows come in order; repetitions of one are one. */
  take(line: number, columns: JsonObject = {}): void {
    if (this.columns.length === 0 || line === this.lines.at(-1)) return;
    this.lines.push(line);
    for (const column of this.columns) column.take(columns);
  }

  result(metrics: readonly MetricResult[], ranges: ScoreRanges): Pick<EvalResult, 'slices'> {
    if (this.columns.length === 0) return {};
    const sliced = metrics.filter(({ name }) => ranges.has(name));
    return { slices: this.columns.map((column) => column.result(this.lines, sliced, ranges)) };
  }
}

/** Between words; in a text without any, an address or a key of some table, after so many characters that it is known again. */
function shortValue(value: string): string {
  const short = cutText(value, longestValue);
  return short.startsWith('…') ? `${value.slice(0, longestWord)}${short}` : short;
}

const longestWord = 40;

class GatheredColumn {
  private readonly spec: SliceSpec;
  private readonly values: (string | null)[] = [];
  private readonly places = new Map<string | null, number>();
  /** By row, the place of its value. */
  private readonly ofRows: number[] = [];
  private readonly counts: number[] = [];

  constructor(spec: SliceSpec) {
    this.spec = spec;
  }

  take(columns: JsonObject): void {
    const value = sliceValue(readSteps(columns, this.spec.steps));
    const key = value !== null && value.length > longestValue ? textHash(value) : value;
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.values.push(value === null ? null : shortValue(value)) - 1;
      this.places.set(key, place);
      this.counts.push(0);
    }
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    this.ofRows.push(place);
  }

  result(lines: readonly number[], metrics: readonly MetricResult[], ranges: ScoreRanges): SlicedColumn {
    const { shown, left } = this.ranked();
    const slotOf = new Map(shown.map((place, slot) => [place, slot] as const));
    const slots = this.ofRows.map((place) => slotOf.get(place) ?? -1);
    const parts = metrics.map(({ scores }) => splitScores(scores, { lines, slots, count: shown.length }));
    const leftRows = left.reduce((sum, place) => sum + (this.counts[place] ?? 0), 0);
    return {
      column: this.spec.column,
      slices: shown.map((place, slot) => ({
        value: this.values[place] ?? null,
        lines: lines.filter((_, at) => slots[at] === slot),
        metrics: metrics.map(({ name }, at) => sliceMetric(name, parts[at]?.[slot] ?? noScores, ranges.get(name))),
      })),
      ...(left.length === 0 ? {} : { leftOut: { values: left.length, rows: leftRows } }),
    };
  }

  /** Places of values, those of most rows first; rows without one are told at the end, however many there are. */
  private ranked(): { readonly shown: readonly number[]; readonly left: readonly number[] } {
    const places = [...this.values.keys()].filter((place) => this.values[place] !== null);
    const ranked = places.sort((one, other) => (this.counts[other] ?? 0) - (this.counts[one] ?? 0) || one - other);
    const none = this.places.get(null);
    const shown = [...ranked.slice(0, mostSlices), ...(none === undefined ? [] : [none])];
    return { shown, left: ranked.slice(mostSlices) };
  }
}

/** A text as it is, any other value as JSON; null, and the empty text of a cell without anything in it, are none. */
function sliceValue(value: JsonValue | undefined): string | null {
  return value === undefined || value === null || value === '' ? null : textOrJson(value);
}

function sliceMetric(name: string, scores: MetricScores, range: ValueRange | undefined): SliceMetric {
  const { mean, interval, scored } = summarizeScores(scores, { unscored: () => noReasons }, { range });
  return { name, mean, ...(interval === undefined ? {} : { interval }), scored };
}

const noReasons = { unscored: [], errors: 0 };
const noScores: MetricScores = { lines: [], repeats: [], values: [] };

interface SlotsOfRows {
  readonly lines: readonly number[];
  /** As `lines`; -1 for a row that is in none. */
  readonly slots: readonly number[];
  readonly count: number;
}

interface Part {
  readonly lines: number[];
  readonly repeats: number[];
  readonly values: number[];
}

/** Scores and rows both stand in the order of lines. */
function splitScores(scores: MetricScores, { lines, slots, count }: SlotsOfRows): readonly MetricScores[] {
  const parts = Array.from({ length: count }, (): Part => ({ lines: [], repeats: [], values: [] }));
  let row = 0;
  for (const [at, line] of scores.lines.entries()) {
    while (row < lines.length && (lines[row] ?? 0) < line) row += 1;
    const part = parts[slots[row] ?? -1];
    if (part === undefined) continue;
    part.lines.push(line);
    part.repeats.push(scores.repeats[at] ?? 0);
    part.values.push(scores.values[at] ?? 0);
  }
  return parts;
}
