// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { Span } from '../source/source-file.ts';
import { agentKeys } from './agent-keys.ts';
import { allNodes } from './all-nodes.ts';
import { unknownKey } from './check-shape.ts';
import { nodeKeys } from './flow-schema.ts';
import type { FlowSpec, NodeSpec } from './flow-spec.ts';
import { readVariants } from './read-node.ts';
import { modelKeyInstead } from './written-instead.ts';
import type { YamlDocument } from './yaml-document.ts';

/** A node type as the parser needs it. */
export interface KnownNodeType {
  readonly name: string;
  /** Keys its nodes may have beside the common ones. */
  readonly keys: readonly string[];
}

/** Node types of the format, and of ours, that some registry may not have. */
const namedTypes = [
  'python',
  'llm',
  'prompt',
  'custom_llm',
  'csharp',
  'lookup',
  'agent',
  'tool',
  'tool_lookup',
  'tool_call',
];

/** What is wrong with the nodes of a flow beyond their shape: unknown types, keys their type does not have. */
export function checkNodes(
  spec: FlowSpec,
  document: YamlDocument,
  nodeTypes: readonly (string | KnownNodeType)[],
): readonly Diagnostic[] {
  const types = nodeTypes.map((type) =>
    typeof type === 'string' ? ([type, undefined] as const) : ([type.name, type] as const),
  );
  const shorthands = types.some(([name]) => name === runsAgents) ? [['agent', agent] as const] : [];
  const known = new Map<string, KnownNodeType | undefined>([...types, ...shorthands]);
  const loops = spec.loops.flatMap((loop) => nameDiagnostics('loop', loop, document));
  const written = [...allNodes(spec), ...readVariants(spec.nodeVariants)];
  const nodes = written.flatMap((node) => [
    ...nameDiagnostics('node', node, document),
    ...typeDiagnostics(node, document, known, spec),
    ...keyDiagnostics(node, document, known),
    ...activateDiagnostics(node, document),
  ]);
  return [...loops, ...nodes];
}

/** Records are kept by names, and no database keeps these. */
function nameDiagnostics(
  kind: 'node' | 'loop',
  { name, path }: Pick<NodeSpec, 'name' | 'path'>,
  document: YamlDocument,
): readonly Diagnostic[] {
  if (name.isWellFormed() && !name.includes('\0')) return [];
  const what = name.includes('\0') ? 'the character U+0000' : 'half of a surrogate pair';
  return [
    {
      severity: 'error',
      code: 'FLOW_WRONG_VALUE',
      message: `"name" of a ${kind} must be text that can be stored, and has ${what}`,
      span: document.locate([...path, 'name']),
      help: 'take it out',
    },
  ];
}

/** The shorthand that `unrollAgents` writes out: no type of a node that runs. */
const runsAgents = 'tools';
const agent: KnownNodeType = { name: 'agent', keys: Object.keys(agentKeys) };

function typeDiagnostics(
  node: NodeSpec,
  document: YamlDocument,
  known: ReadonlyMap<string, KnownNodeType | undefined>,
  spec: FlowSpec,
): readonly Diagnostic[] {
  // The body of a variant brings its own type; a package tool of ours is part of the engine.
  if (known.has(node.type) || (node.useVariants && node.type === '')) return [];
  if (node.type === '') return [missingType(node, document, spec)];
  if (node.source?.tool?.startsWith('unroll.') === true) return [];
  const isNamed = namedTypes.includes(node.type);
  const types = `types are ${[...known.keys()].join(', ')}`;
  const help = isNamed ? types : (didYouMean(node.type, known.keys()) ?? typeOfFile(node, known) ?? types);
  return [
    {
      severity: 'error',
      code: isNamed ? 'FLOW_NODE_TYPE_NOT_YET' : 'FLOW_UNKNOWN_NODE_TYPE',
      message: isNamed
        ? `nodes of type "${node.type}" cannot be run yet`
        : `node "${node.name}" has the unknown type "${node.type}"`,
      span: document.locate([...node.path, 'type']) ?? nodePlace(node, document),
      help,
      ...(isNamed
        ? { unreadyNode: node.name, details: { kind: 'node-type-not-run', node: node.name, type: node.type } }
        : { details: { kind: 'node-type-unknown', node: node.name, type: node.type } }),
    },
  ];
}

/** `python` is Prompt flow's name, under which nobody looks for TypeScript. */
function typeOfFile({ source }: NodeSpec, known: ReadonlyMap<string, unknown>): string | undefined {
  const path = source?.path ?? '';
  if (/\.(?:jinja2?|j2)$/.test(path) && known.has('llm')) {
    return 'a prompt that a model answers is of type llm, one that is filled in and handed on of type prompt';
  }
  const isCode = /\.(py|[cm]?[jt]s)$/.test(path);
  return isCode && known.has('python') ? 'code is of type python, in TypeScript and JavaScript too' : undefined;
}

function missingType(node: NodeSpec, document: YamlDocument, spec: FlowSpec): Diagnostic {
  const hasVariants = node.path[0] !== 'node_variants' && Object.hasOwn(spec.nodeVariants, node.name);
  return {
    severity: 'error',
    code: 'FLOW_MISSING_KEY',
    message: `node "${node.name}" has no type`,
    span: nodePlace(node, document),
    help: hasVariants
      ? 'it has variants in `node_variants`, which `use_variants: true` puts in its place'
      : 'for instance `type: llm`',
    unreadyNode: node.name,
    details:
      node.source === undefined
        ? { kind: 'node-without-source', node: node.name }
        : { kind: 'node-type-not-run', node: node.name, type: undefined },
  };
}

/** A node of an unknown type may have the keys of any; where only the name of a type is known, its keys are not. */
function keyDiagnostics(
  node: NodeSpec,
  document: YamlDocument,
  types: ReadonlyMap<string, KnownNodeType | undefined>,
): readonly Diagnostic[] {
  const possible = types.has(node.type) ? [types.get(node.type)] : [...types.values()];
  if (possible.includes(undefined)) return [];
  const known = [...nodeKeys, ...possible.flatMap((type) => type?.keys ?? [])];
  const unknown = Object.keys(node.settings).filter((key) => !known.includes(key));
  return unknown.map((key) => {
    const help = modelKeyInstead(node.type, key);
    const told = unknownKey(document, node.path, key, known);
    return help === undefined ? told : { ...told, help };
  });
}

function activateDiagnostics(node: NodeSpec, document: YamlDocument): readonly Diagnostic[] {
  const place = document.locate([...node.path, 'activate'], 'key');
  if (place === undefined || node.activate !== undefined) return [];
  return [
    {
      severity: 'error',
      code: 'FLOW_ACTIVATE',
      message: `the condition of node "${node.name}" needs both "when" and "is"`,
      span: place,
      help: 'for instance `activate: {when: "${check.output.ok}", is: true}`',
      details: { kind: 'half-condition', node: node.name },
    },
  ];
}

/** The name of the node; where it has none of its own, as in a variant, the key it stands under. */
function nodePlace(node: NodeSpec, document: YamlDocument): Span | undefined {
  return document.locate([...node.path, 'name']) ?? document.locate(node.path, 'key');
}
