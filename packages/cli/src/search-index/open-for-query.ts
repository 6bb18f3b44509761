import {
  type Connection,
  didYouMean,
  type Embedder,
  type NodeError,
  type SearchFilter,
  type SearchIndex,
} from '@unroll/engine';
import {
  azureSearchIndex,
  embeddedIndex,
  explainFilter,
  type KeptEmbedder,
  openEmbedder,
  openEmbedderOf,
  readIndexSettings,
} from '@unroll/nodes/build-index';
import { composeEmbedders, ProjectFailure } from '@unroll/project';
import type { Io } from '../io.ts';
import type { QueryIndexSettings } from '../options/index-options.ts';
import { embedderOf } from './embedder-option.ts';
import { openIndexFile } from './open-index-file.ts';

type OpenedForQuery = SearchIndex &
  AsyncDisposable & {
    /** Why a filter passes nothing, where that is known. */
    explain(filter: SearchFilter): string | undefined;
  };

/** The index that a query names: a file, or one of Azure AI Search. @throws ProjectFailure */
export async function openForQuery(settings: QueryIndexSettings, io: Io): Promise<OpenedForQuery> {
  const { connections, services } = composeEmbedders(io, settings.connectionsFile);
  const find = (name: string): Connection => {
    const found = connections.find(name);
    if (found !== undefined) return found;
    const help = didYouMean(name, connections.names()) ?? 'flow connection list shows those there are';
    throw new ProjectFailure(`there is no connection "${name}"`, { code: 'ConnectionNotFoundError', help });
  };
  const named = embedderOf(settings);
  const { index: given, azure } = settings;
  if (azure !== undefined) {
    const semantic = settings.semantic;
    const index = await azureSearchIndex(requireSearch(find(azure)), {
      name: given,
      ...(semantic === undefined ? {} : { semantic }),
      ...(named === undefined
        ? {}
        : { openEmbedder: () => orRefusal(openEmbedder(find(named.connection), named, services)) }),
    });
    return { ...index, explain: () => undefined, [Symbol.asyncDispose]: async () => undefined };
  }
  const database = openIndexFile(given, io, 'read');
  const kept: KeptEmbedder | undefined = named ?? readIndexSettings(database).embedder;
  const index =
    kept === undefined
      ? embeddedIndex(database)
      : embeddedIndex(database, () => orRefusal(openEmbedderOf(database, find(kept.connection), kept, services)));
  return {
    ...index,
    explain: (filter) => explainFilter(database, filter),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

export function requireSearch(connection: Connection): Connection {
  if (connection.type === 'cognitive_search') return connection;
  throw new ProjectFailure(`the connection "${connection.name}" is ${connection.type}; expected cognitive_search`, {
    help: 'flow connection create --name my_search --set type=cognitive_search api_base=https://<name>.search.windows.net',
  });
}

async function orRefusal(
  opening: Promise<Embedder | string>,
): Promise<Embedder | { readonly ok: false; readonly error: NodeError }> {
  const opened = await opening;
  return typeof opened === 'string'
    ? { ok: false, error: { code: 'EmbeddingError', message: opened, retryable: false } }
    : opened;
}
