import {
  type Connection,
  type ConnectionSource,
  type Diagnostic,
  didYouMean,
  type InspectedNode,
  type InstalledContext,
  type JsonValue,
  type NodeDefinition,
  stringifyJson,
} from '@unroll/engine';
import { openTemplate } from '../prompt/prompt-template.ts';
import { withHandleMarks } from '../python-objects/handle-marks.ts';
import type { AskedPackageNode, MissingImports } from './ask-imports.ts';
import { referenceText } from './load-request.ts';

/** A node whose tool a package has, as Python is asked about it; none whose template cannot be read, which is told elsewhere. */
export function asPackageNode(
  { definition, inspection }: InspectedNode,
  { connections, files }: InstalledContext,
): readonly AskedPackageNode[] {
  if (inspection.neededModule === undefined) return [];
  const opened = definition.type === 'custom_llm' ? openTemplate(definition, files) : undefined;
  if (opened?.ok === false) return [];
  const { literals, references } = askedInputs(definition);
  const named = Object.entries(literals).flatMap(([name, value]) => {
    const found = typeof value === 'string' ? find(value, connections) : undefined;
    return found === undefined ? [] : [{ name, found }];
  });
  const unusable = named.filter(({ found }) => found === 'unusable').map(({ name }) => name);
  const usable = named.flatMap(({ found }) => (found === 'unusable' ? [] : [[found.name, { type: found.type }]]));
  return [
    {
      node: definition.name,
      package: inspection.neededModule.tool,
      literals,
      references,
      connections: Object.fromEntries(usable),
      connectionNames: connections.names(),
      unseen: [...unusable, ...Object.keys(literals).filter((name) => isMarked(literals[name] ?? null))],
      variables: opened === undefined ? null : opened.opened.template.variables.map(({ name }) => name),
    },
  ];
}

/** What is given to a node as it is loaded, and what is given in each row, as it is written. */
export function askedInputs({ inputs }: NodeDefinition): Pick<AskedPackageNode, 'literals' | 'references'> {
  const literals: Record<string, JsonValue> = {};
  const references: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) {
    if (input.kind === 'literal') literals[name] = input.value;
    else references[name] = referenceText(input);
  }
  return { literals, references };
}

/** A connection that cannot be used is told elsewhere. */
function find(name: string, connections: ConnectionSource): Connection | 'unusable' | undefined {
  try {
    return connections.find(name);
  } catch {
    return 'unusable';
  }
}

/** Whether a date or the like is in it, which becomes an object of Python's. */
function isMarked(value: JsonValue): boolean {
  return stringifyJson(withHandleMarks(value, '', new Set())) !== stringifyJson(value);
}

/** What keeps a node from being made ready with its tool, at the input that it is about. */
export function unreadyNode(
  { node, kind, message, input }: MissingImports['unready'][number],
  nodes: readonly InspectedNode[],
  connections: ConnectionSource,
): Diagnostic {
  const definition = nodes.find((one) => one.definition.name === node)?.definition;
  const place = input === null ? ['source', 'tool'] : ['inputs', input];
  const span = definition?.locate(place) ?? definition?.locate(['source', 'path']) ?? definition?.locate([]);
  const told = { severity: 'error' as const, code: codes[kind] ?? 'CODE_FUNCTION', ...(span && { span }) };
  if (kind !== 'GetConnectionError') return { ...told, message };
  const named = definition?.inputs[input ?? ''];
  const connection = named?.kind === 'literal' ? String(named.value) : '';
  return {
    ...told,
    message: `there is no connection "${connection}" for node "${node}"`,
    help:
      connections.hint?.(connection) ??
      didYouMean(connection, connections.names()) ??
      'define it in connections.yaml, or with flow connection create',
  };
}

const codes: Readonly<Record<string, string>> = {
  GetConnectionError: 'CONNECTION_MISSING',
  InputTypeMismatch: 'NODE_INPUT_TYPE',
  MissingRequiredInputs: 'NODE_INPUT_MISSING',
  NodeInputValidationError: 'NODE_INPUT_TYPE',
  ValueTypeUnresolved: 'NODE_INPUT_TYPE',
};
