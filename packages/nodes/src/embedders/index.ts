import type { Connection, Embedder } from '@unroll/engine';
import { learnRarity, offlineEmbedder } from './offline-embedder.ts';
import { type EmbedderServices, isOffline, openEmbedder } from './open-embedder.ts';

export type { EmbedderServices } from './open-embedder.ts';

/**
 * An embedder for texts of no index, compared with each other. The offline one weighs all words alike then.
 *
 * @returns a sentence where the connection is no embedding model
 */
export async function openTextEmbedder(
  connection: Connection,
  model: string | undefined,
  services: EmbedderServices,
): Promise<Embedder | string> {
  if (isOffline(connection)) return offlineEmbedder(learnRarity([]));
  return await openEmbedder(
    connection,
    { connection: connection.name, ...(model === undefined ? {} : { model }) },
    services,
  );
}
