import type { Span } from '@unroll/engine';
import { missingFile, mistake } from '../../errors/mistake-in-file.ts';
import { schemaDoubts, schemaMistakes } from './check-definition.ts';
import { requireFunction } from './check-function.ts';
import { limitsOf } from './described-tool.ts';
import { type OpenApiOperation, readOpenApi } from './read-openapi.ts';
import { type Locate, type Reading, requireCode } from './table-reading.ts';
import type { ToolDefinition, ToolEntry, ToolExecutor } from './tool-definition.ts';
import type { WrittenEntry } from './tool-schema.ts';
import { uniqueToolNames } from './unique-tool-names.ts';

/** A tool for each chosen operation of an OpenAPI document. */
export function openApiEntries(entry: WrittenEntry<'openapi'>, locate: Locate, read: Reading): readonly ToolEntry[] {
  const file = read.files.read(entry.openapi);
  if (file === undefined) {
    read.diagnostics.push(missingFile(entry.openapi, locate(['openapi']), read.files));
    return [];
  }
  read.seen.add(entry.openapi);
  if (entry.code !== undefined && !requireCode(entry.code, locate(['code']), read)) return [];
  const { operations, diagnostics } = readOpenApi(file);
  read.diagnostics.push(...diagnostics);
  const known = operations.map(({ operation }) => operation.operationId);
  for (const name of (entry.operations ?? []).filter((one) => !known.includes(one))) {
    const message = `${entry.openapi} has no operation "${name}"`;
    read.diagnostics.push(
      mistake('TOOL_UNKNOWN', message, locate(['operations']), `there are ${known.join(', ') || 'none'}`),
    );
  }
  const names = uniqueToolNames(known);
  return operations.flatMap((one, at) => {
    const isTaken = entry.operations?.includes(one.operation.operationId) ?? true;
    return isTaken ? operationTool(names[at] ?? '', one, entry, locate, read) : [];
  });
}

function operationTool(
  name: string,
  { operation, description, parameters, place, isSafe, doubts }: OpenApiOperation,
  entry: WrittenEntry<'openapi'>,
  locate: Locate,
  read: Reading,
): readonly ToolEntry[] {
  const { action_group: group, effects, return_direct: returnDirect = false } = entry;
  const { code } = entry;
  const asked = { name: operation.operationId, parameters };
  if (code !== undefined && !requireFunction(code, asked, locate(['code']), read)) return [];
  if (leadsNowhere(entry, operation)) {
    const message = `nobody says where the service of "${operation.operationId}" is`;
    read.diagnostics.push(
      mistake('TOOL_OPENAPI', message, locate(['openapi']), 'write base_url, or servers in the document'),
    );
    return [];
  }
  const tool: ToolDefinition = {
    name,
    description,
    parameters,
    effects: effects ?? (isSafe ? 'reads' : 'writes'),
    returnDirect,
    ...limitsOf(entry),
    executor: operationExecutor(entry, operation.operationId),
    operation: { ...operation, ...(group === undefined ? {} : { group }) },
  };
  const inDocument = (): Span | undefined => place ?? locate(['openapi']);
  const wrong = schemaMistakes(tool, inDocument);
  read.diagnostics.push(...doubts, ...wrong, ...schemaDoubts(tool, inDocument));
  return wrong.length === 0 ? [{ kind: 'tool', tool }] : [];
}

/** By the rule of `http-tool.ts`; a connection may say it. */
function leadsNowhere(entry: WrittenEntry<'openapi'>, { server }: OpenApiOperation['operation']): boolean {
  const { code, return_control: returnsControl, connection, base_url: baseUrl } = entry;
  if (code !== undefined || returnsControl === true) return false;
  const base = baseUrl ?? (connection === undefined ? (server ?? '') : undefined);
  return base !== undefined && !/^https?:\/\//.test(base);
}

function operationExecutor(entry: WrittenEntry<'openapi'>, operationId: string): ToolExecutor {
  const { code, return_control: returnsControl, connection, base_url: baseUrl } = entry;
  if (code !== undefined) return { kind: 'code', path: code, functionName: operationId };
  if (returnsControl === true) return { kind: 'ends', status: 'returned_control' };
  return {
    kind: 'http',
    ...(connection === undefined ? {} : { connection }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}
