export { type Composition, compose, composeConnections, composeEmbedders, orFailure } from './connections/compose.ts';
export { readDotenv, recordableEnvironment, resolveEnvironment } from './connections/environment-values.ts';
export { allStores, notFound, shownStore, storeWith, targetStore } from './connections/stores.ts';
export { madeWith } from './host/made-with.ts';
export type { Notice } from './host/notice.ts';
export { type FailureKind, ProjectFailure } from './host/project-failure.ts';
export type { ProjectHost, System } from './host/project-host.ts';
export { refusalOf, writeRefusal } from './host/refusal.ts';
export { shownPath } from './host/shown-path.ts';
export { asMapping, readInputsFile, readJson, readTextFile } from './host/text-file.ts';
export { addressRefusal, isAddress } from './host/workspace-address.ts';
export { costOf, isPriced } from './prices/cost-of.ts';
export { nodePrices, recordedCosts, recordedPrices, unpricedNodes } from './prices/node-prices.ts';
export {
  findPrices,
  freeOfCharge,
  keptPrices,
  type Price,
  type PriceList,
  priceOf,
  readPriceFile,
} from './prices/price-list.ts';
export { makeFolder } from './records/make-folder.ts';
export {
  continueRecord,
  isUnreadable,
  lookAtRecord,
  onDamageOf,
  openRecord,
  recordFailure,
} from './records/open-record.ts';
export {
  checkName,
  type RecordedRun,
  type RecordSettings,
  reasonOf,
  recordRun,
  takenName,
} from './records/record-run.ts';
export { removeRun, runSize } from './records/remove-run.ts';
export { parseRowName, rowName } from './records/row-name.ts';
export { placeOf, type RowPlace } from './records/row-place.ts';
export { flowDigest, nodePlace, runInfoOf } from './records/run-info.ts';
export { lockRun, lockState, type RunLock } from './records/run-lock.ts';
export { findRun, listRunIds, madeFolder, newRunId, runIdOf, runPath, runsFolder } from './records/runs-folder.ts';
export { selectNodes } from './records/select-nodes.ts';
export { earlierRunName, openEarlierRun } from './records/since-run.ts';
export { writeImages } from './records/write-images.ts';
