import {
  type Diagnostic,
  type FlowFiles,
  isMapping,
  type JsonValue,
  parseYaml,
  type Span,
  valueAt,
} from '@unroll/engine';
import * as z from 'zod';
import { type ArgumentDefinition, argumentDefinition, isToolDescription, isToolName } from '../lambda/index.ts';
import { shapeMistakes } from './shape-mistakes.ts';
import { handle, roleArn } from './tool-schema.ts';
import { missingFile, mistake, nearestPlace, type WrittenTools } from './written-tools.ts';

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
  const connectors = connectorsOf(connected);
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

/** A part of a file, and the places of what is written in it. */
interface Placed {
  readonly value: JsonValue;
  readonly locate: WrittenTools['locate'];
}

type Connector = Placed;

/** `service.langchain.tools[]` by name; the connector is the one with a function. */
function connectorsOf({ value, locate }: OpenedYaml): ReadonlyMap<string, Connector> {
  const tools = valueAt(value ?? null, ['service', 'langchain', 'tools']);
  const found = new Map<string, Connector>();
  for (const [index, tool] of (Array.isArray(tools) ? (tools as readonly JsonValue[]) : []).entries()) {
    if (!isMapping(tool) || typeof tool['name'] !== 'string') continue;
    const key = lambdaKeys.find((one) => isMapping(tool[one]));
    if (key === undefined) continue;
    const place = ['service', 'langchain', 'tools', index, key];
    found.set(tool['name'], {
      value: tool[key] ?? null,
      locate: (path, part) => locate([...place, ...path], part),
    });
  }
  return found;
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
