import type { ConnectionDoubt, ConnectionSource } from '@unroll/engine';
import { didYouMean } from '@unroll/engine';
import type { ToolEntry, ToolTableDefinition } from './tool-definition.ts';

/** Connections that tools of a table name and that are not there, or with which they cannot be made ready. */
export function toolConnectionDoubts(
  { entries }: ToolTableDefinition,
  connections: ConnectionSource,
): readonly ConnectionDoubt[] {
  return entries.flatMap((entry): readonly ConnectionDoubt[] => {
    const { connection: name, of } = connectionOf(entry);
    if (name === undefined || connections.problem?.(name) !== undefined) return [];
    const known = connections.names();
    const connection = connections.find(name);
    if (connection === undefined && !known.includes(name))
      return [
        {
          isCertain: true,
          isMissing: true,
          message: `there is no connection "${name}" for ${of}`,
          help: didYouMean(name, known) ?? 'define it in connections.yaml, or with flow connection create',
          path: ['tools'],
        },
      ];
    const isAlone = entry.kind === 'tool' && entry.tool.executor.kind === 'lambda' && connection?.type === 'offline';
    if (!isAlone || entry.tool.executor.target.local !== undefined) return [];
    return [
      {
        isCertain: true,
        message: `${of} cannot run offline`,
        help: 'write where the program lies, `local`',
        path: ['tools'],
      },
    ];
  });
}

function connectionOf(entry: ToolEntry): { readonly connection?: string | undefined; readonly of: string } {
  if (entry.kind === 'mcp')
    return { connection: entry.server.transport.connection, of: `MCP server "${entry.server.name}"` };
  const { executor, name } = entry.tool;
  const of = `tool "${name}"`;
  if (executor.kind === 'lambda') return { connection: executor.target.connection, of };
  return 'connection' in executor ? { connection: executor.connection, of } : { of };
}
