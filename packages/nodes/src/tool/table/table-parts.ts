import {
  connectionIdentity,
  type FingerprintInputs,
  type JsonValue,
  type PrepareContext,
  stringifyJson,
  type Tool,
  textHash,
} from '@unroll/engine';
import { codeParts } from '../../code/code-parts.ts';
import { partsOnce } from '../../code/parts-once.ts';
import { pythonFileParts } from '../../python/flow-workers.ts';
import type { ToolEntry, ToolExecutor, ToolTableDefinition } from './tool-definition.ts';

/** What the answers of a table's tools depend on: their definitions, the code behind them, the connections they use. */
export async function toolTableParts(
  definition: ToolTableDefinition,
  opened: readonly Tool[],
  context: PrepareContext,
): Promise<FingerprintInputs> {
  const entries = JSON.parse(JSON.stringify(definition.entries)) as JsonValue;
  // What a server offers is no part of the definition.
  const offered = opened.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const parts: Record<string, string> = { tools: textHash(stringifyJson([entries, offered])) };
  for (const entry of definition.entries) Object.assign(parts, await entryParts(entry, context));
  return parts;
}

async function entryParts(entry: ToolEntry, context: PrepareContext): Promise<FingerprintInputs> {
  if (entry.kind === 'tool') return await executorParts(entry.tool.executor, context);
  return connectionParts(entry.server.transport.connection, context);
}

async function executorParts(executor: ToolExecutor, context: PrepareContext): Promise<FingerprintInputs> {
  if (executor.kind === 'code') return await fileParts(context.files.resolve(executor.path) ?? '', context);
  if (executor.kind === 'lambda' && executor.target.connection === 'offline' && executor.target.local !== undefined) {
    return await fileParts(context.files.resolve(executor.target.local) ?? '', context);
  }
  const name =
    executor.kind === 'http' || executor.kind === 'toolbench'
      ? executor.connection
      : executor.kind === 'lambda'
        ? executor.target.connection
        : undefined;
  return connectionParts(name, context);
}

function connectionParts(name: string | undefined, context: PrepareContext): FingerprintInputs {
  const connection = name === undefined ? undefined : context.connections.find(name);
  return connection === undefined ? {} : { [`connection ${name}`]: connectionIdentity(connection) };
}

function fileParts(path: string, context: PrepareContext): Promise<FingerprintInputs> {
  return partsOnce(context.flow, path, () =>
    path.endsWith('.py') ? pythonFileParts(path, context) : codeParts(path, context),
  );
}
