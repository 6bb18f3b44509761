export { type BegunInVain, begunInVain, forgetBegun, tellBegun } from './begun-rows.ts';
export { addChunks, chunkDone, chunkSize, readChunk } from './chunks.ts';
export { beginning, type Cursor, type EndedNode, type EndedRow, endedRows, settledCursor } from './ended-rows.ts';
export { type KnownWorker, listWorkers, type WorkerDoing } from './known-workers.ts';
export { openEngine } from './open-engine.ts';
export { beginAgain, openChunksOf } from './resume-work.ts';
export {
  addRunWork,
  addSpending,
  endRun,
  findRunWork,
  openRuns,
  type RunStanding,
  type RunState,
  type RunWork,
  stopRun,
} from './run-work.ts';
export { givenValues, rowSealer, sealValues } from './sealed-work.ts';
export { settleRun } from './settle-run.ts';
export { addNote, notesAfter } from './work-notes.ts';
export { type SealedSettings, type WorkSettings, workSettingsOf } from './work-settings.ts';
