import type { ConnectionSource, NodeType } from '@unroll/engine';
import { lookupNodeType, pythonNodeType } from '@unroll/nodes';
import type { Io } from './io.ts';

/** What flows run on here: the kinds of nodes and where connections come from. The only file that names them. */
export interface Composition {
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly connections: ConnectionSource;
}

export async function compose(_io: Io, _folder: string, _connectionsFile: string | undefined): Promise<Composition> {
  const types = [pythonNodeType(), lookupNodeType()];
  return {
    nodeTypes: new Map(types.map((type) => [type.name, type])),
    connections: { find: () => undefined, names: () => [] },
  };
}
