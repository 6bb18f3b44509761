export { openBulkRows } from './bulk/bulk-rows.ts';
export { type BulkSettings, defaultBulkSettings } from './bulk/bulk-settings.ts';
export type { BulkStatus } from './bulk/bulk-status.ts';
export type { FailureGroup } from './bulk/failure-groups.ts';
export type { Group, NodeTally } from './bulk/node-counters.ts';
export { withNewBulk, withResumedBulk } from './bulk/open-bulk.ts';
export { createProgress, type Progress, type ProgressView } from './bulk/progress.ts';
export { createQuantiles } from './bulk/quantiles.ts';
export { createRate } from './bulk/rate.ts';
export { recordView } from './bulk/record-view.ts';
export { wasImported } from './bulk/recorded-settings.ts';
export { recordedBudget } from './bulk/run-budget.ts';
export { type BulkJob, type BulkJobEvent, type BulkOutcome, type Following, runBulkJob } from './bulk/run-bulk-job.ts';
export { type RunYaml, readRunYaml } from './bulk/run-yaml.ts';
export { Chat, openChat, type TurnSettings } from './chat/chat.ts';
export type { ChatShape } from './chat/chat-shape.ts';
export { compose, composeConnections, orFailure } from './connections/compose.ts';
export { readDotenv } from './connections/environment-values.ts';
export { allStores, notFound, shownStore, storeWith, targetStore } from './connections/stores.ts';
export { buildReport, type DiffRequest, type OpenRun } from './diff/build-report.ts';
export { chooseRuns } from './diff/choose-runs.ts';
export type { DiffReport, NodeReport, NodeResult, ReportedRun, RowReport } from './diff/diff-report.ts';
export { type AcceptedBaseline, acceptBaseline } from './evaluation/accept-baseline.ts';
export { checkAsks } from './evaluation/check-asks.ts';
export type { EvalSettings } from './evaluation/eval-settings.ts';
export {
  type EvaluatedFile,
  type EvaluateOptions,
  evaluateFile,
  type RunForRecord,
} from './evaluation/evaluate-file.ts';
export { EvaluationNotReady, RunStopped } from './evaluation/evaluation-failures.ts';
export { type OracleReport, runOracle } from './evaluation/oracle-runs.ts';
export { explainRow, type ToldNode, type WhyAbout, type WhySettings } from './explain/explain-row.ts';
export { type CheckSettings, checkFoundFlow, type FlowCheck } from './flows/check-flow.ts';
export { type FoundFlow, findFlow } from './flows/find-flow.ts';
export { FlowNotReady } from './flows/flow-not-ready.ts';
export type { CassetteSettings, GivenOutputs, Limit } from './flows/flow-settings.ts';
export type { GivenNodeInputs } from './flows/node-inputs.ts';
export { openForRun } from './flows/open-for-run.ts';
export { type NodeOutcome, runFlowNode } from './flows/run-flow-node.ts';
export { type RowOutcome, runFlowRow } from './flows/run-flow-row.ts';
export { sampleInputs } from './flows/sample-inputs.ts';
export { testInputs, unknownInputs } from './flows/test-inputs.ts';
export type { NodeEstimate, Range } from './forecast/estimate.ts';
export { findRates } from './forecast/find-rates.ts';
export { forecastRun, type RunForecast } from './forecast/forecast-run.ts';
export { madeWith } from './host/made-with.ts';
export type { Notice } from './host/notice.ts';
export { type FailureKind, ProjectFailure } from './host/project-failure.ts';
export type { ProjectHost, System } from './host/project-host.ts';
export { refusalOf } from './host/refusal.ts';
export { shownPath } from './host/shown-path.ts';
export { asMapping, readInputsFile, readJson, readTextFile } from './host/text-file.ts';
export { addressRefusal, isAddress } from './host/workspace-address.ts';
export type { Evaluation, EvaluationRun } from './library/evaluation-operations.ts';
export type { IndexBuildEvent, SearchIndexes } from './library/index-operations.ts';
export { openProject, type ProjectSettings, projectOn } from './library/open-project.ts';
export type { Operation } from './library/operation.ts';
export type { ExportSettings, Project, RunCatalog } from './library/project.ts';
export type {
  DatasetRun,
  DatasetRunEvent,
  NodeRunEvent,
  NoticeEvent,
  ParityEvent,
  RowRunEvent,
} from './library/run-operations.ts';
export type {
  ChatSettings,
  DatasetRunSettings,
  DiffSettings,
  EvaluationSettings,
  NodeRunSettings,
  OracleRunSettings,
  ParitySettings,
  ResumeRunSettings,
  RowRunSettings,
} from './library/settings.ts';
export { type Parity, runParity } from './parity/run-parity.ts';
export { costOf } from './prices/cost-of.ts';
export { recordedPrices } from './prices/node-prices.ts';
export { readPriceFile } from './prices/price-file.ts';
export { findPrices, keptPrices, type PriceList, priceOf } from './prices/price-list.ts';
export { onDamageOf, openRecord, recordFailure } from './records/open-record.ts';
export {
  type RecordedRun,
  type RecordSettings,
  reasonOf,
} from './records/record-run.ts';
export { removeRun } from './records/remove-run.ts';
export { parseRowName, rowName } from './records/row-name.ts';
export { placeOf } from './records/row-place.ts';
export { nodePlace } from './records/run-info.ts';
export { lockState } from './records/run-lock.ts';
export { findRun, listRunIds, madeFolder, newRunId, runIdOf, runPath, runsFolder } from './records/runs-folder.ts';
export { selectNodes } from './records/select-nodes.ts';
export { earlierRunName } from './records/since-run.ts';
export { type ImportedRun, importRun } from './run-catalog/import-run.ts';
export { type RunSummary, readRunSummary, recordedStatus } from './run-catalog/run-summary.ts';
export { type KeptRun, keptRuns, type RunLimits, surplusRuns } from './run-catalog/surplus-runs.ts';
