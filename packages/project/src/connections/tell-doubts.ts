import type { ListedConnectionSource } from '@unroll/nodes';
import type { System } from '../host/project-host.ts';

/** Tells what is doubtful of a connection before it is asked: where a key is misspelt another server may be asked than is meant. */
export function tellDoubts(name: string, connections: ListedConnectionSource, { report }: System): void {
  const diagnostics = connections.doubts(name);
  if (diagnostics.length > 0) report?.({ type: 'notice', notice: { kind: 'diagnostics', diagnostics } });
}
