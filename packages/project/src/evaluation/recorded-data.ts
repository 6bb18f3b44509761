import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DataSource, openData } from '@unroll/engine';
import type { BulkSettings } from '../bulk/bulk-settings.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { openRecord } from '../records/open-record.ts';

/**
 * The data that a run was made of; undefined where it is not there as it was then.
 *
 * @param record file of the run
 */
export async function recordedData(record: string, host: ProjectHost): Promise<DataSource | undefined> {
  await using store = await openRecord(record, host);
  const { data, options } = store.info;
  if (data?.path === undefined || data.path === '-' || data.digest === undefined) return undefined;
  const file = resolve(host.folder, data.path);
  if (!existsSync(file)) return undefined;
  const { dataFormat: format, encoding } = (options?.['bulk'] ?? {}) as Pick<BulkSettings, 'dataFormat' | 'encoding'>;
  const opened = await openData(file, { format, encoding });
  return opened.ok && opened.data.digest === data.digest ? opened.data : undefined;
}
