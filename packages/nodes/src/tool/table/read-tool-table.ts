import type { Diagnostic } from '@unroll/engine';
import { mistake } from '../../errors/mistake-in-file.ts';
import type { McpServer } from '../../mcp/index.ts';
import { checkEntry } from './check-entry.ts';
import { requireFunction } from './check-function.ts';
import { repeatedNames, tooManyPrograms } from './check-tool-names.ts';
import { described, limitsOf } from './described-tool.ts';
import { lambdaEntry, lambdaFileEntries } from './lambda-entries.ts';
import { openApiEntries } from './openapi-entries.ts';
import { readToolbench } from './read-toolbench.ts';
import { type Files, type Locate, type PlacedEntry, type Reading, requireCode } from './table-reading.ts';
import type { ToolEntry, ToolExecutor, ToolTableDefinition } from './tool-definition.ts';
import type { WrittenEntry } from './tool-schema.ts';
import { findTools, type ToolOwner, type WrittenTools } from './written-tools.ts';

export interface ReadToolTable {
  /** What of the table has no mistake. */
  readonly table: ToolTableDefinition;
  readonly diagnostics: readonly Diagnostic[];
}

/** The tools of a node, checked: every mistake with its place. Starts nothing and asks nobody. */
export function readToolTable(node: ToolOwner, files: Files): ReadToolTable {
  const found = findTools(node, files);
  const read: Reading = {
    files,
    diagnostics: [...found.diagnostics],
    seen: new Set(found.file === undefined ? [] : [found.file]),
  };
  const { written } = found;
  const entries = written?.entries.flatMap((_entry, index) => readEntry(index, written, read)) ?? [];
  read.diagnostics.push(...repeatedNames(entries, written), ...tooManyPrograms(entries, written));
  return {
    table: { entries: entries.map(({ entry }) => entry), files: [...read.seen] },
    diagnostics: read.diagnostics,
  };
}

function readEntry(index: number, written: WrittenTools, read: Reading): readonly PlacedEntry[] {
  const checked = checkEntry(written.entries[index] ?? null, index, written);
  if ('diagnostics' in checked) {
    read.diagnostics.push(...checked.diagnostics);
    return [];
  }
  const locate: Locate = (path, part) => written.locate([index, ...path], part);
  return entriesOf(checked, locate, read).map((entry) => ({ entry, index }));
}

type Checked = Extract<ReturnType<typeof checkEntry>, { kind: string }>;

function entriesOf(checked: Checked, locate: Locate, read: Reading): readonly ToolEntry[] {
  switch (checked.kind) {
    case 'mcp':
      return mcpEntry(checked.entry, locate, read);
    case 'lambda_files':
      return lambdaFileEntries(checked.entry, locate, read);
    case 'openapi':
      return openApiEntries(checked.entry, locate, read);
    case 'toolbench':
      return toolbenchEntries(checked.entry, locate, read);
    case 'lambda':
      return lambdaEntry(checked.entry, locate, read);
    case 'code':
      return codeEntry(checked.entry, locate, read);
    case 'return_control':
      return described(checked.entry, { kind: 'ends', status: 'returned_control' }, locate, read);
    case 'ends':
      return described(checked.entry, { kind: 'ends', status: checked.entry.ends }, locate, read);
  }
}

function toolbenchEntries(entry: WrittenEntry<'toolbench'>, locate: Locate, read: Reading): readonly ToolEntry[] {
  const { tools, diagnostics } = readToolbench(entry, locate, read.files);
  read.diagnostics.push(...diagnostics);
  read.seen.add(entry.catalogue);
  return tools.map((tool) => ({ kind: 'tool', tool: { ...tool, ...limitsOf(entry) } }));
}

function mcpEntry(
  { mcp, allow, prefix = '', ...limits }: WrittenEntry<'mcp'>,
  locate: Locate,
  read: Reading,
): readonly ToolEntry[] {
  const { name, command, args = [], env = {}, url, connection } = mcp;
  if ((command === undefined) === (url === undefined)) {
    const message = `MCP server "${name}" needs either a command or a url`;
    read.diagnostics.push(mistake('TOOL_EXECUTOR', message, locate(['mcp', 'name'])));
    return [];
  }
  const more = connection === undefined ? {} : { connection };
  const transport: McpServer['transport'] =
    url === undefined
      ? { kind: 'stdio', command: command ?? '', arguments: args, environment: env, ...more }
      : { kind: 'http', url, ...more };
  return [{ kind: 'mcp', server: { name, transport, allow, prefix, ...limitsOf(limits) } }];
}

function codeEntry(entry: WrittenEntry<'code'>, locate: Locate, read: Reading): readonly ToolEntry[] {
  if (!requireCode(entry.code, locate(['code']), read)) return [];
  const name = entry.function ?? entry.name;
  const executor: ToolExecutor = { kind: 'code', path: entry.code, functionName: name };
  const entries = described(entry, executor, locate, read);
  const span = locate([entry.function === undefined ? 'name' : 'function']);
  const isThere = requireFunction(entry.code, { name, parameters: entry.parameters ?? {} }, span, read);
  return isThere ? entries : [];
}
