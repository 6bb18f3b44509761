export { Cassette, type CassetteDrift, type CassetteMode, type MissedCall } from './cassette.ts';
export { type CassetteContent, CassetteError, readCassette, stringifyCassette } from './cassette-text.ts';
export type { NearCall } from './nearest-call.ts';
export { replayConnections } from './replay-connections.ts';
