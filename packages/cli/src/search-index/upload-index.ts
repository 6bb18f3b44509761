import { didYouMean } from '@unroll/engine';
import { type DatabaseSync, uploadIndex as upload } from '@unroll/nodes/build-index';
import { composeConnections, ProjectFailure } from '@unroll/project';
import type { Io } from '../io.ts';
import type { BuildIndexSettings } from '../options/index-options.ts';
import type { BuildDisplay } from './build-progress.ts';
import { requireSearch } from './open-for-query.ts';

/**
 * Makes the index at Azure hold what the file holds, where `--azure` names a connection.
 *
 * @throws ProjectFailure when the service refuses
 */
export async function uploadIndex(
  database: DatabaseSync,
  name: string,
  { azure: named, connectionsFile }: BuildIndexSettings,
  io: Io,
  display: BuildDisplay,
): Promise<{ readonly uploaded?: string }> {
  if (named === undefined) return {};
  const connections = composeConnections(io, io.folder, connectionsFile);
  const connection = connections.find(named);
  if (connection === undefined) {
    const help = didYouMean(named, connections.names()) ?? 'flow connection list shows those there are';
    throw new ProjectFailure(`there is no connection "${named}"`, { code: 'ConnectionNotFoundError', help });
  }
  const result = await upload(database, requireSearch(connection), {
    name,
    signal: io.interruption(),
    onProgress: (done, total) => display.show({ stage: 'upload', done, total }),
  });
  display.clear();
  if (!result.ok) throw new ProjectFailure(result.error.message, { code: result.error.code, kind: 'failed' });
  const { uploaded, removed, unchanged, leftOut } = result;
  const unasked = leftOut.length === 0 ? '' : `; filters cannot ask for ${leftOut.join(', ')} there`;
  return { uploaded: `${name} at Azure: ${uploaded} sent, ${removed} deleted, ${unchanged} unchanged${unasked}` };
}
