export { type BulkSettings, defaultBulkSettings } from './bulk/bulk-settings.ts';
export { bulkStatus } from './bulk/bulk-status.ts';
export { dataColumns } from './bulk/data-columns.ts';
export { type DistantBulk, refuseUnsealed, withDistantBulk } from './bulk/distant-bulk.ts';
export { mostMessages } from './bulk/failure-groups.ts';
export { createProgress, type Progress } from './bulk/progress.ts';
export { createQuantiles } from './bulk/quantiles.ts';
export { createRate } from './bulk/rate.ts';
export { type DistantEnd, recordedOutcome } from './bulk/recorded-outcome.ts';
export { replayedFrom } from './bulk/recorded-settings.ts';
export type { BulkJob } from './bulk/run-bulk-job.ts';
export { type RunYaml, readRunYaml } from './bulk/run-yaml.ts';
export { Chat, type TurnSettings } from './chat/chat.ts';
export { answeringOutput, type ChatShape, chatShapeOf } from './chat/chat-shape.ts';
export { answerOf, saidText, textPart } from './chat/chat-words.ts';
export { compose, composeConnections, orFailure } from './connections/compose.ts';
export { readDotenv, readDotenvFile } from './connections/environment-values.ts';
export { allStores, notFound, shownStore, storeWith, targetStore } from './connections/stores.ts';
export { type BuiltFlow, buildFlow } from './deployment/build-flow.ts';
export type { FlowCopy, LeftOut } from './deployment/flow-copy.ts';
export { packFlow } from './deployment/pack-flow.ts';
export type { DiffRequest } from './diff/build-report.ts';
export type { DiffReport, MetricDiff, NodeReport, NodeResult, ReportedRun, RowReport } from './diff/diff-report.ts';
export type { AcceptedBaseline } from './evaluation/accept-baseline.ts';
export type { EvalSettings } from './evaluation/eval-settings.ts';
export type { EvaluatedFile } from './evaluation/evaluate-file.ts';
export { EvaluationNotReady, RunStopped } from './evaluation/evaluation-failures.ts';
export type { OracleReport } from './evaluation/oracle-runs.ts';
export type { EvaluateOptions } from './evaluation/score-record.ts';
export type { ScoredEvaluation } from './evaluation/scored-evaluation.ts';
export type { NodeExplanation, WhyAbout, WhySettings } from './explain/explain-row.ts';
export { differencesIn, explanationSentence } from './explain/explanation-words.ts';
export type { CheckSettings, FlowCheck } from './flows/check-flow.ts';
export { whatCut } from './flows/cut-answer-watch.ts';
export { type ExpandedFlow, expandFlow, type PromptFlowCopy, writePromptFlow } from './flows/expand-flow.ts';
export { type FoundFlow, findFlow } from './flows/find-flow.ts';
export { FlowNotReady } from './flows/flow-not-ready.ts';
export type { CassetteSettings, Limit, OracleOutputs } from './flows/flow-settings.ts';
export { flowTypes } from './flows/flow-types.ts';
export { readInitVariable } from './flows/init-variable.ts';
export type { NodeInputSources } from './flows/node-inputs.ts';
export { type FlowForRun, openForRun, usageCost } from './flows/open-for-run.ts';
export type { NodeEstimate, Range } from './forecast/estimate.ts';
export type { RunForecast } from './forecast/forecast-run.ts';
export type { EngineCatalog, EngineRuns, EngineWork, WorkerAtWork } from './host/engine-runs.ts';
export { madeWith } from './host/made-with.ts';
export type { Notice } from './host/notice.ts';
export { otlpTarget } from './host/otlp-target.ts';
export {
  beginOutputFile,
  makePlace,
  outputNotWritable,
  requireEmptyFolder,
  writeOutputFile,
} from './host/output-file.ts';
export {
  type DatasetRunStarted,
  type NoticeEvent,
  type ProjectEvent,
  type Reporter,
  reportToAll,
  type SingleRunStarted,
} from './host/project-event.ts';
export { type FailureKind, ProjectFailure } from './host/project-failure.ts';
export { notify, type ProjectHost, type System } from './host/project-host.ts';
export { reasonOf } from './host/refusal.ts';
export type { BulkOutcome, BulkStatus, NodeOutcome, RowOutcome, RunOutcome, RunRecord } from './host/run-outcome.ts';
export type { FailureGroup, Group, NodeTally, ProgressView } from './host/run-progress.ts';
export { Telemetry } from './host/telemetry.ts';
export { asMapping, readInputsFile, readJson, readTextFile } from './host/text-file.ts';
export { addressRefusal, isAddress } from './host/workspace-address.ts';
export type { Evaluation, EvaluationRun } from './library/evaluation-operations.ts';
export type { IndexBuildEvent, SearchIndexes } from './library/index-operations.ts';
export { openProject, type ProjectSettings, projectOn } from './library/open-project.ts';
export type { Operation } from './library/operation.ts';
export type { ExportSettings, Project, Runs } from './library/project.ts';
export type { DatasetRun, DatasetRunEvent, RowRunEvent } from './library/run-operations.ts';
export {
  type ChatSettings,
  type DatasetRunSettings,
  type DiffSettings,
  datasetSettings,
  type EvaluationSettings,
  type NodeRunSettings,
  type OracleRunSettings,
  type ParitySettings,
  type ResumeRunSettings,
  type RowRunSettings,
} from './library/settings.ts';
export type { AnyFlow, FlowImage, FlowShape, Json, TypedFlow, TypedRow } from './library/typed-flow.ts';
export type { Parity } from './parity/run-parity.ts';
export { costOf } from './prices/cost-of.ts';
export { recordedPrices } from './prices/node-prices.ts';
export { readPriceFile } from './prices/price-file.ts';
export { findPrices, keptPrices, type PriceList, priceOf } from './prices/price-list.ts';
export { findAtEngine } from './records/find-run.ts';
export { folderCatalog } from './records/folder-catalog.ts';
export { openRecord } from './records/open-record.ts';
export { recordFailure } from './records/record-failure.ts';
export { isAtEngine, runIdOf } from './records/record-place.ts';
export type { RecordedRun, RecordSettings } from './records/record-run.ts';
export { parseRowName, rowName } from './records/row-name.ts';
export { placeOf } from './records/row-place.ts';
export { nodePlace } from './records/run-info.ts';
export { isSilent, marksIn, noMarks, type RunMarksChange } from './records/run-marks.ts';
export { findRunFile, listRunIds, newRunId, runPath, runsFolder } from './records/runs-folder.ts';
export { selectNodes } from './records/select-nodes.ts';
export { type OpenedEarlierRun, openedEarlierRun } from './records/since-run.ts';
export type { ImportedRun } from './run-catalog/import-run.ts';
export type { RunStanding } from './run-catalog/run-standing.ts';
export type { RunSummary } from './run-catalog/run-summary.ts';
export type { KeptRun, RunLimits } from './run-catalog/surplus-runs.ts';
export { whyUnfinished } from './run-catalog/why-unfinished.ts';
export { type DistantRequest, type DistantRequests, engineUnreachable } from './serving/distant-requests.ts';
export { keepFeedback, keepLabels } from './serving/keep-feedback.ts';
export {
  findServedFlow,
  type RecordedShare,
  type RequestRun,
  refuseUnknownRedacted,
  type ServedFlow,
  type ServedRequest,
  type ServedRow,
  type ServeFlowSettings,
  serveFlow,
} from './serving/serve-flow.ts';
export { labelMistake } from './serving/served-labels.ts';
export { findServedRow, listServedRuns, type ServedRun } from './serving/served-runs.ts';
export type { RequestPlace } from './serving/traffic-record.ts';
