export { attributeRow, differs } from './attribute-changes/attribute-row.ts';
export type { Attribution, ChangeKind, ChangePath, PartChange } from './attribute-changes/attribution.ts';
export { changeKinds } from './attribute-changes/attribution.ts';
export { programChange } from './attribute-changes/program-change.ts';
export type { GraphNode, RunGraph } from './attribute-changes/run-graph.ts';
export type { Baseline, BaselineMetric } from './baseline/baseline.ts';
export { baselineOf } from './baseline/baseline-of.ts';
export { type ReadBaseline, readBaseline } from './baseline/read-baseline.ts';
export { stringifyBaseline } from './baseline/stringify-baseline.ts';
export { compareResults } from './compare-scores/compare-results.ts';
export { type PairedRows, pairRows } from './compare-scores/pair-rows.ts';
export { diffLines, type LinePart } from './compare-values/diff-lines.ts';
export type { ValueChange } from './compare-values/diff-values.ts';
export { diffValues } from './compare-values/diff-values.ts';
export type { TextPart } from './compare-values/diff-words.ts';
export { diffShownWords, lookAlike } from './compare-values/look-alike.ts';
export { alignNodes, renamableNames } from './diff-runs/align-nodes.ts';
export type { PairClass, RecordPair } from './diff-runs/compare-records.ts';
export { classOf, compareRecords } from './diff-runs/compare-records.ts';
export type { ComparedRows } from './diff-runs/diff-runs.ts';
export { diffRuns } from './diff-runs/diff-runs.ts';
export { kindCounts, reasonText } from './diff-runs/kind-text.ts';
export { mergeRuns } from './diff-runs/merge-runs.ts';
export { japaneseParts, partNames, partsText } from './diff-runs/parts-text.ts';
export type { NodeDiff, Origin, RowChange, RowCounts, RunDiff } from './diff-runs/run-diff.ts';
export type { VerdictOptions, VerdictSentence } from './diff-runs/verdict.ts';
export { causeText, diffSentences, isCause, isSame, verdict } from './diff-runs/verdict.ts';
export { checkColumns } from './eval-file/check-columns.ts';
export { checkEval } from './eval-file/check-eval.ts';
export { evalJsonSchema } from './eval-file/eval-schema.ts';
export type { EvalSpec, GateSpec, MetricSpec, PartialEval, PartialMetric, Source } from './eval-file/eval-spec.ts';
export { columnsRead, findMissingColumns, type MissingColumn } from './eval-file/find-columns.ts';
export { type ParsedEval, type ParseEvalOptions, parseEval } from './eval-file/parse-eval.ts';
export type { FindEvaluator } from './eval-file/read-metric.ts';
export { type FoundTarget, type Measurable, measurableIn, resolveTarget } from './eval-file/resolve-target.ts';
export type * from './eval-result/eval-result.ts';
export type * from './eval-result/family-result.ts';
export type * from './eval-result/first-bad-result.ts';
export type {
  AgentTurn,
  Cost,
  Evaluator,
  EvaluatorInput,
  EvaluatorServices,
  PreparedEvaluator,
  Score,
  Unscored,
} from './evaluators/evaluator.ts';
export { defineEvaluator } from './evaluators/evaluator.ts';
export { evaluators } from './evaluators/evaluators.ts';
export { readOutputName } from './evaluators/flow-judge.ts';
export type { ChosenJudge, Judge, Judged, JudgedPlace, JudgeService, NodeConnections } from './evaluators/judge.ts';
export { saidText } from './evaluators/said-text.ts';
export { ScoreKinds } from './evaluators/score-kinds.ts';
export { explainRun, type NodeSide } from './explain-run/explain-run.ts';
export type { Difference, Explanation, Reason } from './explain-run/explanation.ts';
export {
  type Blame,
  blamedRows,
  type FailedRow,
  type FailureOriginInput,
  failureOrigins,
} from './first-bad/failure-origin.ts';
export { asksBaseline, type BaselineGate, comparisonText, judgeBaseline } from './judge-gates/judge-baseline.ts';
export { type JudgementOf, judgeLabels } from './judge-gates/judge-labels.ts';
export { judgeSlices } from './judge-gates/judge-slices.ts';
export { bestFirst, type OracleGain, oracleGain } from './oracle-gain/oracle-gain.ts';
export { type NodeTone, type Tone, toneOfNode } from './report/node-tones.ts';
export { nothingAtText } from './report/nothing-at-text.ts';
export { roundRange, type ScoreBin, scoreBins } from './report/score-bins.ts';
export { pValueText, scoreText, signedText } from './report/score-text.ts';
export { sliceNotes, sliceText, sliceVerdictText, worseSlicesText } from './report/slice-text.ts';
export { stringifyJunit } from './report/stringify-junit.ts';
export { stringifyMarkdown } from './report/stringify-markdown.ts';
export { unscoredText } from './report/unscored-text.ts';
export {
  causeSentence,
  changeText,
  comparisonSentences,
  gateSentence,
  isPassed,
  measureSentences,
  metricsWithoutScores,
  programText,
  verdictSentences,
  worseText,
} from './report/verdict-text.ts';
export { NotInRun } from './score-run/compile-metric.ts';
export { checkDerived } from './score-run/derived-metric.ts';
export { type DataJoin, joinData } from './score-run/join-data.ts';
export { type ScoreRunOptions, scoreRun } from './score-run/score-run.ts';
export type { NodePrices, ScoreServices } from './score-run/score-services.ts';
export { macroAverage, microAverage } from './scorers/averages.ts';
export { type HallucinationRate, hallucinationRate } from './scorers/hallucination-rate.ts';
export {
  averagePrecision,
  ndcgAt,
  ndcgOfScores,
  ndcgReturnedOnlyAt,
  precisionAt,
  recallAt,
  reciprocalRank,
} from './scorers/rank-metrics.ts';
export { type SolvedLabel, type SolveRate, solvedStatus, solveRate } from './scorers/solve-rate.ts';
export { bleu, chrf, rougeL, wordF1 } from './scorers/text-metrics.ts';
export { wordsOf } from './scorers/text-tokens.ts';
export {
  judgeBothOrders,
  type PairOutcome,
  pairOutcome,
  type RoundWinner,
  type WinRate,
  winnerByLabel,
  winRate,
} from './scorers/win-rate.ts';
export { agreementOf } from './statistics/agreement.ts';
export type { Interval } from './statistics/interval.ts';
export { type Flips, mcnemarExact } from './statistics/mcnemar-test.ts';
export { meanInterval, type ValueRange, wilsonInterval } from './statistics/mean-interval.ts';
export { benjaminiHochberg } from './statistics/multiple-tests.ts';
export {
  type PairedDifference,
  type PairedOptions,
  pairedDifference,
  type ScoredPair,
} from './statistics/paired-difference.ts';
export { passAll, passAt } from './statistics/pass-at.ts';
export { type RandomStream, randomStream } from './statistics/random-stream.ts';
export { parseTarget, readSteps, type Step, type Target } from './targets/target.ts';
