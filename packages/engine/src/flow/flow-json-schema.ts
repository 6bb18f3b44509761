import * as z from 'zod';
import { agentKeys } from './agent-keys.ts';
import { describedParts, nodeKeys } from './flow-schema.ts';

/** A type of nodes as editors need it. */
export interface EditedNodeType {
  readonly name: string;
  /** Keys its nodes may have beside the common ones. */
  readonly keys: readonly string[];
  /** What JSON Schema can say of its nodes beyond their keys. */
  editorSchema?(): object;
}

/**
 * JSON Schema (draft 2020-12) of a flow file, for editors: as strict as `flow check` where a schema can be. Keys that no node of
 * a type has are mistakes there, and warnings here; schema/flow.schema.json is printed from it.
 */
export function flowJsonSchema(types: readonly EditedNodeType[]): object {
  const { flow, node, body, descriptions } = describedParts;
  for (const [schema, description] of descriptions) z.globalRegistry.add(schema, { description });
  const schema = z.toJSONSchema(flow, {
    io: 'input',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === node) becomes(jsonSchema, { $ref: '#/$defs/node' });
      if (zodSchema === body) becomes(jsonSchema, { $ref: '#/$defs/body' });
    },
  });
  return {
    $id: 'flow.schema.json',
    title: 'A flow: flow.dag.yaml of Prompt flow, with bounded loops',
    ...schema,
    additionalProperties: false,
    $defs: { node: { $ref: '#/$defs/body', required: ['name'] }, body: bodySchema([...types, agentType]) },
  };
}

/** The shorthand that is written out before anything runs: it asks a model. */
const agentType: EditedNodeType = {
  name: 'agent',
  keys: Object.keys(agentKeys),
  editorSchema: () => ({ required: ['connection', 'tools'] }),
};

function becomes(schema: Record<string, unknown>, other: Readonly<Record<string, unknown>>): void {
  const { description } = schema;
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, other, description === undefined ? {} : { description });
}

/** Of a node, or of what a variant puts in its place: one whose variants are used needs nothing else. */
function bodySchema(types: readonly EditedNodeType[]): object {
  const { properties } = z.toJSONSchema(describedParts.body, { io: 'input', reused: 'inline' });
  const ofTypes = [...new Set(types.flatMap(({ keys }) => keys))].filter((key) => !nodeKeys.includes(key));
  const own = ofTypes.map((key) => [key, { description: keyDescription(key, types) }] as const);
  const kind = { description: 'Kind of the node.', enum: types.map(({ name }) => name) };
  const isVaried = { properties: { use_variants: { const: true } }, required: ['use_variants'] };
  return {
    type: 'object',
    properties: { ...properties, ...Object.fromEntries(own), type: kind },
    additionalProperties: false,
    if: { not: isVaried },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['type'], allOf: types.map(ruleOf) },
  };
}

function keyDescription(key: string, types: readonly EditedNodeType[]): string {
  const owners = types.filter(({ keys }) => keys.includes(key)).map(({ name }) => name);
  return agentKeys[key] ?? `Of nodes of type ${owners.join(', ')}.`;
}

function ruleOf({ name, keys, editorSchema }: EditedNodeType): object {
  return {
    if: { properties: { type: { const: name } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { propertyNames: { enum: [...nodeKeys, ...keys] }, ...editorSchema?.() },
  };
}
