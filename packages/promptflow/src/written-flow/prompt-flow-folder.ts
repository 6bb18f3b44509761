import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type ConnectionSource,
  type Diagnostic,
  type FlowFiles,
  type FlowSpec,
  type NodeSpec,
  stringifyFlow,
  unrollFlow,
} from '@unroll/engine';
import { functionLibrary } from '@unroll/nodes/building-blocks';
import { loopEndLibrary } from '../python/python-modules.ts';
import { callingFile } from './calling-file.ts';
import { cannotGo } from './what-cannot-go.ts';

/** What a folder holds that Prompt flow itself runs with the outputs that the flow has here. */
export interface WrittenFlow {
  /** Texts by their paths in the folder; the rest is the flow's own files. */
  readonly texts: ReadonlyMap<string, string>;
  /** What is other there than here, a sentence each. */
  readonly notes: readonly string[];
}

const helper = 'unroll.py';

/**
 * A flow as Prompt flow takes it: loops laid out as plain nodes, their ends in one Python file, keys left out that only we know.
 *
 * @param spec as written, its variants chosen
 */
export function promptFlowFolder(
  spec: FlowSpec,
  files: FlowFiles,
  connections: ConnectionSource,
): { readonly written?: WrittenFlow; readonly diagnostics: readonly Diagnostic[] } {
  const { spec: plain } = unrollFlow(spec);
  const diagnostics = cannotGo(plain, files, [helper]);
  if (diagnostics.length > 0) return { diagnostics };
  const texts = new Map<string, string>();
  const nodes = plain.nodes.map((node) => plainNode(node, files, texts));
  const flow = { ...plain, nodes, additionalIncludes: [], otherKeys: withoutSchema(plain), valuesOpenRoles: true };
  const needsHelper = texts.size > 0 || nodes.some(({ source }) => source?.path === helper);
  if (needsHelper) texts.set(helper, helperText());
  texts.set('flow.dag.yaml', stringifyFlow(flow));
  return { written: { texts, notes: notesOn(plain, connections) }, diagnostics };
}

function helperText(): string {
  return `${readFileSync(functionLibrary, 'utf8')}${readFileSync(loopEndLibrary, 'utf8')}`;
}

/** Whether its tool is made by `function_node`: Prompt flow looks for tools by the names of functions, and it has none. */
function isMadeOfFunctions({ source }: NodeSpec, files: FlowFiles): boolean {
  const { path = '' } = source ?? {};
  return path.endsWith('.py') && /^[ \t]*(?:from|import)[ \t]+unroll\b/m.test(files.read(path)?.text ?? '');
}

function plainNode(node: NodeSpec, files: FlowFiles, texts: Map<string, string>): NodeSpec {
  const { feedBack, retry: _retry, timeout: _timeout, settings, ...kept } = node;
  const { cache: _cache, ...others } = settings;
  const { source, inputs } = kept;
  if (source?.tool === 'unroll.loop_end') {
    const { budget: _budget, ...given } = inputs;
    return { ...kept, source: { type: 'code', path: helper }, inputs: given, settings: others };
  }
  if (source?.path !== undefined && (feedBack !== undefined || isMadeOfFunctions(node, files))) {
    const calling = callingFile(source.path, Object.keys(inputs), feedBack);
    texts.set(calling.path, calling.text);
    return { ...kept, source: { type: 'code', path: calling.path }, settings: others };
  }
  if (node.type !== 'llm' || others['module'] !== undefined) return { ...kept, settings: others };
  return { ...kept, settings: { ...others, module: moduleOf(node) } };
}

/** Prompt flow knows the APIs of a model once their module is imported. */
function moduleOf({ inputs, settings }: NodeSpec): string {
  const isAzure = settings['provider'] === 'AzureOpenAI' || 'deployment_name' in inputs;
  return `promptflow.tools.${isAzure ? 'aoai' : 'openai'}`;
}

function withoutSchema({ otherKeys }: FlowSpec): FlowSpec['otherKeys'] {
  const { $schema: _schema, ...others } = otherKeys;
  return others;
}

/** Types of connections that Prompt flow's models have too. */
const modelConnections = new Set(['azure_open_ai', 'open_ai', 'serverless']);

function notesOn(spec: FlowSpec, connections: ConnectionSource): readonly string[] {
  const { nodes, valuesOpenRoles } = spec;
  const named = [
    ...new Set(nodes.flatMap(({ type, connection }) => (type === 'llm' && connection ? [connection] : []))),
  ];
  const foreign = named.filter((name) => !modelConnections.has(connections.find(name)?.type ?? 'open_ai'));
  const kept = keysKeptHere(nodes);
  return [
    ...(foreign.length === 0
      ? []
      : [
          `Prompt flow has no connections of the type of ${foreign.join(', ')}: make ones of these names there, and name their deployments or models`,
        ]),
    ...(kept.length === 0 ? [] : [`Prompt flow has no ${kept.join(', ')}: left out`]),
    ...(valuesOpenRoles ? [] : ['there a line such as "system:" in what a node gives starts a message of a chat']),
  ];
}

function keysKeptHere(nodes: readonly NodeSpec[]): readonly string[] {
  const found = {
    retry: nodes.some(({ retry }) => retry !== undefined),
    timeout: nodes.some(({ timeout }) => timeout !== undefined),
    cache: nodes.some(({ settings }) => settings['cache'] !== undefined),
    'budget of loops': nodes.some(({ source, inputs }) => source?.tool === 'unroll.loop_end' && 'budget' in inputs),
  };
  return Object.entries(found).flatMap(([key, isThere]) => (isThere ? [key] : []));
}

/** What of a flow's folder goes along: no secrets, no records, nothing that Prompt flow cannot read. */
export function goesAlong(path: string): boolean {
  const name = basename(path);
  const isOfTypeScript = /\.[cm]?[jt]sx?$/.test(name);
  const isSecret = /^(connections\.ya?ml|\.env(\..*)?)$/.test(name);
  const isSchema = name === 'flow.schema.json';
  const isFlow = /^(flow\.flex|.*\.dag)\.ya?ml$/.test(name);
  const isOurs = ['.flow', '.venv', 'node_modules', '.git', '.promptflow', '__pycache__'].includes(name);
  return !(isOfTypeScript || isSchema || isSecret || isFlow || isOurs);
}
