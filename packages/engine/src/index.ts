export type { DataFormat } from './data/data-format.ts';
export type { DataRow } from './data/data-row.ts';
export type { DataEncoding } from './data/detect-encoding.ts';
export { EncodingEvidence } from './data/encoding-evidence.ts';
export { type DataColumnsOf, type ExportedRow, exportNodes, exportRows } from './data/export-rows.ts';
export {
  type ColumnMapping,
  completeMapping,
  keepsDefault,
  mapColumnsFirst,
  mappingNotFound,
  mapRow,
  type NamedSets,
  noData,
  noFlowInputs,
  referencesInTexts,
  setsOf,
} from './data/map-columns.ts';
export { mapRows } from './data/map-rows.ts';
export {
  type DataSource,
  type OpenDataOptions,
  type OpenedData,
  openData,
  readRows,
} from './data/open-data.ts';
export { NoTextFile, readNamedFile, readStream } from './data/read-named-file.ts';
export { ownLine, RowLines } from './data/row-lines.ts';
export { parseLines, pickRows, sampleRows } from './data/select-rows.ts';
export { type RowFormat, type WriteRowsOptions, writeRows } from './data/write-rows.ts';
export { toolCallKeys } from './flow/agent-keys.ts';
export type { ChosenModel } from './flow/chosen-model.ts';
export { fallbackConnection, fallbackModel, readFallbacks } from './flow/fallback.ts';
export { type EditedNodeType, flowJsonSchema } from './flow/flow-json-schema.ts';
export {
  type Budget,
  endedLoop,
  type FlowInputSpec,
  type FlowOutputSpec,
  type FlowSpec,
  type LoopSpec,
  type NodeInstance,
  type NodeSpec,
  type SpecPath,
} from './flow/flow-spec.ts';
export { meantIssues } from './flow/meant-issues.ts';
export type { ParsedFlow, ParseFlowOptions } from './flow/parse-flow.ts';
export { parseFlow } from './flow/parse-flow.ts';
export { plainScalars } from './flow/plain-scalars.ts';
export { readVariant } from './flow/read-node.ts';
export type { Prompty, ReadPrompty } from './flow/read-prompty.ts';
export { answersJson, isPromptyPath, readPrompty } from './flow/read-prompty.ts';
export { parsePropertyPath, parseReference } from './flow/reference.ts';
export { misspeltKeywords } from './flow/schema-keywords.ts';
export {
  expectedKind,
  expectedOf,
  expectedSentence,
  kindOf,
  nearestOption,
  nearestSpan,
  valueAt,
} from './flow/shape-text.ts';
export { stringifyYaml } from './flow/stringify-yaml.ts';
export { valueTypes } from './flow/value-types.ts';
export { maxWritten, parseYaml, type YamlDocument } from './flow/yaml-document.ts';
export { Image, imagesIn, imageValue, replaceImages } from './image/image.ts';
export type { ImageError, MessageFormat } from './image/image-forms.ts';
export { isImageMapping, readImageMapping } from './image/image-forms.ts';
export { imageName, withImageNames } from './image/image-names.ts';
export { imagesOfRecord } from './image/images-of-record.ts';
export { resolveImagePaths } from './image/resolve-image-paths.ts';
export { addUsage } from './node/add-usage.ts';
export type { CalledProvider } from './node/called-provider.ts';
export { connectionClasses } from './node/connection-classes.ts';
export { connectionIdentity } from './node/connection-identity.ts';
export type { ConnectionSource } from './node/connection-source.ts';
export {
  changedMeanwhile,
  codePart,
  type FingerprintInputs,
  joinFingerprintInputs,
  unseenHelp,
  unseenIn,
  unseenPart,
  unseenWords,
} from './node/fingerprint-inputs.ts';
export { longestTimerMs } from './node/longest-timer.ts';
export { type InputDefinition, isGiven, type NodeDefinition, type NodeSource } from './node/node-definition.ts';
export { fromLines, type NodeError } from './node/node-error.ts';
export type { ConnectionDoubt, MissingPackage, NodeInspection } from './node/node-inspection.ts';
export { type Attempt, answeringFallback, type NodeReport, type Usage, type UsageDetails } from './node/node-report.ts';
export type {
  FlowFiles,
  ImportedModule,
  InspectedNode,
  InstalledContext,
  NodeCall,
  NodeFailure,
  NodeOutcome,
  NodeSuccess,
  NodeType,
  Originals,
  PrepareContext,
  PreparedNode,
} from './node/node-type.ts';
export { PrepareError } from './node/node-type.ts';
export { type FinishedNode, type Handed, type RowScope, rowAlone } from './node/row-scope.ts';
export { type FlowScope, ScopeSlot, ScopeSlots, type SlottedScope } from './node/scope-slots.ts';
export { type ServiceDetails, serviceText } from './node/service-details.ts';
export type {
  ChatModelService,
  Connection,
  Embedder,
  EmbedResult,
  FetchedImage,
  FilterValue,
  Fusion,
  FusionWeights,
  ImageFetcher,
  ModelApi,
  ModelCall,
  ModelReply,
  ModelRequest,
  ModelResult,
  ModelService,
  SearchFilter,
  SearchHit,
  SearchIndex,
  SearchMode,
  SearchOptions,
  SearchResult,
  Tool,
  ToolCall,
  ToolResult,
} from './node/services.ts';
export type { EntrySignature, Parameter } from './node/signature.ts';
export { timedOut, within } from './node/time-limit.ts';
export {
  type CallTracer,
  readTraceContext,
  type TraceContext,
  type TracedModelCall,
  type TracedModelEnd,
  type TracedToolCall,
} from './node/trace-context.ts';
export { applyVariants, defaultVariant, type VariedFlow } from './plan/apply-variants.ts';
export { bindReferences } from './plan/bind-references.ts';
export { checkYamlEncoding } from './plan/check-encoding.ts';
export type { CheckFlowOptions, FlowCheck } from './plan/check-flow.ts';
export { checkFlow } from './plan/check-flow.ts';
export { declaresNoOutputs } from './plan/declares-no-outputs.ts';
export { expandedFlow, stringifyFlow } from './plan/expand-flow.ts';
export { budgetStoppedState, loopEnd, loopStatuses } from './plan/loop-end.ts';
export type { ConnectionOverride } from './plan/override-connections.ts';
export type { Binding, NodeBinding, Plan, PlanInput, PlanLoop, PlanNode, PlanOutput } from './plan/plan.ts';
export { unrollFlow } from './plan/unroll-flow.ts';
export { unrollLoops } from './plan/unroll-loops.ts';
export { allOf, eachOf, firstOf } from './record/batches.ts';
export { checkRunFile } from './record/check-run-file.ts';
export type { CompareRunFilesOptions, RunFile } from './record/compare-run-files.ts';
export { type ComparedRun, compareRuns } from './record/compare-runs.ts';
export { type EarlierRun, earlierRun } from './record/earlier-run.ts';
export { type FileLock, isFileLocked, takeFileLock } from './record/file-lock.ts';
export { partOf } from './record/fingerprint.ts';
export { isGivenOn } from './record/given-on.ts';
export { hasRun, type LoopShape, loopShapes, tellingNodes, timesRound } from './record/loop-shapes.ts';
export { makeFolder } from './record/make-folder.ts';
export { createMemoryRunLog } from './record/memory-run-log.ts';
export type { NodeRun, NodeStatus, RowError, RowRun } from './record/node-run.ts';
export { markedInexact } from './record/reads-back.ts';
export { hasHead } from './record/record-birth.ts';
export { outputHash, recordDigest } from './record/record-digest.ts';
export { errorJson, recordJson, usageJson } from './record/record-json.ts';
export type { CatalogFile, RunCatalog, RunMarks, WorkState } from './record/run-catalog.ts';
export type {
  KeyedRow,
  NodeAlignment,
  NodePair,
  RowId,
  RowPair,
  RowPairId,
  RowPattern,
  RunComparison,
} from './record/run-comparison.ts';
export type { OnDamage, RunDamage } from './record/run-file-error.ts';
export { RunDamageError, RunFileError, RunFileLostError, sqliteReason } from './record/run-file-error.ts';
export type { MadeWith, RunInfo, RunNode } from './record/run-info.ts';
export type { ReopenedRow, RunLog } from './record/run-log.ts';
export type {
  Batches,
  NodeCount,
  NodeSummary,
  ReadEnd,
  ReadRecord,
  RecordDigest,
  RecordProjection,
  RowRecords,
  RowSummary,
  RowView,
  RunReader,
} from './record/run-reader.ts';
export { continueSqliteRunLog, createSqliteRunLog, openSqliteRunReader } from './record/sqlite-run-log.ts';
export { textHash, valueHash } from './record/value-hash.ts';
export { type AloneInputs, type BoundInputs, bindNodeInputs, isPerRow } from './run/bind-node-inputs.ts';
export { type CheckInstalledOptions, checkInstalled } from './run/check-installed.ts';
export { type Coerced, coerceInputs, isInputError, isRequired } from './run/coerce-inputs.ts';
export { createFlowFiles, type FlowPlace, readDefinition, readSourceFile } from './run/flow-files.ts';
export type { NodeForecast } from './run/forecast-row.ts';
export { HiddenInputs } from './run/hidden-inputs.ts';
export type { Includes } from './run/included-files.ts';
export { flowFilesOf } from './run/included-files.ts';
export { learningConnections } from './run/learning-connections.ts';
export type { ImageLoadError, ImageSources, LoadedValue } from './run/load-images.ts';
export { loadImage, loadImages, loadNestedImages } from './run/load-images.ts';
export type { NodeWrapper, WrappedNode } from './run/node-wrappers.ts';
export type { OpenedFlow, OpenFlowOptions } from './run/open-flow.ts';
export { locateFlow, openFlow } from './run/open-flow.ts';
export type { PersistPlace } from './run/persist-images.ts';
export { persistImages } from './run/persist-images.ts';
export { preciseNow } from './run/precise-now.ts';
export type { LoadError, Prepared } from './run/prepare-flow.ts';
export { prepareFlow } from './run/prepare-flow.ts';
export type { PrepareOptions, ReadyOptions } from './run/prepare-options.ts';
export { redactedError, redactedRow, redactedRun } from './run/redacted-run.ts';
export { RowPace } from './run/row-pace.ts';
export { testsAggregation } from './run/run-aggregation.ts';
export type { BulkOptions, BulkResult } from './run/run-bulk.ts';
export { runBulk } from './run/run-bulk.ts';
export type { NodeEvent, RunEvent } from './run/run-event.ts';
export type {
  AggregationResult,
  CheckedFlow,
  RowOptions,
  RowResult,
  RowResults,
  RunnableFlow,
  Streaming,
} from './run/run-flow.ts';
export { shownPath } from './run/shown-path.ts';
export { type CallCost, hasLimit, noSpending, reachedText, type Spending, spendOn } from './run/spending.ts';
export { type StagedFlow, stageFlow } from './run/stage-flow.ts';
export { currentTrace, inTrace, traceHeaders } from './run/trace-scope.ts';
export type { OracleRule } from './run/with-oracle.ts';
export { withTimeout } from './run/with-timeout.ts';
export { zipFolder } from './run/zip-folder.ts';
export { cutBetweenWords } from './secrets/cut-between-words.ts';
export { cutText, endOfText } from './secrets/cut-text.ts';
export { Redactor, redactorOf, type SecretHolder } from './secrets/redactor.ts';
export { isSecretName } from './secrets/secret-parts.ts';
export { secretMark } from './secrets/secret-patterns.ts';
export type { Diagnostic, Note } from './source/diagnostic.ts';
export { preventsRun } from './source/diagnostic.ts';
export type { DiagnosticCode } from './source/diagnostic-code.ts';
export { diagnosticCodes } from './source/diagnostic-codes.ts';
export type {
  DiagnosticDetails,
  NodeDetails,
  ReferenceDetails,
  VariantDetails,
} from './source/diagnostic-details.ts';
export type { DiagnosticJson, NoteJson } from './source/diagnostic-json.ts';
export { diagnosticJson } from './source/diagnostic-json.ts';
export type { DiagnosticStyle, Paint } from './source/diagnostic-style.ts';
export type { FormatOptions } from './source/format-diagnostic.ts';
export { countDiagnostics, formatDiagnostic, formatDiagnostics } from './source/format-diagnostic.ts';
export { didYouMean, editDistance, meantText, nearestName } from './source/nearest-name.ts';
export { wayIntoFolder } from './source/outside-folder.ts';
export { refusalOf } from './source/refusal.ts';
export type { SarifLog } from './source/sarif.ts';
export { toSarif } from './source/sarif.ts';
export { sortDiagnostics } from './source/sort-diagnostics.ts';
export type { Place, SourceFile, Span } from './source/source-file.ts';
export { placeOf } from './source/source-file.ts';
export { alignLists, type Stretch } from './value/align-lists.ts';
export { dollarsText, durationText } from './value/amount-text.ts';
export { boundedMatch, MatchTookTooLong, mayBeSlow } from './value/bounded-match.ts';
export type { Converted } from './value/convert-value.ts';
export { convertValue } from './value/convert-value.ts';
export { DepthError, depthMessage, isTooDeep, MAX_DEPTH } from './value/depth.ts';
export { descriptionOf } from './value/described-values.ts';
export { isFalsy } from './value/falsy.ts';
export { Float, plainNumber, plainNumbers, TypedFloat } from './value/float.ts';
export { getPath, type PathResult, type ValuePath } from './value/get-path.ts';
export type { JsonObject, JsonValue } from './value/json.ts';
export { jsonIn, jsonOrText, parseJson, parseOwnJson, stringifyJson, textOrJson } from './value/json.ts';
export { ownValue } from './value/own-value.ts';
export { isPlainObject } from './value/plain-object.ts';
export { pythonClass } from './value/python-class.ts';
export { PythonDate } from './value/python-date.ts';
export { pythonEquals } from './value/python-equality.ts';
export { pythonJson } from './value/python-json.ts';
export { pythonJsonError } from './value/python-json-error.ts';
export { pythonRepr, pythonStr } from './value/python-text.ts';
export { type OnPiece, packValue, type RemoteRead, RemoteValue, rememberCopy } from './value/remote-value.ts';
export { isMapping, listOf, mappingOf, textOf } from './value/shapes.ts';
export { type SharedPlace, withSharedPlaces } from './value/shared-places.ts';
export { thrownText } from './value/thrown-text.ts';
