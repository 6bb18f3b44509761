import type { Diagnostic, FlowFiles, Values } from '@unroll/engine';
import { type ArgumentDefinition, argumentSchema, callTimeoutMs, responseLimit, toolLimit } from '../lambda/index.ts';
import type { McpServer } from '../mcp/index.ts';
import { nameMistakes, schemaMistakes } from './check-definition.ts';
import { checkEntry } from './check-entry.ts';
import { readLambdaFiles } from './read-lambda-files.ts';
import { type OpenApiOperation, readOpenApi } from './read-openapi.ts';
import { readToolbench } from './read-toolbench.ts';
import { toldNames } from './told-names.ts';
import {
  defaultMostBytes,
  defaultTimeoutMs,
  type ToolDefinition,
  type ToolEntry,
  type ToolExecutor,
  type ToolTableDefinition,
} from './tool-definition.ts';
import type { WrittenEntry } from './tool-schema.ts';
import { findTools, missingFile, mistake, type Path, type ToolOwner, type WrittenTools } from './written-tools.ts';

export interface ReadToolTable {
  /** What of the table has no mistake. */
  readonly table: ToolTableDefinition;
  readonly diagnostics: readonly Diagnostic[];
}

type Files = Pick<FlowFiles, 'read' | 'list' | 'resolve'>;

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

interface Reading {
  readonly files: Files;
  readonly diagnostics: Diagnostic[];
  readonly seen: Set<string>;
}

interface PlacedEntry {
  readonly entry: ToolEntry;
  readonly index: number;
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

type Locate = (path: Path, part?: 'key' | 'value') => ReturnType<WrittenTools['locate']>;
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

interface WrittenLimits {
  readonly timeout?: number | undefined;
  readonly max_bytes?: number | undefined;
}

function limitsOf({ timeout, max_bytes: most }: WrittenLimits): Pick<ToolDefinition, 'timeoutMs' | 'mostBytes'> {
  return { timeoutMs: timeout === undefined ? defaultTimeoutMs : timeout * 1000, mostBytes: most ?? defaultMostBytes };
}

type Described = WrittenEntry<'code' | 'lambda' | 'return_control' | 'ends'>;

const noArguments: Values = { type: 'object', properties: {} };

/** The tool an entry describes; none where its name or its schema is wrong. */
function described(
  { name, description, effects, return_direct: returnDirect = false, ...rest }: Described,
  executor: ToolExecutor,
  locate: Locate,
  read: Reading,
  parameters: Values = (rest.parameters as Values | undefined) ?? noArguments,
): readonly ToolEntry[] {
  const tool: ToolDefinition = {
    name: executor.kind === 'lambda' ? (toldNames([name])[0] ?? name) : name,
    description,
    parameters,
    effects: effects ?? (executor.kind === 'lambda' ? 'writes' : 'reads'),
    returnDirect,
    ...limitsOf(rest),
    executor,
  };
  const wrong = [...nameMistakes(name, executor, locate), ...schemaMistakes(tool, locate)];
  read.diagnostics.push(...wrong);
  return wrong.length === 0 ? [{ kind: 'tool', tool }] : [];
}

const codeEnding = /\.(?:[cm]?[jt]s|py)$/;

function codeEntry(entry: WrittenEntry<'code'>, locate: Locate, read: Reading): readonly ToolEntry[] {
  if (!requireCode(entry.code, locate(['code']), read)) return [];
  const executor: ToolExecutor = { kind: 'code', path: entry.code, functionName: entry.function ?? entry.name };
  return described(entry, executor, locate, read);
}

function requireCode(path: string, span: ReturnType<Locate>, read: Reading): boolean {
  if (read.files.read(path) === undefined) {
    read.diagnostics.push(missingFile(path, span, read.files));
    return false;
  }
  if (codeEnding.test(path)) return true;
  read.diagnostics.push(mistake('FLOW_WRONG_VALUE', `"${path}" is no code file; it must end in .py, .ts or .js`, span));
  return false;
}

function lambdaEntry(entry: WrittenEntry<'lambda'>, locate: Locate, read: Reading): readonly ToolEntry[] {
  const { lambda, args, handle = {}, ...rest } = entry;
  const { function: functionName, region, endpoint, connection, role_arn: role, local } = lambda;
  if (local !== undefined && !requireCode(local, locate(['lambda', 'local']), read)) return [];
  const executor: Extract<ToolExecutor, { kind: 'lambda' }> = {
    kind: 'lambda',
    target: present({ functionName, region, endpoint, connection, role, local }),
    lambda: present({
      name: entry.name,
      args: args as unknown as readonly ArgumentDefinition[] | undefined,
      loggingArgsSchema: handle.logging_args_schema,
      raiseFunctionProcessingError: handle.raise_function_processing_error,
    }),
  };
  const limits = { timeout: rest.timeout ?? callTimeoutMs / 1000, max_bytes: rest.max_bytes ?? responseLimit };
  const schema = args === undefined ? undefined : lambdaSchema(executor.lambda.args ?? [], entry.name, locate, read);
  if (args !== undefined && schema === undefined) return [];
  return described({ ...rest, lambda, ...limits }, executor, locate, read, schema);
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its members that are undefined. */
function present<T extends object>(given: T): Present<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}

function lambdaSchema(
  args: readonly ArgumentDefinition[],
  name: string,
  locate: Locate,
  read: Reading,
): Values | undefined {
  const built = argumentSchema(args);
  if (built.ok) return built.schema;
  for (const { message, path } of built.problems) {
    const text = `argument "${path}" of tool "${name}": ${message}`;
    read.diagnostics.push(mistake('TOOL_PARAMETERS', text, locate(['args']) ?? locate(['name'])));
  }
  return undefined;
}

function lambdaFileEntries(entry: WrittenEntry<'lambda_files'>, locate: Locate, read: Reading): readonly ToolEntry[] {
  const { lambda_files: paths, use, connection, endpoint, local: folder } = entry;
  const found = readLambdaFiles(paths, locate(['lambda_files']), read.files);
  read.diagnostics.push(...found.diagnostics);
  for (const path of [paths.tools, paths.assistant]) read.seen.add(path);
  const names = found.tools.map(({ name }) => name);
  // Of files that cannot be read it cannot be told what they define.
  const isRead = found.diagnostics.length === 0;
  for (const name of (use ?? []).filter((one) => isRead && !names.includes(one))) {
    const message = `${paths.tools} defines no tool "${name}"`;
    read.diagnostics.push(mistake('TOOL_UNKNOWN', message, locate(['use'])));
  }
  const wanted =
    use === undefined ? found.tools : use.flatMap((name) => found.tools.filter((one) => one.name === name));
  return [...new Set(wanted)].flatMap((tool) => {
    const local = folder === undefined ? undefined : `${folder}/${localName(tool.functionName)}.ts`;
    const { functionName, region, roleArn } = tool;
    const place = { function: functionName, region, connection, endpoint, role_arn: roleArn, local };
    const handle = {
      logging_args_schema: tool.loggingArgsSchema,
      raise_function_processing_error: tool.raiseFunctionProcessingError,
    };
    const { name, description, args } = tool;
    const written = { name, description, lambda: place, args: args as unknown as Record<string, unknown>[], handle };
    return lambdaEntry(written, tool.locate, read);
  });
}

/** The name in an ARN or `name:qualifier`. */
function localName(functionName: string): string {
  const [, inArn] = /:function:([^:]+)/.exec(functionName) ?? [];
  return inArn ?? functionName.replace(/:.*$/, '');
}

function openApiEntries(entry: WrittenEntry<'openapi'>, locate: Locate, read: Reading): readonly ToolEntry[] {
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
  const names = toldNames(known);
  return operations.flatMap((one, at) => {
    const isTaken = entry.operations?.includes(one.operation.operationId) ?? true;
    return isTaken ? operationTool(names[at] ?? '', one, entry, locate, read) : [];
  });
}

function operationTool(
  name: string,
  { operation, description, parameters, isSafe }: OpenApiOperation,
  entry: WrittenEntry<'openapi'>,
  locate: Locate,
  read: Reading,
): readonly ToolEntry[] {
  const { action_group: group, effects, return_direct: returnDirect = false } = entry;
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
  const wrong = schemaMistakes(tool, () => locate(['openapi']));
  read.diagnostics.push(...wrong);
  return wrong.length === 0 ? [{ kind: 'tool', tool }] : [];
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

function repeatedNames(entries: readonly PlacedEntry[], written: WrittenTools | undefined): readonly Diagnostic[] {
  const seen = new Set<string>();
  return entries.flatMap(({ entry, index }) => {
    if (entry.kind !== 'tool') return [];
    const { name } = entry.tool;
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [mistake('TOOL_TWICE', `there are two tools "${name}"`, written?.locate([index, 'name']))];
  });
}

/** Level W of the manual: the agent goes on with the first ten. */
function tooManyPrograms(entries: readonly PlacedEntry[], written: WrittenTools | undefined): readonly Diagnostic[] {
  const programs = entries.filter(({ entry }) => entry.kind === 'tool' && entry.tool.executor.kind === 'lambda');
  const first = programs[toolLimit];
  if (first === undefined) return [];
  const names = programs.slice(toolLimit).map(({ entry }) => (entry.kind === 'tool' ? entry.tool.name : ''));
  const message = `an agent has at most ${toolLimit} user programs; these are left out: ${names.join(', ')}`;
  return [{ ...mistake('TOOL_LIMIT', message, written?.locate([first.index])), severity: 'warning' }];
}
