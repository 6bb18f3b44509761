import {
  type Connection,
  type InputDefinition,
  type JsonObject,
  type JsonValue,
  type NodeDefinition,
  type PrepareContext,
  parseYaml,
} from '@unroll/engine';
import { withHandleMarks } from '../python-objects/handle-marks.ts';

import { calledPrompties } from './called-prompties.ts';
import { definitionEnding } from './check-assistant.ts';
import type { LoadRequest } from './worker-pool.ts';

/** Marks a date among the literals of a node, which are told before there is a worker. */
const dateMark = '\0literal';

/** As Prompt flow prints it. */
export function referenceText(input: Exclude<InputDefinition, { kind: 'literal' }>): string {
  if (input.kind === 'flow-input') return `\${flow.${input.input}}`;
  return `\${${input.node}.output${input.path === '' ? '' : `.${input.path}`}}`;
}

/** What a worker is told to load a node: its file or module, literals, connections and definitions. */
export function loadRequest(definition: NodeDefinition, source: JsonObject, context: PrepareContext): LoadRequest {
  const literals: Record<string, JsonValue> = {};
  const references: Record<string, string> = {};
  const connections: Record<string, JsonValue> = {};
  for (const [name, input] of Object.entries(definition.inputs)) {
    if (input.kind !== 'literal') {
      references[name] = referenceText(input);
      continue;
    }
    literals[name] = withHandleMarks(input.value, dateMark, new Set());
    const connection = typeof input.value === 'string' ? context.connections.find(input.value) : undefined;
    if (connection !== undefined) connections[connection.name] = connectionValues(connection);
  }
  const called = calledPrompties(ownFile(definition, source, context), context);
  const definitions = writtenDefinitions(Object.values(literals), context);
  for (const name of [...predefinedInputs(definitions), ...called.connections]) {
    const connection = context.connections.find(name);
    if (connection !== undefined) connections[name] = connectionValues(connection);
  }
  const { messageFormat, modules = [] } = context;
  return {
    op: 'load',
    node: definition.name,
    ...source,
    literals,
    references,
    connections,
    connectionNames: context.connections.names(),
    messageFormat,
    onlyMarked: takesOnlyMarked(definition, context),
    ...(modules.length === 0 ? {} : { modules: modules.map((module) => ({ ...module })) }),
    ...(Object.keys(definitions).length === 0 ? {} : { definitions }),
    prompties: called.prompties as unknown as JsonObject,
  };
}

/** In a flow of Prompt flow's a function is a tool where it is marked as one. */
function takesOnlyMarked({ type }: NodeDefinition, { isStandard = false }: PrepareContext): boolean {
  return isStandard && type === 'python';
}

/** The file of the user's code: of a flow that is code, the worker's file that calls it is loaded. */
function ownFile(
  { source: code }: NodeDefinition,
  { path }: JsonObject,
  { files }: PrepareContext,
): string | undefined {
  return typeof path === 'string' && files.resolve(path) !== undefined ? path : code?.path;
}

/** The YAML files among the literals of a node, read: its code may take one as the definition of an assistant. */
function writtenDefinitions(literals: readonly JsonValue[], { files }: PrepareContext): JsonObject {
  const paths = literals.filter((literal) => typeof literal === 'string' && definitionEnding.test(literal));
  return Object.fromEntries(
    paths.flatMap((path) => {
      const file = files.read(String(path));
      const value = file === undefined ? undefined : parseYaml(file).value;
      return value === undefined ? [] : [[String(path), value ?? {}]];
    }),
  );
}

/** Texts given to the functions of assistants: some may be names of connections. */
function predefinedInputs(definitions: JsonObject): readonly string[] {
  return Object.values(definitions).flatMap((definition) => {
    const { tools = null } = (definition ?? {}) as JsonObject;
    if (!Array.isArray(tools)) return [];
    const given = (tools as readonly JsonObject[]).flatMap((tool) =>
      Object.values((tool['predefined_inputs'] ?? {}) as JsonObject),
    );
    return given.filter((value) => typeof value === 'string');
  });
}

function connectionValues({ type, configs, secrets }: Connection): JsonValue {
  return { type, configs, secrets };
}
