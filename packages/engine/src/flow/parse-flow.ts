import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { PythonDate } from '../value/python-date.ts';
import { isMapping, mappingOf } from '../value/shapes.ts';
import { checkNames } from './check-names.ts';
import { checkNodes, type KnownNodeType } from './check-nodes.ts';
import { checkShape } from './check-shape.ts';
import { knownKeys, maxTimes } from './flow-schema.ts';
import type { FlowInputSpec, FlowOutputSpec, FlowSpec, LoopSpec } from './flow-spec.ts';
import { readBudget } from './read-budget.ts';
import { readNode } from './read-node.ts';
import { locateByName, namedEntries, nodeEntries } from './read-sections.ts';
import { maxWritten, parseYaml, type YamlDocument } from './yaml-document.ts';

export interface ParseFlowOptions {
  /** Node types that can run here: their names, or the types with the further keys they take. */
  readonly nodeTypes: readonly (string | KnownNodeType)[];
}

export interface ParsedFlow {
  /** Absent where the text is no YAML or no mapping. What has a mistake is left out, so that the rest can be checked. */
  readonly spec?: FlowSpec;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a flow file and checks its shape; all mistakes at once. What references mean is left to `bindReferences`. */
export function parseFlow(file: SourceFile, options: ParseFlowOptions): ParsedFlow {
  const document = parseYaml(file, { dates: true, longest: maxWritten });
  if (document.value === undefined) return { diagnostics: document.diagnostics };
  const shape = checkShape(document);
  const root = document.value ?? {};
  if (!isMapping(root)) return { diagnostics: [...document.diagnostics, ...shape] };
  const spec = readFlow(root, file, document);
  const nodes = [...checkNames(root, document), ...checkNodes(spec, document, options.nodeTypes)];
  const format = messageFormatDiagnostics(root['message_format'] ?? null, document);
  return { spec, diagnostics: [...document.diagnostics, ...shape, ...format, ...nodes] };
}

function readFlow(root: JsonObject, file: SourceFile, document: YamlDocument): FlowSpec {
  const known = new Set(knownKeys([]));
  return {
    file,
    ...text('id', root['id']),
    ...text('name', root['name']),
    ...text('displayName', root['display_name']),
    ...text('description', root['description']),
    ...text('type', root['type']),
    ...text('language', root['language']),
    isStandard: isStandard(root),
    valuesOpenRoles: openRoles(root),
    messageFormat: String(root['message_format']).toLowerCase() === 'openai-vision' ? 'openai-vision' : 'basic',
    inputs: namedEntries(root['inputs']).flatMap(([name, input]) => readInput(name, input)),
    outputs: namedEntries(root['outputs']).flatMap(([name, output]) => readOutput(name, output)),
    nodes: nodeEntries(root['nodes']).flatMap(([node, path]) => readNode(node, path)),
    loops: list(root['loops']).flatMap(readLoop),
    nodeVariants: mappingOf(root['node_variants']),
    environmentVariables: mappingOf(root['environment_variables']),
    additionalIncludes: list(root['additional_includes']).filter((path) => typeof path === 'string'),
    otherKeys: Object.fromEntries(Object.entries(root).filter(([key]) => !known.has(key) || keptKeys.has(key))),
    locate: locateByName(document),
  };
}

/** Known keys without a place of their own in `FlowSpec`. */
const keptKeys: ReadonlySet<string> = new Set(['$schema', 'tags', 'environment', 'tools', 'sample']);

/** One that is written as its type alone is a mistake, and what refers to it makes no further ones. */
function readInput(name: string, written: JsonValue): readonly FlowInputSpec[] {
  const input = typeof written === 'string' ? { type: written } : written;
  if (!isMapping(input)) return [];
  const fallback = input['default'] ?? null;
  return [
    {
      name,
      type: typeof input['type'] === 'string' ? input['type'] : 'object',
      ...(fallback === null ? {} : { default: fallback }),
      ...text('description', input['description']),
      ...(Array.isArray(input['enum']) ? { enum: input['enum'] } : {}),
      isChatInput: input['is_chat_input'] === true,
      ...(typeof input['is_chat_history'] === 'boolean' ? { isChatHistory: input['is_chat_history'] } : {}),
    },
  ];
}

/** The same of an output that is written as its reference alone. */
function readOutput(name: string, written: JsonValue): readonly FlowOutputSpec[] {
  const output = typeof written === 'string' ? { reference: written } : written;
  if (!isMapping(output)) return [];
  const reference = output['reference'];
  return [
    {
      name,
      type: typeof output['type'] === 'string' ? output['type'] : 'object',
      ...(reference === undefined ? {} : { reference }),
      ...text('description', output['description']),
      evaluationOnly: output['evaluation_only'] === true,
      isChatOutput: output['is_chat_output'] === true,
    },
  ];
}

/** A loop with a mistake is kept as far as it goes, so that what refers to it makes no further mistakes. */
function readLoop(loop: JsonValue, index: number): readonly LoopSpec[] {
  if (!isMapping(loop) || typeof loop['name'] !== 'string') return [];
  const nodes = list(loop['nodes']).flatMap((node, place) => readNode(node, ['loops', index, 'nodes', place]));
  const [finalize] = readNode(loop['finalize'] ?? null, ['loops', index, 'finalize']);
  const { state, times, until, on_exhausted: onExhausted, on_error: onError } = loop;
  return [
    {
      name: loop['name'],
      times: typeof times === 'number' ? Math.min(maxTimes, Math.max(1, Math.floor(times))) : 1,
      state: typeof state === 'string' ? state : '',
      until: typeof until === 'string' ? until : 'finished',
      onExhausted: onExhausted === 'fail' || onExhausted === 'finalize' ? onExhausted : 'unfinished',
      onError: onError === 'feed_back' ? 'feed_back' : 'fail',
      ...(isMapping(loop['budget']) ? { budget: readBudget(loop['budget']) } : {}),
      nodes,
      ...(finalize === undefined ? {} : { finalize }),
      path: ['loops', index],
    },
  ];
}

const standardTypes = ['python', 'llm', 'prompt', 'custom_llm', 'csharp'];

function openRoles(root: JsonObject): boolean {
  const written = root['values_open_roles'];
  return typeof written === 'boolean' ? written : isStandard(root);
}

function isStandard(root: JsonObject): boolean {
  const types = nodeEntries(root['nodes']).flatMap(([node]) => (isMapping(node) ? [node['type']] : []));
  const areKnown = types.every((type) => type === undefined || standardTypes.includes(String(type)));
  return areKnown && list(root['loops']).length === 0;
}

const messageFormats = ['basic', 'openai-vision'];

function messageFormatDiagnostics(written: JsonValue, { locate }: YamlDocument): readonly Diagnostic[] {
  if (typeof written !== 'string' || messageFormats.includes(written.toLowerCase())) return [];
  return [
    {
      severity: 'error',
      code: 'FLOW_MESSAGE_FORMAT',
      message: `unknown message format "${written}"`,
      span: locate(['message_format']),
      help: 'it is basic or openai-vision',
      details: { kind: 'message-format', format: written },
    },
  ];
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function text<K extends string>(key: K, value: JsonValue | undefined): { readonly [P in K]?: string } {
  const written: unknown = value;
  if (written instanceof PythonDate) return { [key]: written.toString() } as { readonly [P in K]?: string };
  return typeof value === 'string' ? ({ [key]: value } as { readonly [P in K]?: string }) : {};
}
