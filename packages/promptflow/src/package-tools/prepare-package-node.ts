import {
  type Connection,
  isGiven,
  type JsonObject,
  type JsonValue,
  loadNestedImages,
  type NodeDefinition,
  type NodeOutcome,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  pythonRepr,
  type Redactor,
  redactedError,
} from '@unroll/engine';
import {
  connectionClass,
  convertLiteral,
  imageSourcesOf,
  nodeInputError,
  type PromptTemplate,
  requireConnection,
  requireTemplate,
  userError,
  withLiteralImages,
} from '@unroll/nodes/building-blocks';
import type { BuiltInTool, ToolNode, ToolServices } from './built-in-tool.ts';

/**
 * Makes a node of one of our package tools ready: its literals become what the tool's definition says, its connection is
 * found, its template read. The order in which mistakes are found is Prompt flow's.
 *
 * @throws PrepareError
 */
export async function preparePackageNode(
  node: NodeDefinition,
  tool: BuiltInTool,
  context: PrepareContext,
  services: ToolServices,
): Promise<PreparedNode> {
  const read = await readLiterals(node, tool, context);
  if (tool.isMadeOfConnection === true) requireLiteralConnection(node, tool);
  const prompt = tool.takesPrompt || node.type === 'custom_llm' ? requirePrompt(node, tool, context) : undefined;
  const literals = prompt === undefined ? read.literals : await withLiteralImages(read.literals, prompt, context);
  const given: ToolNode = {
    node,
    context,
    services,
    ...(read.connection === undefined ? {} : { connection: read.connection }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  const run = await tool.prepare(given);
  return {
    parametersWithDefault: new Set(Object.keys(tool.inputs)),
    literals,
    run: async (inputs, call) => redactedOutcome(await run(inputs, call), call.redactor ?? context.redactor),
  };
}

interface ReadLiterals {
  /** A connection stays its name, which is what is recorded. */
  readonly literals: JsonObject;
  readonly connection?: Connection;
}

async function readLiterals(node: NodeDefinition, tool: BuiltInTool, context: PrepareContext): Promise<ReadLiterals> {
  const literals: Record<string, JsonValue> = {};
  let found: Connection | undefined;
  for (const [name, input] of Object.entries(node.inputs)) {
    if (input.kind !== 'literal' || !isGiven(input)) continue;
    const types = tool.inputs[name];
    const [type] = types ?? [];
    if (types === undefined || type === undefined) literals[name] = input.value;
    else if (type.endsWith('Connection')) {
      found = connectionOf(node, name, input.value, types, context);
      literals[name] = input.value;
    } else literals[name] = await loadNested(name, convertLiteral(node, name, input.value, type), context);
  }
  return found === undefined ? { literals } : { literals, connection: found };
}

function connectionOf(
  node: NodeDefinition,
  input: string,
  value: JsonValue,
  types: readonly string[],
  { connections }: PrepareContext,
): Connection {
  const connection = requireConnection(String(value), node.name, connections);
  const className = connectionClass(connection);
  if (types.includes(className) || isStandIn(connection)) return connection;
  throw new PrepareError(
    nodeInputError(
      `Input '${input}' for node '${node.name}' of type '${className}' is not supported, valid types ${pythonRepr(types)}.`,
    ),
  );
}

/** Connections that answer without a service stand for any. */
function isStandIn({ type }: Connection): boolean {
  return type === 'offline' || type === 'scripted';
}

function requireLiteralConnection(node: NodeDefinition, { name }: BuiltInTool): void {
  const input = node.inputs['connection'];
  if (input === undefined || !isGiven(input)) {
    const message = `Required inputs ['connection'] are not provided for tool '${name}'.`;
    throw new PrepareError(userError('MissingRequiredInputs', message));
  }
  if (input.kind === 'literal') return;
  const reference = input.kind === 'flow-input' ? `flow.${input.input}` : `${input.node}.output`;
  const message = `Invalid input for '${name}': Initialization input 'connection' requires a literal value, but \${${reference}} was received.`;
  throw new PrepareError(userError('InputTypeMismatch', message));
}

function requirePrompt(node: NodeDefinition, tool: BuiltInTool, context: PrepareContext): PromptTemplate {
  if (node.type !== 'custom_llm') {
    const message = `Required inputs ['prompt'] are not provided for tool '${tool.name}'.`;
    throw new PrepareError(userError('MissingRequiredInputs', message));
  }
  const prompt = requireTemplate(node, context.files);
  const twice = prompt.template.variables.map(({ name }) => name).filter((name) => name in tool.inputs);
  if (twice.length > 0) {
    const names = twice.map((name) => pythonRepr(name)).join(', ');
    throw new PrepareError(
      nodeInputError(
        `Invalid inputs {${names}} in prompt template of node ${node.name}. These inputs are duplicated with the inputs of custom llm tool.`,
      ),
    );
  }
  if (tool.takesPrompt) return prompt;
  const named = node.source?.tool?.split('.').at(-1) ?? '';
  const message = `Invalid Custom LLM tool ${tool.name}: function ${named} is missing a prompt template argument.`;
  throw new PrepareError(userError('InvalidCustomLLMTool', message));
}

async function loadNested(name: string, value: JsonValue, context: PrepareContext): Promise<JsonValue> {
  const loaded = await loadNestedImages(value, imageSourcesOf(context));
  if (loaded.ok) return loaded.value;
  const { code, message } = loaded.error;
  throw new PrepareError(nodeInputError(`Failed to load image for input '${name}': (${code}) ${message}`));
}

/** What a service made of a node, without the secrets it was asked with. */
function redactedOutcome(outcome: NodeOutcome, redactor: Redactor): NodeOutcome {
  if (outcome.ok) return { ...outcome, output: redactor.value(outcome.output) };
  return { ...outcome, error: redactedError(outcome.error, redactor) };
}
