import {
  type Diagnostic,
  type FlowFiles,
  isMapping,
  type JsonObject,
  type JsonValue,
  parseYaml,
  type Span,
  valueAt,
} from '@unroll/engine';
import * as z from 'zod';
import { missingFile, mistake, nearestPlace } from '../../errors/mistake-in-file.ts';
import { shapeMistakes } from '../../errors/shape-mistakes.ts';
import { type ArgumentDefinition, argumentDefinition, isToolDescription, isToolName } from '../lambda/index.ts';
import { handle, roleArn } from './tool-schema.ts';
import type { WrittenTools } from './written-tools.ts';

/** A user program as the two files of JP1 Cloud Service define it. */
interface LambdaFileTool {
  readonly name: string;
  readonly description: string;
  readonly args: readonly ArgumentDefinition[];
  readonly functionName: string;
  readonly region: string;
  readonly roleArn: string | undefined;
  readonly loggingArgsSchema: boolean | undefined;
  readonly raiseFunctionProcessingError: boolean | undefined;
  readonly locate: WrittenTools['locate'];
}

export interface ReadLambdaFiles {
  readonly tools: readonly LambdaFileTool[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Both spellings: the manual writes the second one itself. */
const lambdaKeys = ['aws_lambda_functions', 'aws_lambda_fucntions'];

/**
 * The Lambda tools that `tools.ja.yml` describes (name, description, arguments) and `ai_assistant.yml` connects (function,
 * role, region, how errors are handled). A tool must stand in both.
 *
 * Of the connector the manual's key names are not all public; taken are `function_name`, `role_arn`, `region_name`, `handle`.
 */
export function readLambdaFiles(
  paths: { readonly tools: string; readonly assistant: string },
  span: Span | undefined,
  files: Pick<FlowFiles, 'read' | 'list' | 'resolve'>,
): ReadLambdaFiles {
  const described = openYaml(paths.tools, span, files);
  const connected = openYaml(paths.assistant, span, files);
  const diagnostics = [...described.diagnostics, ...connected.diagnostics];
  if (described.value === undefined || connected.value === undefined) return { tools: [], diagnostics };
  const { connectors, diagnostics: unclear } = connectorsOf(connected);
  diagnostics.push(...unclear, ...unreadLists(described.value, described.locate));
  const tools: LambdaFileTool[] = [];
  for (const [key, list] of lambdaLists(described.value)) {
    for (const [index, written] of list.entries()) {
      const place: WrittenTools['locate'] = (path, part) => described.locate([key, index, ...path], part);
      const read = readOne(written, connectors, paths, place);
      if ('diagnostics' in read) diagnostics.push(...read.diagnostics);
      else tools.push(read);
    }
  }
  return { tools, diagnostics };
}

interface OpenedYaml {
  readonly value?: JsonValue;
  readonly diagnostics: readonly Diagnostic[];
  readonly locate: WrittenTools['locate'];
}

function openYaml(
  path: string,
  span: Span | undefined,
  files: Pick<FlowFiles, 'read' | 'list' | 'resolve'>,
): OpenedYaml {
  const file = files.read(path);
  return file === undefined
    ? { diagnostics: [missingFile(path, span, files)], locate: () => undefined }
    : parseYaml(file);
}

function lambdaLists(value: JsonValue): readonly (readonly [string, readonly JsonValue[]])[] {
  if (!isMapping(value)) return [];
  return lambdaKeys.flatMap((key) => {
    const list = value[key];
    return Array.isArray(list) ? [[key, list as readonly JsonValue[]] as const] : [];
  });
}

/** Tools of other kinds, such as searches of Azure, are another product's to call. */
function unreadLists(value: JsonValue, locate: WrittenTools['locate']): readonly Diagnostic[] {
  const others = Object.keys(isMapping(value) ? value : {}).filter((key) => !lambdaKeys.includes(key));
  return others.map((key) => {
    const message = `what stands below "${key}" is left out: tools of "${lambdaKeys[0]}" alone are read`;
    return { ...mistake('TOOL_CONNECTOR', message, locate([key], 'key')), severity: 'warning' };
  });
}

/** A part of a file, and the places of what is written in it. */
interface Placed {
  readonly value: JsonValue;
  readonly locate: WrittenTools['locate'];
}

type Connector = Placed;

interface Connectors {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly diagnostics: readonly Diagnostic[];
}

/** `service.langchain.tools[]` by name, each with the one connector that it has; those without a function are other tools. */
function connectorsOf({ value, locate }: OpenedYaml): Connectors {
  const connectors = new Map<string, Connector>();
  const diagnostics: Diagnostic[] = [];
  for (const { name, tool, place } of namedTools(value)) {
    const keys = Object.keys(tool).filter((key) => isMapping(tool[key]));
    const key = lambdaKeys.find((one) => keys.includes(one));
    if (key === undefined) continue;
    const span = locate([...place, 'name']);
    if (keys.length > 1) diagnostics.push(tooManyConnectors(name, keys, span));
    if (connectors.has(name)) diagnostics.push(mistake('TOOL_CONNECTOR', `tool "${name}" is connected twice`, span));
    connectors.set(name, {
      value: tool[key] ?? null,
      locate: (path, part) => locate([...place, key, ...path], part),
    });
  }
  return { connectors, diagnostics };
}

interface NamedTool {
  readonly name: string;
  readonly tool: JsonObject;
  readonly place: readonly (string | number)[];
}

function namedTools(value: JsonValue = null): readonly NamedTool[] {
  const place = ['service', 'langchain', 'tools'];
  const tools = valueAt(value, place);
  return (Array.isArray(tools) ? (tools as readonly JsonValue[]) : []).flatMap((tool, index) => {
    if (!isMapping(tool) || typeof tool['name'] !== 'string') return [];
    return [{ name: tool['name'], tool, place: [...place, index] }];
  });
}

function tooManyConnectors(name: string, keys: readonly string[], span: Span | undefined): Diagnostic {
  return mistake('TOOL_CONNECTOR', `tool "${name}" has more than one connector: ${keys.join(', ')}`, span);
}

/** Keys of the manual's that are read; others are taken without a word. */
const toolSchema = z.looseObject({ args: z.array(argumentDefinition).optional() });
const connectorSchema = z.looseObject({
  function_name: z.string(),
  region_name: z.string(),
  role_arn: roleArn.optional(),
  handle: z.looseObject(handle.shape).optional(),
});

interface Mistakes {
  readonly diagnostics: readonly Diagnostic[];
}

function readOne(
  written: JsonValue,
  connectors: ReadonlyMap<string, Connector>,
  paths: { readonly tools: string; readonly assistant: string },
  locate: WrittenTools['locate'],
): LambdaFileTool | Mistakes {
  const { name, description } = isMapping(written) ? written : {};
  if (typeof name !== 'string' || !isToolName(name)) {
    const message = 'a user program needs a name of 1 to 128 of a-z, 0-9 and _, not starting with _';
    return { diagnostics: [mistake('TOOL_NAME', message, locate(['name']) ?? locate([]))] };
  }
  if (typeof description !== 'string' || !isToolDescription(description)) {
    const message = `tool "${name}" needs a description of 1 to 4096 characters`;
    return { diagnostics: [mistake('TOOL_DESCRIPTION', message, locate(['description']) ?? locate(['name']))] };
  }
  const connector = connectors.get(name);
  if (connector === undefined) {
    const message = `tool "${name}" of ${paths.tools} is not in ${paths.assistant}`;
    const help = 'it must stand in service.langchain.tools with its function';
    return { diagnostics: [mistake('TOOL_CONNECTOR', message, locate(['name']), help)] };
  }
  return readShapes(name, description, { value: written, locate }, connector);
}

function readShapes(name: string, description: string, tool: Placed, connector: Connector): LambdaFileTool | Mistakes {
  const described = toolSchema.safeParse(tool.value);
  const connected = connectorSchema.safeParse(connector.value);
  if (!described.success || !connected.success) {
    const diagnostics = [
      ...mistakesIn(described, `tool "${name}"`, tool),
      ...mistakesIn(connected, `the function of tool "${name}"`, connector),
    ];
    return { diagnostics };
  }
  const { function_name: functionName, region_name: region, role_arn: role, handle: handling = {} } = connected.data;
  return {
    name,
    description,
    args: described.data.args ?? [],
    functionName,
    region,
    roleArn: role,
    loggingArgsSchema: handling.logging_args_schema,
    raiseFunctionProcessingError: handling.raise_function_processing_error,
    locate: tool.locate,
  };
}

function mistakesIn(
  checked: z.ZodSafeParseResult<unknown>,
  name: string,
  { value, locate }: Placed,
): readonly Diagnostic[] {
  const near: WrittenTools['locate'] = (path, part) =>
    nearestPlace(locate, path, part) ?? locate(['name']) ?? locate([]);
  return shapeMistakes(checked.error?.issues ?? [], { name, value, locate: near, keysAt: () => [] });
}
