import type { JsonObject, JsonValue, RowView } from '@unroll/engine';
import { type LostStep, lostStep } from '../eval-file/lost-step.ts';
import type { FoundTarget } from '../eval-file/resolve-target.ts';
import type { GateResult, MetricResult, RowPlace, ScoreSummary } from '../eval-result/eval-result.ts';
import type { FailingRow } from '../eval-result/first-bad-result.ts';
import {
  type AgentTurn,
  type EvaluatorInput,
  type RowGiven,
  type Score,
  turnOf,
  type Unscored,
} from '../evaluators/evaluator.ts';
import { exampleValue } from '../first-bad/example-value.ts';
import type { ValueRange } from '../statistics/mean-interval.ts';
import type { Step } from '../targets/target.ts';
import { type CompiledMetric, turnsThatRan, whyUnread } from './compile-metric.ts';
import { GivenRow, GivenScore, ReadTurn } from './given-score.ts';
import { judgeGate } from './judge-gate.ts';
import { ScoreColumn } from './score-column.ts';
import { scoreRange } from './score-range.ts';
import { summarizeScores } from './summarize-scores.ts';

/** One metric and its scores so far. */
export class MetricScoring {
  readonly compiled: CompiledMetric;
  private readonly column = new ScoreColumn();
  private readonly iterations = new Set<number>();
  private readonly failures = new Map<string, Pick<FailingRow, 'expected' | 'actual'>>();

  private durationMs = 0;
  /** As long as no row had anything where it looks. */
  private lost: LostStep | undefined;
  private hasReached = false;
  private looks = 0;
  /** A row expects that nothing is there. */
  private hasExpectedNull = false;

  constructor(compiled: CompiledMetric) {
    this.compiled = compiled;
  }

  /** What stood where a row got 0, and what was expected; known of the first such rows only. */
  failure(line: number, repeat: number): Pick<FailingRow, 'expected' | 'actual'> | undefined {
    return this.failures.get(`${line}/${repeat}`);
  }

  leaveOut(why: Unscored, { line, repeat }: RowPlace): void {
    this.column.leaveOut(why, 0, { line, repeat });
  }

  /** Rows that the run was to have and has not. */
  leaveOutNotRun(rows: number): void {
    if (rows > 0) this.column.leaveOut(notRun, 0, undefined, rows);
  }

  /** @param pending gets what is still being worked out */
  score(row: RowView, columns: JsonObject, pending: Promise<void>[]): void {
    this.durationMs += this.compiled.tookOf(row);
    const { found, spec, expected } = this.compiled;
    const wanted = expected?.(row, columns);
    const base = { row, given: new GivenRow(row, columns), columns, expected: wanted, pending };
    if (spec.evaluator.expected === 'needed' && wanted === undefined) this.leaveOut(whyNotExpected(spec, row), row);
    else if (spec.evaluator.measures === 'cost') this.scoreCost(base);
    else if (found?.kind === 'family') this.scoreFamily(base, found);
    else if (found !== undefined) this.scoreValue(base, found);
    else if (spec.evaluator.isOfRow === true) this.scoreRow(base);
    else throw new Error(`bug: ${spec.name} measures nothing`);
  }

  /** Of the scores of rows; undefined where the evaluator has a number of its own over all rows. */
  rowRange(): { readonly range: ValueRange | undefined } | undefined {
    const { prepared } = this.compiled;
    return prepared.total === undefined ? { range: scoreRange(prepared) } : undefined;
  }

  result(): MetricResult {
    const { spec, found, prepared } = this.compiled;
    const isFamily = found?.kind === 'family' && spec.evaluator.measures === 'value';
    const scores = this.column.scores(isFamily);
    const range = scoreRange(prepared);
    const summary = this.totalled(summarizeScores(scores, this.column, { range }));
    const nothingAt = this.nothingAt();
    const gate = this.judged(summary, nothingAt !== undefined);
    const node = found?.kind === 'node' ? found.node : found?.kind === 'family' ? found.family : undefined;
    const judgedBy = prepared.judgedBy?.();
    const turns = [...this.iterations].sort((one, other) => one - other);
    return {
      name: spec.name,
      on: spec.on?.text ?? 'row',
      ...(node === undefined ? {} : { node }),
      evaluator: spec.evaluatorName,
      kind: prepared.kind,
      better: prepared.better,
      ...(prepared.unit === undefined ? {} : { unit: prepared.unit }),
      ...(judgedBy === undefined ? {} : { judgedBy }),
      ...(this.durationMs === 0 ? {} : { durationMs: Math.round(this.durationMs) }),
      summary,
      scores,
      ...(isFamily
        ? {
            iterations: turns.map((iteration) => ({
              iteration,
              ...summarizeScores(scores, this.column, { range, iteration }),
            })),
          }
        : {}),
      ...(nothingAt === undefined ? {} : { nothingAt }),
      ...(gate === undefined ? {} : { gate }),
    };
  }

  private judged(summary: ScoreSummary, isAtNothing: boolean): GateResult | undefined {
    const { gate, evaluator } = this.compiled.spec;
    const { unit } = this.compiled.prepared;
    const isUnread = isAtNothing && evaluator.expected === 'needed' && !this.hasExpectedNull;
    return gate === undefined ? undefined : judgeGate(gate, summary, { unit, isUnread });
  }

  /** Where it looks, if in no row anything stood there. */
  private nothingAt(): MetricResult['nothingAt'] {
    const { lost, hasReached, compiled } = this;
    if (hasReached || lost === undefined || compiled.spec.on === undefined) return undefined;
    const { missing, known } = lost;
    return { path: compiled.spec.on.text, known, ...(missing === undefined ? {} : { missing }) };
  }

  /** Where the evaluator has a number of its own over all rows, that one. */
  private totalled(summary: ScoreSummary): ScoreSummary {
    const total = this.compiled.prepared.total?.();
    if (total === undefined) return summary;
    const { interval: _ofRows, ...rest } = summary;
    if (typeof total === 'number') return { ...rest, mean: total };
    const { unscored: reason, said } = total;
    const unscored = [{ reason, count: 1, ...(said === undefined ? {} : { said }) }, ...rest.unscored];
    return { ...rest, mean: null, unscored, errors: rest.errors + 1 };
  }

  private scoreValue(base: ScoredRow, found: Exclude<FoundTarget, { kind: 'family' }>): void {
    const { row } = base;
    const record = found.kind === 'node' ? row.records.get(found.node) : undefined;
    const unread = found.kind === 'node' ? whyUnread(record) : whyNoOutputs(row, found.kind);
    if (unread !== undefined) {
      this.leaveOut(unread, row);
      return;
    }
    const value = this.compiled.readValue(row);
    // Outputs that nobody declared may be named and not be there.
    if (found.kind === 'node') this.look(base, value, () => record?.output, found.steps);
    else this.look(base, value, () => row[found.kind], [{ kind: 'key', name: found.name }, ...found.steps]);
    this.add(base, [turnOf(1, value ?? null)], 0);
  }

  /** @param whole read only while nothing was found, and of the first such rows */
  private look(
    { expected }: ScoredRow,
    value: JsonValue | undefined,
    whole: () => JsonValue | undefined,
    steps: readonly Step[],
  ): void {
    this.hasExpectedNull ||= expected === null;
    if (this.hasReached) return;
    if (steps.length === 0 || isSomething(value)) this.hasReached = true;
    else if (this.looks < maxLooks) {
      this.looks += 1;
      const lost = lostStep(whole(), steps);
      this.hasReached = lost === undefined;
      if (lost !== undefined && (this.lost === undefined || this.lost.known.length === 0)) this.lost = lost;
    }
  }

  private scoreRow(base: ScoredRow): void {
    const unread = whyNoOutputs(base.row, 'outputs');
    if (unread === undefined) this.add(base, [], 0);
    else this.leaveOut(unread, base.row);
  }

  private scoreFamily(base: ScoredRow, found: Extract<FoundTarget, { kind: 'family' }>): void {
    const { ran, broken } = turnsThatRan(base.row, found.turns);
    const turns = ran.map(({ iteration, run }) => new ReadTurn(iteration, run.output ?? null, this.compiled.reader));
    if (!this.hasReached) for (const { run } of ran) this.look(base, undefined, () => run.output, found.steps);
    if (broken !== undefined) this.leaveOut(broken, base.row);
    if (this.compiled.spec.evaluator.measures === 'turns') {
      if (broken === undefined) this.add(base, turns, 0);
      return;
    }
    if (broken === undefined && turns.length === 0) this.leaveOut({ unscored: 'node bypassed' }, base.row);
    for (const turn of turns) {
      this.iterations.add(turn.iteration);
      this.add(base, [turn], turn.iteration);
    }
  }

  private scoreCost(base: ScoredRow): void {
    const { found } = this.compiled;
    const end = found?.kind === 'node' ? base.row.nodes.find(({ node }) => node === found.node) : undefined;
    const unread = found?.kind === 'node' ? whyUnread(end) : undefined;
    if (unread === undefined) this.add(base, [], 0);
    else this.leaveOut(unread, base.row);
  }

  private add(
    { row, given: whole, columns, expected, pending }: ScoredRow,
    turns: readonly AgentTurn[],
    iteration: number,
  ): void {
    const { prepared, reads, costOf } = this.compiled;
    const place = this.column.take(row.line, row.repeat, iteration);
    const read =
      reads.length === 0 ? noReads : Object.fromEntries(reads.map(([name, one]) => [name, one(row, columns)]));
    const given = new GivenScore(turns, expected, { reads: read, cost: costOf(row), row: whole });
    const score = prepared.score(given);
    if (score instanceof Promise) pending.push(score.then((settled) => this.settle(place, settled, given)));
    else this.settle(place, score, given);
  }

  private settle(place: number, score: Score, given: EvaluatorInput): void {
    this.column.set(place, score);
    if (score !== 0 || this.failures.size >= maxFailures) return;
    const { row, value, expected } = given;
    const key = `${row.line}/${row.repeat}`;
    if (this.failures.has(key)) return;
    const wanted = expected === undefined ? {} : { expected: exampleValue(expected) };
    this.failures.set(key, { actual: exampleValue(value), ...wanted });
  }
}

interface ScoredRow {
  readonly row: RowView;
  readonly given: RowGiven;
  readonly columns: JsonObject;
  readonly expected: JsonValue | undefined;
  readonly pending: Promise<void>[];
}

/** Enough for the examples that are told; the values of all would not fit in memory. */
const maxFailures = 100;
const noReads = {};
/** A list of nulls may come of members that have no such key. */
function isSomething(value: JsonValue | undefined): boolean {
  return value !== undefined && !(Array.isArray(value) && value.every((member) => member === null));
}

const maxLooks = 100;
const notRun: Unscored = { unscored: 'row not run', isError: true };
const noExpectation: Unscored = { unscored: 'no expectation' };

/** Where another output of the row is what is expected, a row that failed before it is no row of which nothing is expected. */
function whyNotExpected({ expected }: CompiledMetric['spec'], row: RowView): Unscored {
  return (expected?.from === 'target' ? whyNoOutputs(row, 'outputs') : undefined) ?? noExpectation;
}

function whyNoOutputs(row: RowView, kind: 'outputs' | 'inputs'): Unscored | undefined {
  if (kind === 'inputs' || row.status === 'Completed') return undefined;
  return { unscored: row.status === 'Failed' ? 'row failed' : 'row stopped', isError: true };
}
