import { resolve } from 'node:path';
import type { ConnectionSource, ImageFetcher, NodeType } from '@unroll/engine';
import { ConnectionFileError, connectionSource, imageFetcher, nodeTypes } from '@unroll/nodes';
import { CommandFailure } from './command-failure.ts';
import type { Io } from './io.ts';

/** What flows run on here: the kinds of nodes, and where connections come from. The only file that names them. */
export interface Composition {
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly connections: ConnectionSource;
  readonly imageFetcher: ImageFetcher;
}

/**
 * @param flowFolder absolute; its connections file is nearer than that of the current folder
 * @param connectionsFile as given; nearer than all others
 * @throws CommandFailure when a connections file cannot be read, there or when a connection is asked for
 */
export function compose(io: Io, flowFolder: string, connectionsFile?: string): Composition {
  const file = connectionsFile === undefined ? {} : { file: resolve(io.folder, connectionsFile) };
  const folders = [...new Set([flowFolder, io.folder])];
  const source = orFailure(() => connectionSource({ ...file, folders, environment: io.environment }));
  return {
    nodeTypes: nodeTypes(),
    imageFetcher: imageFetcher(),
    connections: { find: (name) => orFailure(() => source.find(name)), names: () => source.names() },
  };
}

function orFailure<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConnectionFileError)) throw error;
    throw new CommandFailure(error.message, { code: 'ConnectionFileError' });
  }
}
