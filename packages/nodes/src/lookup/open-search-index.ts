import { relative } from 'node:path';
import type {
  Connection,
  ConnectionSource,
  FingerprintInputs,
  FlowFiles,
  NodeDefinition,
  PrepareContext,
  SearchIndex,
} from '@unroll/engine';
import { connectionIdentity, PrepareError, partOf } from '@unroll/engine/values';
import { requireConnection } from '../connections/find-connection.ts';
import { embeddedIndex, type OpenEmbedder } from '../embedded-index/embedded-index.ts';
import { IndexError } from '../embedded-index/index-error.ts';
import { type KeptEmbedder, readIndexSettings } from '../embedded-index/index-settings.ts';
import { keptDigest } from '../embedded-index/kept-digest.ts';
import { type EmbedderServices, openEmbedder, openEmbedderOf } from '../embedders/open-embedder.ts';
import { shown, textFileDigest } from '../identity/file-digest.ts';
import { IndexFile } from './index-file.ts';
import type { LookupSettings } from './lookup-settings.ts';
import { indexFiles, isIndexFile, openEmbedded } from './open-index.ts';

/** An index that a node asks, and what its answers depend on. */
export interface OpenedIndex {
  readonly index: SearchIndex;
  readonly parts: () => FingerprintInputs;
  /** An index of a service, or one in the middle of a build, may hold something else tomorrow. */
  readonly effects?: 'reads unseen';
}

/**
 * The index of a lookup node: at Azure where the node names a connection, else in the flow's folder.
 *
 * @throws PrepareError when it cannot be opened
 */
export async function openSearchIndex(
  node: NodeDefinition,
  settings: LookupSettings,
  context: PrepareContext,
  services: EmbedderServices,
): Promise<OpenedIndex> {
  if (node.connection !== undefined && node.connection !== '') return openAtService(node, settings, context, services);
  const path = requireInFolder(settings.index, context.files);
  try {
    return isIndexFile(path)
      ? openFile(path, settings, context, services, node.name)
      : openDocuments(path, context.files.folder);
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    throw indexRefusal(error.code, error.message);
  }
}

function openDocuments(path: string, folder: string): OpenedIndex {
  const parts = (): FingerprintInputs =>
    Object.fromEntries(
      indexFiles(path).map((file) => [`index ${shown(relative(folder, file))}`, textFileDigest(file)]),
    );
  return { index: openEmbedded(path), parts };
}

function openFile(
  path: string,
  { index: name, embedder }: LookupSettings,
  context: PrepareContext,
  services: EmbedderServices,
  node: string,
): OpenedIndex {
  const index = new IndexFile(path, (opened) => {
    const kept = embedder ?? readIndexSettings(opened).embedder;
    const identity = `${keptDigest(opened) ?? ''}${identityOf(kept, context.connections)}`;
    if (kept === undefined) return { index: embeddedIndex(opened), identity };
    const connection = (): Connection => requireConnection(kept.connection, node, context.connections);
    const open: OpenEmbedder = () => orRefusal(openEmbedderOf(opened, connection(), kept, services));
    return { index: embeddedIndex(opened, open), identity };
  });
  context.onClose(() => index.close());
  return {
    index,
    parts: () => ({ [`index ${name}`]: partOf(index.identity) }),
    // What it holds in the middle of a build nothing tells.
    ...(index.isWhole ? {} : { effects: 'reads unseen' }),
  };
}

function identityOf(kept: KeptEmbedder | undefined, connections: ConnectionSource): string {
  if (kept === undefined) return '';
  const asked = connections.find(kept.connection);
  const leadsTo = asked === undefined ? kept.connection : connectionIdentity(asked);
  return ` ${leadsTo} ${kept.model ?? ''}`;
}

function embedderPart(name: string, connections: ConnectionSource): FingerprintInputs {
  const found = connections.find(name);
  return found === undefined ? {} : { [`connection ${name}`]: partOf(connectionIdentity(found)) };
}

async function openAtService(
  node: NodeDefinition,
  settings: LookupSettings,
  { connections }: PrepareContext,
  services: EmbedderServices,
): Promise<OpenedIndex> {
  const connection = requireConnection(node.connection, node.name, connections);
  requireSearchService(connection, node.name);
  const { azureSearchIndex } = await import('../azure-search/azure-search-index.ts');
  const { embedder, index: name, columns, semantic } = settings;
  const index = await azureSearchIndex(connection, {
    name,
    ...(columns === undefined ? {} : { columns }),
    ...(semantic === undefined ? {} : { semantic }),
    ...(embedder === undefined ? {} : { openEmbedder: embedderFor(embedder, node.name, connections, services) }),
  });
  const parts = (): FingerprintInputs => ({
    [`index ${name}`]: partOf(connectionIdentity(connection)),
    ...(embedder === undefined ? {} : embedderPart(embedder.connection, connections)),
  });
  return { index, parts, effects: 'reads unseen' };
}

function embedderFor(
  kept: KeptEmbedder,
  node: string,
  connections: PrepareContext['connections'],
  services: EmbedderServices,
): OpenEmbedder {
  return () => orRefusal(openEmbedder(requireConnection(kept.connection, node, connections), kept, services));
}

async function orRefusal(opening: ReturnType<typeof openEmbedder>): ReturnType<OpenEmbedder> {
  const opened = await opening;
  return typeof opened === 'string'
    ? { ok: false, error: { code: 'EmbeddingError', message: opened, retryable: false } }
    : opened;
}

function requireSearchService({ type, name }: Connection, node: string): void {
  if (type === 'cognitive_search') return;
  throw indexRefusal(
    'InvalidConnectionType',
    `the connection "${name}" of the lookup node "${node}" is ${type}; expected cognitive_search (Azure AI Search)`,
  );
}

function requireInFolder(path: string, files: FlowFiles): string {
  const file = files.resolve(path);
  if (file !== undefined) return file;
  throw indexRefusal('IndexNotFound', `index "${path}" leads out of the flow's folder`);
}

function indexRefusal(code: string, message: string): PrepareError {
  return new PrepareError({ code, message, retryable: false });
}
