import { resolve } from 'node:path';
import { type DataSource, type OpenDataOptions, openData, type RunInfo } from '@unroll/engine';
import type { BulkSettings } from './bulk-settings.ts';

/** The data that a run was made of, as it is now. */
export type RecordedData = { readonly path: string } & (
  | { readonly state: 'same' | 'changed'; readonly data: DataSource }
  | { readonly state: 'unreadable'; readonly message: string }
);

/**
 * Opens the data that a run was made of, in the form it was given in; undefined where it was no file or folder.
 *
 * @param folder where its path starts from, absolute
 */
export async function openRecordedData(
  { data, options }: RunInfo,
  folder: string,
  located?: OpenDataOptions['located'],
): Promise<RecordedData | undefined> {
  const { path, digest } = data ?? {};
  // Standard input has none, and neither has a run.
  if (path === undefined || digest === undefined) return undefined;
  const { dataFormat: format, encoding } = (options?.['bulk'] ?? {}) as Pick<BulkSettings, 'dataFormat' | 'encoding'>;
  const opened = await openData(resolve(folder, path), { format, encoding, located });
  if (!opened.ok) return { path, state: 'unreadable', message: opened.message };
  return { path, state: opened.data.digest === digest ? 'same' : 'changed', data: opened.data };
}
