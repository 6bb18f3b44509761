import type { Connection, Embedder } from '@unroll/engine';
import { type DatabaseSync, readSetting } from '../embedded-index/index-database.ts';
import type { KeptEmbedder } from '../embedded-index/index-settings.ts';
import type { Clock } from '../llm/concurrency-limiter.ts';
import type { OpenService } from '../llm/find-service.ts';
import { offlineEmbedder, readRarity } from './offline-embedder.ts';
import { serviceEmbedder } from './service-embedder.ts';

/** What embedders are opened with. */
export interface EmbedderServices {
  readonly openService: OpenService;
  readonly clock: Clock;
}

/** Whether vectors of a connection are worked out here, from the documents of the index alone. */
export function isOffline({ type }: Connection): boolean {
  return type === 'offline';
}

/**
 * The embedder of an index, whose vectors of queries go with the vectors in it.
 *
 * @returns a sentence where there is none: the connection is no model, or another model made the vectors
 */
export async function openEmbedderOf(
  database: DatabaseSync,
  connection: Connection,
  kept: KeptEmbedder,
  services: EmbedderServices,
): Promise<Embedder | string> {
  const made = readSetting(database, 'embedder');
  const embedder = await openEmbedder(connection, kept, services, readSetting(database, 'rarity'));
  if (typeof embedder === 'string' || made === undefined || made === embedder.model) return embedder;
  return `the vectors of the index were made by ${made}; ${embedder.model} makes others`;
}

/** @param rarity what the offline embedder has learned of the documents */
export async function openEmbedder(
  connection: Connection,
  { model, dimensions }: KeptEmbedder,
  { openService, clock }: EmbedderServices,
  rarity?: string,
): Promise<Embedder | string> {
  if (isOffline(connection)) {
    return rarity === undefined
      ? 'the offline embedder learns from the documents of an index of flow index build, and this one was not made with it'
      : offlineEmbedder(readRarity(rarity));
  }
  const service = await openService(connection);
  if (service === undefined) return `the connection "${connection.name}" (${connection.type}) is no embedding model`;
  if (model === undefined)
    return `which embedding model of the connection "${connection.name}"? Give its name, at Azure that of its deployment`;
  return serviceEmbedder(service, { model, dimensions }, clock);
}
