import type { ConnectionSource } from '@unroll/engine';
import type { Cassette } from './cassette.ts';

/** Connections while a cassette is replayed: those on it need not exist, and no key is asked for. */
export function replayConnections(cassette: Cassette, source: ConnectionSource): ConnectionSource {
  return {
    find: (name) => cassette.connection(name) ?? source.find(name),
    ...(source.hint === undefined ? {} : { hint: source.hint }),
    names: () => [...new Set([...cassette.connectionNames(), ...source.names()])],
  };
}
