import type { RunInfo } from '@unroll/engine';
import type { EvalResult, MetricResult } from '@unroll/evals';
import { replayedFrom } from '../bulk/recorded-settings.ts';
import { sumOfSpent } from '../prices/spent.ts';
import { allNodes, type RowIndex } from '../row-index/row-index.ts';
import type { Fact, FailureGroup, MetricChip, RunLine, RunPage, WorkView } from '../studio-contract/contract.ts';
import { formatCount, summarizeValue } from '../words/index.ts';
import { gateInLanguage, reasonInLanguage } from '../words/score-reasons.ts';
import type { ScoredRecord } from './evaluations.ts';
import { costFigure, countFigure, durationFigure, intervalView, scoreFigure } from './figures.ts';
import { graphView } from './graph-view.ts';
import type { Language } from './lens.ts';
import { loopViews } from './loop-views.ts';
import { nodeScore } from './node-score.ts';
import { runVerdict } from './run-verdict.ts';

export interface RunSubject {
  readonly line: RunLine;
  readonly info: RunInfo;
  /** Undefined until the record was read. */
  readonly index: RowIndex | undefined;
  readonly work: WorkView | undefined;
  readonly scored: ScoredRecord | undefined;
  /** Id of the run it is compared with; one that can be opened. */
  readonly against: string | undefined;
  /** Names that may be asked for. */
  readonly evaluations: readonly string[];
  readonly evaluationProblem?: string | undefined;
  readonly pending: RunPage['pending'];
  readonly language?: Language | undefined;
}

/** Cells of a value that a node logged; most are numbers. */
const longestLogged = 60;

/** A run as a page: what came of it first, then its flow with what its rows came to. */
export async function runPage(subject: RunSubject): Promise<RunPage> {
  const { info, index, scored, work, evaluations, evaluationProblem, pending } = subject;
  const line = withIndex(subject.line, index);
  const result = scored?.result;
  const graphFacts = {
    index,
    firstBad: new Map((result?.firstBad ?? []).map(({ node, rows }) => [node, rows] as const)),
    ...(result === undefined ? {} : { scoreOf: (names: readonly string[]) => nodeScore(names, result) }),
  };
  const hasLoop = info.nodes.some(({ loop }) => loop !== undefined);
  return {
    run: line,
    verdict: runVerdict(line, index, result, subject.language),
    facts: facts(line, index, replayedFrom(info), subject.language),
    metrics: (result?.metrics ?? []).map((metric) => metricChip(metric, line.id, subject.language)),
    logged: Object.entries(index?.metrics ?? {}).map(([name, value]) => ({
      name,
      text: summarizeValue(value, longestLogged),
    })),
    evaluations,
    ...(scored === undefined ? {} : { evaluation: scored.evaluation.path }),
    evaluationProblem,
    against: subject.against,
    measures: measuresOf(index, result),
    unfolded: await graphView(info, false, graphFacts),
    ...(hasLoop ? { folded: await graphView(info, true, graphFacts) } : {}),
    loops: loopViews(info, index, result),
    failures: (index?.failures ?? []).map(failureGroup),
    ...(work === undefined ? {} : { work }),
    pending,
  };
}

/** What only the whole record tells. */
export function withIndex(line: RunLine, index: RowIndex | undefined): RunLine {
  if (index === undefined || line.status === 'Running' || line.problem !== undefined) return line;
  const { tokens, cost, isCostPartial } = sumOfSpent(allNodes(index).map(([, { spent }]) => spent));
  return {
    ...line,
    tokens: line.tokens.value === null ? countFigure(tokens, 'tokens') : line.tokens,
    cost: line.cost.value === null ? costFigure(cost, isCostPartial) : line.cost,
    duration: line.duration.value === null ? durationFigure(index.endedAt - line.startedAt) : line.duration,
  };
}

const factNotes = {
  en: {
    of: (all: string) => `of ${all}`,
    results: (all: string) => `of ${all} node results`,
    replayed: (cassette: string) => `replayed from ${cassette}`,
  },
  ja: {
    of: (all: string) => `/ ${all}`,
    results: (all: string) => `/ ノードの結果 ${all} 件`,
    replayed: (cassette: string) => `${cassette} から再生`,
  },
} as const satisfies Readonly<Record<Language, unknown>>;

function facts(
  line: RunLine,
  index: RowIndex | undefined,
  cassette: string | undefined,
  language: Language = 'en',
): readonly Fact[] {
  const notes = factNotes[language];
  const nodes = index === undefined ? [] : allNodes(index).map(([, node]) => node);
  const cached = nodes.reduce((sum, node) => sum + node.cachedCount, 0);
  const results = nodes.reduce((sum, { counts }) => sum + counts.Completed + counts.Failed + counts.Canceled, 0);
  const note =
    line.total === undefined || line.total === line.rows.value ? undefined : notes.of(formatCount(line.total));
  const all: readonly Fact[] = [
    { name: 'rows', figure: line.rows, note },
    { name: 'failed', figure: line.failed },
    { name: 'duration', figure: line.duration },
    { name: 'tokens', figure: line.tokens },
    { name: 'cost', figure: line.cost, note: cassette && notes.replayed(cassette) },
    { name: 'cached', figure: countFigure(cached), note: notes.results(formatCount(results)) },
  ];
  return all.filter(({ name, figure }) => figure.value !== 0 || !['failed', 'cached'].includes(name));
}

function metricChip(metric: MetricResult, run: string, language: Language = 'en'): MetricChip {
  const { name, evaluator, on, node, kind, better, summary, gate, comparison } = metric;
  const why = summary.unscored[0]?.reason;
  return {
    ...{ name, evaluator, on, kind, better },
    node,
    mean: scoreFigure(summary.mean, metric, why === undefined ? undefined : reasonInLanguage(why, language)),
    ...(summary.interval === undefined ? {} : { interval: intervalView(summary.interval, metric, language) }),
    ...(gate === undefined ? {} : { gate: gateInLanguage(gate, language) }),
    ...(summary.errors === 0 ? {} : { lacking: summary.errors }),
    ...(comparison === undefined ? {} : { trend: comparison.verdict }),
    ...(comparison?.flips === undefined
      ? {}
      : { flips: { fixed: comparison.flips.fixed, broken: comparison.flips.broken } }),
    to: { page: 'run', run, filters: [{ by: 'score', metric: name, is: kind === 'pass' ? 'fail' : 'none' }] },
  };
}

function measuresOf(index: RowIndex | undefined, result: EvalResult | undefined): RunPage['measures'] {
  const nodes = index === undefined ? [] : allNodes(index).map(([, node]) => node);
  return [
    ...(result?.metrics.some(({ node }) => node !== undefined) === true ? (['score'] as const) : []),
    ...(nodes.some(({ medianMs }) => medianMs !== undefined) ? (['time'] as const) : []),
    ...(nodes.some(({ spent }) => spent.tokens > 0) ? (['tokens'] as const) : []),
    ...(nodes.some(({ spent: { cost = 0 } }) => cost > 0) ? (['cost'] as const) : []),
    'status',
  ];
}

function failureGroup({ node, code, message, retryable, count, firstRow }: RowIndex['failures'][number]): FailureGroup {
  return {
    node,
    ...{ code, message, rows: count },
    retryable,
    examples: firstRow === undefined ? [] : [{ line: firstRow.line, repeat: firstRow.repeat ?? 0 }],
  };
}
