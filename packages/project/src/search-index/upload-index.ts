import { type DatabaseSync, uploadIndex as upload } from '@unroll/nodes/build-index';
import { composeConnections } from '../connections/compose.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import type { FollowedBuild } from './fill-index.ts';
import { connectionNamed, requireSearch } from './index-connection.ts';

/** What of an index at Azure AI Search changed; counts are of documents. */
export interface Upload {
  /** What the index is called there. */
  readonly name: string;
  readonly uploaded: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Fields that filters cannot ask for there. */
  readonly leftOut: readonly string[];
}

/**
 * Makes the index at Azure hold what the file holds.
 *
 * @throws ProjectFailure when the service refuses
 */
export async function uploadIndex(
  database: DatabaseSync,
  {
    name,
    azure,
    connectionsFile,
  }: { readonly name: string; readonly azure: string; readonly connectionsFile?: string | undefined },
  { signal, onProgress }: FollowedBuild,
  system: System,
): Promise<Upload> {
  const connection = connectionNamed(azure, composeConnections(system, system.folder, connectionsFile), system);
  const result = await upload(database, requireSearch(connection), {
    name,
    signal,
    onProgress: (done, total) => onProgress?.({ stage: 'upload', done, total }),
  });
  if (!result.ok) throw new ProjectFailure(result.error.message, { code: result.error.code, kind: 'failed' });
  const { uploaded, removed, unchanged, leftOut } = result;
  return { name, uploaded, removed, unchanged, leftOut };
}
