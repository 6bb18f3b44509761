import { fallbackConnection, fallbackModel, readFallbacks } from '../flow/fallback.ts';
import { outputReference } from '../flow/reference.ts';
import { connectionIdentity } from '../node/connection-identity.ts';
import type { ConnectionSource } from '../node/connection-source.ts';
import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import type { InputDefinition, NodeDefinition } from '../node/node-definition.ts';
import type { NodeType, PrepareContext, PreparedNode } from '../node/node-type.ts';
import type { PlanNode } from '../plan/plan.ts';
import { partOf } from '../record/fingerprint.ts';
import { textHash } from '../record/value-hash.ts';
import type { JsonValue } from '../value/json.ts';

/**
 * Beside its inputs, what decides the output of a node: where its connections lead, the keys that its type reads, and its
 * own parts. Where a node names none, the files it is known to read.
 */
export async function fingerprintInputs(
  prepared: PreparedNode,
  definition: NodeDefinition,
  type: NodeType,
  { files, connections }: Pick<PrepareContext, 'files' | 'connections'>,
): Promise<FingerprintInputs> {
  const keys = type.keys.flatMap((key) => {
    const value = definition.settings[key];
    return value === undefined ? [] : [[`key ${key}`, partOf(value)] as const];
  });
  return {
    ...sourceParts(definition),
    ...connectionParts(definition, connections),
    ...fallbackParts(definition, connections),
    ...Object.fromEntries(keys),
    ...((await prepared.parts?.()) ?? fileParts(definition, type, files)),
  };
}

/** Everything a definition is made of, for telling what changed between two runs; also what no fingerprint holds. */
export function definitionParts(
  node: PlanNode,
  type: NodeType,
  deciding: FingerprintInputs,
  prepared: PreparedNode,
): FingerprintInputs {
  const { definition, activate } = node;
  const inputs = Object.entries(definition.inputs).map(([name, input]) => [`input ${name}`, inputText(input)] as const);
  return {
    type: `${type.name} ${type.version}`,
    ...deciding,
    ...prepared.renderedParts,
    ...Object.fromEntries(inputs),
    ...effectParts(prepared.effects ?? type.effects, definition),
    ...(definition.settings['cache'] === false ? { cache: 'false' } : {}),
    ...(activate === undefined ? {} : { activate: partOf(`${activate.text} is ${String(activate.is)}`) }),
  };
}

/** Why a node always runs, where it does. */
function effectParts(effects: string, { settings: { cache } }: NodeDefinition): FingerprintInputs {
  if (effects === 'writes') return { effects };
  return effects === 'reads unseen' && cache !== true ? { effects } : {};
}

function sourceParts({ source, api }: NodeDefinition): FingerprintInputs {
  return {
    ...(source?.tool === undefined ? {} : { tool: source.tool }),
    ...(api === undefined ? {} : { api }),
  };
}

/** The node's own connection, else those that its literal inputs name. */
function connectionParts({ connection, inputs }: NodeDefinition, connections: ConnectionSource): FingerprintInputs {
  const known = new Set(connections.names());
  const named = Object.entries(inputs).flatMap(([name, input]) =>
    input.kind === 'literal' && typeof input.value === 'string' && known.has(input.value)
      ? [[`connection ${name}`, input.value] as const]
      : [],
  );
  const all = connection === undefined ? named : [['connection', connection] as const];
  return Object.fromEntries(
    all.flatMap(([part, name]) => {
      const found = connections.find(name);
      return found === undefined ? [] : [[part, partOf(connectionIdentity(found))]];
    }),
  );
}

/** Those that may answer in the place of the node's own connection, in their order. */
function fallbackParts({ settings }: NodeDefinition, connections: ConnectionSource): FingerprintInputs {
  const { fallback } = (settings['retry'] ?? {}) as { readonly fallback?: JsonValue };
  return Object.fromEntries(
    readFallbacks(fallback).map((one, index) => {
      const name = fallbackConnection(one);
      const found = connections.find(name);
      const where = found === undefined ? name : partOf(connectionIdentity(found));
      return [`fallback ${index + 1}`, [where, fallbackModel(one)].filter((part) => part !== undefined).join(' ')];
    }),
  );
}

function fileParts(definition: NodeDefinition, type: NodeType, files: PrepareContext['files']): FingerprintInputs {
  const { files: named } = type.inspect(definition, files);
  return Object.fromEntries(named.map((path) => [`file ${path}`, textHash(files.read(path)?.text ?? '')]));
}

function inputText(input: InputDefinition): string {
  if (input.kind === 'literal') return partOf(input.value);
  return input.kind === 'flow-input' ? `\${inputs.${input.input}}` : outputReference(input.node, input.path);
}
