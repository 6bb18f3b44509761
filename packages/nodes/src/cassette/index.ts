export { Cassette, type CassetteDrift, type CassetteMode } from './cassette.ts';
export {
  type CallJournal,
  type CassetteJournal,
  type JournaledCall,
  journalLine,
  readJournal,
} from './cassette-journal.ts';
export { type CassetteContent, CassetteError, readCassette, stringifyCassette } from './cassette-text.ts';
export type { MissedCall, NearCall } from './nearest-call.ts';
export { replayConnections } from './replay-connections.ts';
