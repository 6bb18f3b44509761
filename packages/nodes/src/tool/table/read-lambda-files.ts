import {
  type Diagnostic,
  type FlowFiles,
  isMapping,
  type JsonObject,
  type JsonValue,
  parseYaml,
  type Span,
} from '@unroll/engine';
import { type ArgumentDefinition, isToolDescription, isToolName } from '../lambda/index.ts';
import { roleArn as roleArnPattern } from './tool-schema.ts';
import { missingFile, mistake, type Path } from './written-tools.ts';

/** A user program as the two files of JP1 Cloud Service define it. */
interface LambdaFileTool {
  readonly name: string;
  readonly description: string;
  readonly args: readonly ArgumentDefinition[];
  readonly functionName: string;
  readonly region: string;
  readonly roleArn?: string;
  readonly loggingArgsSchema?: boolean;
  readonly raiseFunctionProcessingError?: boolean;
  locate(path: Path): Span | undefined;
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
  const connectors = connectorsOf(connected.value);
  const tools: LambdaFileTool[] = [];
  for (const [key, list] of lambdaLists(described.value)) {
    for (const [index, written] of list.entries()) {
      const locate = (path: Path): Span | undefined => described.locate([key, index, ...path]);
      const read = readOne(written, connectors, paths, locate);
      if ('code' in read) diagnostics.push(read);
      else tools.push(read);
    }
  }
  return { tools, diagnostics };
}

interface OpenedYaml {
  readonly value?: JsonValue;
  readonly diagnostics: readonly Diagnostic[];
  locate(path: Path): Span | undefined;
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

/** `service.langchain.tools[]` by name; the connector is the one with a function. */
function connectorsOf(value: JsonValue): ReadonlyMap<string, JsonObject> {
  const service = isMapping(value) ? value['service'] : undefined;
  const langchain = isMapping(service) ? service['langchain'] : undefined;
  const tools = isMapping(langchain) ? langchain['tools'] : undefined;
  const found = new Map<string, JsonObject>();
  for (const tool of Array.isArray(tools) ? (tools as readonly JsonValue[]) : []) {
    if (!isMapping(tool) || typeof tool['name'] !== 'string') continue;
    const connector = lambdaKeys.map((key) => tool[key]).find(isMapping);
    if (connector !== undefined) found.set(tool['name'], connector);
  }
  return found;
}

function readOne(
  written: JsonValue,
  connectors: ReadonlyMap<string, JsonObject>,
  paths: { readonly tools: string; readonly assistant: string },
  locate: (path: Path) => Span | undefined,
): LambdaFileTool | Diagnostic {
  const { name, description, args } = isMapping(written) ? written : {};
  if (typeof name !== 'string' || !isToolName(name)) {
    const message = 'a user program needs a name of 1 to 128 of a-z, 0-9 and _, not starting with _';
    return mistake('TOOL_NAME', message, locate(['name']) ?? locate([]));
  }
  if (typeof description !== 'string' || !isToolDescription(description)) {
    const message = `tool "${name}" needs a description of 1 to 4096 characters`;
    return mistake('TOOL_DESCRIPTION', message, locate(['description']) ?? locate(['name']));
  }
  const connector = connectors.get(name);
  if (connector === undefined) {
    const message = `tool "${name}" of ${paths.tools} is not in ${paths.assistant}`;
    return mistake(
      'TOOL_CONNECTOR',
      message,
      locate(['name']),
      'it must stand in service.langchain.tools with its function',
    );
  }
  const place = placeOf(name, connector, paths, locate);
  if ('code' in place) return place;
  return {
    name,
    description,
    args: (Array.isArray(args) ? args : []) as unknown as readonly ArgumentDefinition[],
    ...place,
    ...handleOf(connector['handle']),
    locate,
  };
}

function placeOf(
  name: string,
  { function_name: functionName, region_name: region, role_arn: roleArn }: JsonObject,
  paths: { readonly assistant: string },
  locate: (path: Path) => Span | undefined,
): Pick<LambdaFileTool, 'functionName' | 'region' | 'roleArn'> | Diagnostic {
  if (typeof functionName !== 'string' || typeof region !== 'string') {
    const message = `tool "${name}" has no function_name or no region_name in ${paths.assistant}`;
    return mistake('TOOL_CONNECTOR', message, locate(['name']));
  }
  if (roleArn === undefined) return { functionName, region };
  if (typeof roleArn === 'string' && roleArnPattern.test(roleArn)) return { functionName, region, roleArn };
  const message = `the role_arn of tool "${name}" in ${paths.assistant} is no ARN of a role, arn:aws:iam::123456789012:role/name`;
  return mistake('TOOL_CONNECTOR', message, locate(['name']));
}

function handleOf(
  handle: JsonValue | undefined,
): Pick<LambdaFileTool, 'loggingArgsSchema' | 'raiseFunctionProcessingError'> {
  const { logging_args_schema: logging, raise_function_processing_error: raise } = isMapping(handle) ? handle : {};
  return {
    ...(typeof logging === 'boolean' ? { loggingArgsSchema: logging } : {}),
    ...(typeof raise === 'boolean' ? { raiseFunctionProcessingError: raise } : {}),
  };
}
