import type { ReadRow, Value, Values } from '@unroll/engine';
import type { FoundTarget } from '../eval-file/resolve-target.ts';
import { type Given, type RowGiven, type Score, type Turn, turnOf, type Unscored } from '../evaluators/evaluator.ts';
import { type CompiledMetric, turnsThatRan, whyUnread } from './compile-metric.ts';
import type { FailingRow, MetricResult, ScoreSummary } from './eval-result.ts';
import { GivenRow, GivenScore, ReadTurn } from './given-score.ts';
import { judgeGate } from './judge-gate.ts';
import { ScoreColumn } from './score-column.ts';
import { summarizeScores } from './summarize-scores.ts';

/** One metric and its scores so far. */
export class MetricScoring {
  readonly compiled: CompiledMetric;
  private readonly column = new ScoreColumn();
  private readonly iterations = new Set<number>();
  private readonly failures = new Map<string, Pick<FailingRow, 'expected' | 'actual'>>();

  private durationMs = 0;

  constructor(compiled: CompiledMetric) {
    this.compiled = compiled;
  }

  /** What stood where a row got 0, and what was expected; known of the first such rows only. */
  failure(line: number, repeat: number): Pick<FailingRow, 'expected' | 'actual'> | undefined {
    return this.failures.get(`${line}/${repeat}`);
  }

  leaveOut(why: Unscored): void {
    this.column.leaveOut(why, 0);
  }

  /** @param pending gets what is still being worked out */
  score(row: ReadRow, columns: Values, pending: Promise<void>[]): void {
    this.durationMs += this.compiled.tookOf(row);
    const { found, spec, expected } = this.compiled;
    const wanted = expected?.(row, columns);
    const base = { row, given: new GivenRow(row, columns), columns, expected: wanted, pending };
    if (spec.evaluator.expected === 'needed' && wanted === undefined) this.leaveOut(noExpectation);
    else if (spec.evaluator.measures === 'cost') this.scoreCost(base);
    else if (found?.kind === 'family') this.scoreFamily(base, found);
    else if (found !== undefined) this.scoreValue(base, found);
    else if (spec.evaluator.isOfRow === true) this.scoreRow(base);
    else throw new Error(`bug: ${spec.name} measures nothing`);
  }

  result(seed: number): MetricResult {
    const { spec, found, prepared } = this.compiled;
    const isFamily = found?.kind === 'family' && spec.evaluator.measures === 'value';
    const scores = this.column.scores(isFamily);
    const isShare = prepared.kind === 'pass';
    const summary = this.totalled(summarizeScores(scores, this.column, { seed, isShare }));
    const gate = spec.gate === undefined ? undefined : judgeGate(spec.gate, summary);
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
              ...summarizeScores(scores, this.column, { seed, isShare, iteration }),
            })),
          }
        : {}),
      ...(gate === undefined ? {} : { gate }),
    };
  }

  /** Where the evaluator has a number of its own over all rows, that one. */
  private totalled(summary: ScoreSummary): ScoreSummary {
    const total = this.compiled.prepared.total?.();
    if (total === undefined) return summary;
    const { interval: _ofRows, ...rest } = summary;
    if (typeof total === 'number') return { ...rest, mean: total };
    const unscored = [{ reason: total.unscored, count: 1 }, ...rest.unscored];
    return { ...rest, mean: null, unscored, errors: rest.errors + 1 };
  }

  private scoreValue(base: ScoredRow, found: Exclude<FoundTarget, { kind: 'family' }>): void {
    const { row } = base;
    const record = found.kind === 'node' ? row.record(found.node) : undefined;
    const unread = found.kind === 'node' ? whyUnread(record) : whyNoOutputs(row, found.kind);
    if (unread !== undefined) {
      this.leaveOut(unread);
      return;
    }
    this.add(base, [turnOf(1, this.compiled.readValue(row) ?? null)], 0);
  }

  private scoreRow(base: ScoredRow): void {
    const unread = whyNoOutputs(base.row, 'outputs');
    if (unread === undefined) this.add(base, [], 0);
    else this.leaveOut(unread);
  }

  private scoreFamily(base: ScoredRow, found: Extract<FoundTarget, { kind: 'family' }>): void {
    const { ran, broken } = turnsThatRan(base.row, found.turns);
    const turns = ran.map(({ iteration, run }) => new ReadTurn(iteration, run, this.compiled.reader));
    if (broken !== undefined) this.leaveOut(broken);
    if (this.compiled.spec.evaluator.measures === 'turns') {
      if (broken === undefined) this.add(base, turns, 0);
      return;
    }
    if (broken === undefined && turns.length === 0) this.leaveOut({ unscored: 'node bypassed' });
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
    else this.leaveOut(unread);
  }

  private add(
    { row, given: whole, columns, expected, pending }: ScoredRow,
    turns: readonly Turn[],
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

  private settle(place: number, score: Score, given: Given): void {
    this.column.set(place, score);
    if (score !== 0 || this.failures.size >= mostFailures) return;
    const { row, value, expected } = given;
    const key = `${row.line}/${row.repeat}`;
    if (this.failures.has(key)) return;
    this.failures.set(key, { actual: value, ...(expected === undefined ? {} : { expected }) });
  }
}

interface ScoredRow {
  readonly row: ReadRow;
  readonly given: RowGiven;
  readonly columns: Values;
  readonly expected: Value | undefined;
  readonly pending: Promise<void>[];
}

/** Enough for the examples that are told; the values of all would not fit in memory. */
const mostFailures = 100;
const noReads = {};
const noExpectation: Unscored = { unscored: 'no expectation' };

function whyNoOutputs(row: ReadRow, kind: 'outputs' | 'inputs'): Unscored | undefined {
  if (kind === 'inputs' || row.status === 'Completed') return undefined;
  return { unscored: row.status === 'Failed' ? 'row failed' : 'row stopped', isError: true };
}
