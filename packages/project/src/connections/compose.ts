import { resolve } from 'node:path';
import {
  type ConnectionSource,
  type Diagnostic,
  type ImageFetcher,
  learningConnections,
  type ModelService,
  type NodeType,
  type Redactor,
  shownPath,
} from '@unroll/engine';
import {
  type CallLimit,
  type Cassette,
  ConcurrencyLimiters,
  ConnectionFileError,
  connectionSource,
  imageFetcher,
  type ListedConnectionSource,
  limitServices,
  modelOpener,
  type NodeTypeOptions,
  nodeTypes,
  type PermitsOf,
  permitsOfProcess,
  replayConnections,
  systemClock,
  type ThrottleState,
} from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';

/** What flows run on here: the kinds of nodes, and where connections come from. The only file that names them. */
export interface Composition {
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly connections: ConnectionSource;
  /** What is doubtful in the files that describe them. */
  readonly connectionDoubts: readonly Diagnostic[];
  readonly redactor: Redactor;
  readonly imageFetcher: ImageFetcher;
  /** Of the connections whose calls are held back at the moment. */
  readonly paces: () => readonly ThrottleState[];
  /** Models that were opened and whose answers come in an order, by connection. */
  readonly modelsInOrder: ReadonlyMap<string, ModelService>;
}

/**
 * @param flowFolder absolute; its connections file is nearer than that of the current folder
 * @param connectionsFile as given; nearer than all others
 * @param cassette records model calls or answers them
 * @param limitOf what a connection may take
 * @param permitsOf permits to call one
 * @throws ProjectFailure when a connections file cannot be read, there or when a connection is asked for
 */
export function compose(
  system: System,
  flowFolder: string,
  connectionsFile?: string,
  cassette?: Cassette,
  limitOf: (connection: string) => CallLimit | undefined = () => undefined,
  permitsOf: PermitsOf = permitsOfProcess(systemClock),
): Composition {
  const connections = composeConnections(system, flowFolder, connectionsFile);
  const gates = new ConcurrencyLimiters();
  const { redactor } = system;
  const modelsInOrder = new Map<string, ModelService>();
  const paces = (): readonly ThrottleState[] => gates.paces();
  const shared = {
    redactor,
    imageFetcher: imageFetcher({ redactor }),
    paces,
    modelsInOrder,
    connectionDoubts: connections.doubts(),
  };
  const models = keepingInOrder(modelOpener([flowFolder, system.folder]), modelsInOrder);
  const open = limitServices(models, limitOf, permitsOf);
  const extensions = [promptFlow()];
  if (cassette === undefined)
    return { ...shared, nodeTypes: nodeTypes({ openService: open, gates, redactor, extensions }), connections };
  return {
    ...shared,
    nodeTypes: nodeTypes({
      openService: cassette.serviceOpener(open),
      asksModels: cassette.mode !== 'replay',
      gates,
      redactor,
      extensions,
    }),
    connections: cassette.mode === 'replay' ? replayConnections(cassette, connections) : connections,
  };
}

type ModelOpener = ReturnType<typeof modelOpener>;

function keepingInOrder(open: ModelOpener, kept: Map<string, ModelService>): ModelOpener {
  return async (connection) => {
    const service = await open(connection);
    if (service?.answersInOrder === true) kept.set(connection.name, service);
    return service;
  };
}

/** @param allowsPrivate whether addresses of this machine and its network are asked too */
export function imageFetcherOf({ redactor }: System, allowsPrivate = false): ImageFetcher {
  return imageFetcher({ redactor, ...(allowsPrivate ? { mayAsk: () => true } : {}) });
}

/** What makes vectors of texts: connections to models, each held to its limit. Takes and throws what `compose` does. */
export function composeEmbedders(
  system: System,
  connectionsFile?: string,
  limitOf: (connection: string) => CallLimit | undefined = () => undefined,
): { readonly connections: ListedConnectionSource; readonly services: Pick<NodeTypeOptions, 'openService' | 'clock'> } {
  const openService = limitServices(modelOpener([system.folder]), limitOf, permitsOfProcess(systemClock));
  return {
    connections: composeConnections(system, system.folder, connectionsFile),
    services: { openService, clock: systemClock },
  };
}

/** The connections alone, with where each is described. Takes and throws what `compose` does. */
export function composeConnections(
  system: System,
  flowFolder: string,
  connectionsFile?: string,
): ListedConnectionSource {
  const file = connectionsFile === undefined ? {} : { file: resolve(system.folder, connectionsFile) };
  const folders = [...new Set([flowFolder, system.folder])];
  const source = orFailure(() =>
    connectionSource({
      ...file,
      folders,
      environment: system.environment,
      shown: (path) => shownPath(path, system.folder),
    }),
  );
  const found: ConnectionSource = { ...source, find: (name) => orFailure(() => source.find(name)) };
  const connections = learningConnections(found, system.redactor);
  learnAll(connections);
  return {
    ...connections,
    list: () => source.list(),
    doubts: (name) => source.doubts(name),
    written: (name) => orFailure(() => source.written(name)),
  };
}

/** A secret may be met though its connection is not used here. One that cannot be read is told when it is asked for. */
function learnAll(connections: ConnectionSource): void {
  for (const name of connections.names()) {
    try {
      connections.find(name);
    } catch (error) {
      if (!(error instanceof ProjectFailure)) throw error;
    }
  }
}

/** @throws ProjectFailure where connections cannot be read */
export function orFailure<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConnectionFileError)) throw error;
    throw new ProjectFailure(error.message, { code: 'ConnectionFileError', help: error.help });
  }
}
