import type { Connection, ConnectionDoubt, ConnectionSource } from '@unroll/engine';
import { didYouMean } from '@unroll/engine';
import type { ToolDefinition, ToolEntry, ToolTableDefinition } from './tool-definition.ts';

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
    return entry.kind === 'tool' && connection !== undefined ? unfitConnection(entry.tool, connection, of) : [];
  });
}

function unfitConnection(tool: ToolDefinition, connection: Connection, of: string): readonly ConnectionDoubt[] {
  const { executor } = tool;
  const doubt = (message: string, help: string): ConnectionDoubt => ({
    isCertain: true,
    message,
    help,
    path: ['tools'],
  });
  if (leadsNowhere(tool, connection)) {
    const message = `connection "${connection.name}" does not say where the service of ${of} is`;
    return [doubt(message, 'write base_url in its configs or at the tool, or servers in the document')];
  }
  const isAlone = executor.kind === 'lambda' && connection.type === 'offline' && executor.target.local === undefined;
  return isAlone ? [doubt(`${of} cannot run offline`, 'write where the program lies, `local`')] : [];
}

/** By the rule of `http-tool.ts`. */
function leadsNowhere({ executor, operation }: ToolDefinition, { configs }: Connection): boolean {
  if (executor.kind !== 'http') return false;
  const base = executor.baseUrl ?? configs['base_url'] ?? operation?.server;
  return base === undefined || !/^https?:\/\//.test(base);
}

function connectionOf(entry: ToolEntry): { readonly connection?: string | undefined; readonly of: string } {
  if (entry.kind === 'mcp')
    return { connection: entry.server.transport.connection, of: `MCP server "${entry.server.name}"` };
  const { executor, name } = entry.tool;
  const of = `tool "${name}"`;
  if (executor.kind === 'lambda') return { connection: executor.target.connection, of };
  return 'connection' in executor ? { connection: executor.connection, of } : { of };
}
