export { type BegunInVain, begunInVain, forgetBegun, reportBegun } from './begun-rows.ts';
export { addChunks, chunkDone, chunkSize, hasOpenChunk, readChunk } from './chunks.ts';
export {
  beginning,
  type Cursor,
  type EndedNode,
  type EndedRow,
  endedLines,
  endedRows,
  settledCursor,
} from './ended-rows.ts';
export { type KnownWorker, lastSilentWorker, listWorkers, type WorkerDoing } from './known-workers.ts';
export { openEngine } from './open-engine.ts';
export { isRemoved, unlessRemoved } from './removed-run.ts';
export { beginAgain, openChunksOf } from './resume-work.ts';
export {
  addRunWork,
  addSpending,
  endRun,
  findRunWork,
  newestRequests,
  openRuns,
  type RunStanding,
  type RunState,
  type RunWork,
  reportReturned,
  stopRun,
} from './run-work.ts';
export { givenValues, rowSealer, sealValues } from './sealed-work.ts';
export { settleRun } from './settle-run.ts';
export { giveAwaySilent, silentSeconds } from './silent-workers.ts';
export { addNote, notesAfter } from './work-notes.ts';
export { pacesOn, workersOn } from './work-on-run.ts';
export { type SealedSettings, type WorkSettings, workSettingsOf } from './work-settings.ts';
