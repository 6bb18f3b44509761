import type { JsonObject, JsonValue } from '@unroll/engine';
import { parseJson, stringifyJson } from '@unroll/engine/values';
import { type DatabaseSync, readSetting, writeSetting } from './index-database.ts';

/** What an index was made with; a later build into the same file keeps to it. */
export interface IndexSettings {
  readonly embedder?: KeptEmbedder;
  readonly chunks: { readonly tokens: number; readonly overlap: number };
  /** Files and folders its documents come from, relative to the folder of the index. */
  readonly roots: readonly string[];
}

/** An embedding model as an index names it. */
export interface KeptEmbedder {
  readonly connection: string;
  readonly model?: string;
  readonly dimensions?: number;
}

export function readIndexSettings(database: DatabaseSync): IndexSettings {
  const kept = readSetting(database, 'settings');
  if (kept === undefined) return { chunks: { tokens: 0, overlap: 0 }, roots: [] };
  return parseJson(kept) as unknown as IndexSettings;
}

export function writeIndexSettings(database: DatabaseSync, settings: IndexSettings): void {
  writeSetting(database, 'settings', stringifyJson(settings as unknown as JsonObject as JsonValue));
}

/** Whether vectors are in it: before the first one no model has made any, whichever was asked. */
export function hasVectors(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM embeddings LIMIT 1').get() !== undefined;
}
