import type { Connection, Embedder, NodeError, SearchFilter, SearchIndex } from '@unroll/engine';
import {
  azureSearchIndex,
  embeddedIndex,
  explainFilter,
  type KeptEmbedder,
  keptDigest,
  openEmbedder,
  openEmbedderOf,
  readIndexSettings,
} from '@unroll/nodes/build-index';
import { composeEmbedders } from '../connections/compose.ts';
import type { System } from '../host/project-host.ts';
import { connectionNamed, requireSearch } from './index-connection.ts';
import { openIndexFile } from './open-index-file.ts';

/** An index that can be searched as a lookup node does. */
export type OpenedIndex = SearchIndex &
  AsyncDisposable & {
    /** Why a filter passes nothing, where that is known. */
    explain(filter: SearchFilter): string | undefined;
    /** Not while a build into its file is under way, nor once one was killed: what is found is not all there is to find. */
    readonly isFinished: boolean;
  };

export interface IndexQuerySettings {
  /** Looked into before all others. */
  readonly connectionsFile?: string | undefined;
  /** In place of the model that the index was made with. */
  readonly embedder?: KeptEmbedder | undefined;
  /** A connection to Azure AI Search, where the index is then. */
  readonly azure?: string | undefined;
  /** A semantic configuration there. */
  readonly semantic?: string | undefined;
}

/** The index that a query names: a file, or one of Azure AI Search. @throws ProjectFailure */
export async function openIndexForQuery(
  given: string,
  { connectionsFile, embedder: named, azure, semantic }: IndexQuerySettings,
  system: System,
): Promise<OpenedIndex> {
  const { connections, services } = composeEmbedders(system, connectionsFile);
  const find = (name: string): Connection => connectionNamed(name, connections, system);
  if (azure !== undefined) {
    const index = await azureSearchIndex(requireSearch(find(azure)), {
      name: given,
      ...(semantic === undefined ? {} : { semantic }),
      ...(named === undefined
        ? {}
        : { openEmbedder: () => orRefusal(openEmbedder(find(named.connection), named, services)) }),
    });
    return { ...index, explain: () => undefined, isFinished: true, [Symbol.asyncDispose]: async () => undefined };
  }
  const database = openIndexFile(given, system, 'read');
  const kept: KeptEmbedder | undefined = named ?? readIndexSettings(database).embedder;
  const index =
    kept === undefined
      ? embeddedIndex(database)
      : embeddedIndex(database, () => orRefusal(openEmbedderOf(database, find(kept.connection), kept, services)));
  return {
    ...index,
    explain: (filter) => explainFilter(database, filter),
    isFinished: keptDigest(database) !== undefined,
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

async function orRefusal(
  opening: Promise<Embedder | string>,
): Promise<Embedder | { readonly ok: false; readonly error: NodeError }> {
  const opened = await opening;
  return typeof opened === 'string'
    ? { ok: false, error: { code: 'EmbeddingError', message: opened, retryable: false } }
    : opened;
}
