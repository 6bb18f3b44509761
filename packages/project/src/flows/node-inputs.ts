import {
  coerceInputs,
  didYouMean,
  type JsonObject,
  type JsonValue,
  jsonOrText,
  type Plan,
  type PlanNode,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/** Inputs of a node as given: from a file with their JSON types, as `name=value` all texts. */
export interface NodeInputSources {
  readonly fromFile: JsonObject;
  readonly fromPairs: JsonObject;
}

/**
 * Inputs of one node by the names it takes them under. A key may be such a name or the reference that fills it
 * (`inputs.x`, `src.output`, `src.output.property`), as in Prompt flow's test of a node. A value that the node takes from an input of the flow is
 * converted to the type of that input; what its code declares as a text stays one; any other text is read as JSON where it is JSON.
 *
 * @throws ProjectFailure when a value does not fit the type of its flow input
 */
export function nodeInputs(node: PlanNode, plan: Plan, given: NodeInputSources): JsonObject {
  return {
    ...convert(byName(node, given.fromFile), node, plan, (value) => value),
    ...convert(byName(node, given.fromPairs), node, plan, jsonOrText),
  };
}

/** Warnings for inputs the node does not have, each with the nearest it has. */
export function unknownNodeInputs(node: PlanNode, given: JsonObject): readonly string[] {
  const known = node.inputs.flatMap((input) => [input.name, referenceOf(input) ?? []].flat());
  const names = node.inputs.map(({ name }) => name);
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const help = didYouMean(key, known) ?? (names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`);
      return `node "${node.name}" has no input "${key}": ${help}`;
    });
}

/** Names win over references: a node may have an input called `inputs.x`. */
function byName(node: PlanNode, given: JsonObject): JsonObject {
  const found: Record<string, JsonValue> = {};
  for (const input of node.inputs) {
    const reference = referenceOf(input);
    const key = Object.hasOwn(given, input.name) ? input.name : reference;
    if (key !== undefined && Object.hasOwn(given, key)) found[input.name] = given[key] ?? null;
  }
  return found;
}

function referenceOf({ binding }: PlanNode['inputs'][number]): string | undefined {
  if (binding.kind === 'literal') return undefined;
  if (binding.kind === 'flow-input') return `inputs.${binding.input}`;
  return [binding.nodeName, 'output', binding.pathText].filter((part) => part !== '').join('.');
}

function convert(
  given: JsonObject,
  node: PlanNode,
  plan: Plan,
  otherwise: (value: JsonValue) => JsonValue,
): JsonObject {
  const entries = node.inputs.flatMap(({ name, binding, isText }) => {
    if (!Object.hasOwn(given, name)) return [];
    const value = given[name] ?? null;
    if (binding.kind === 'flow-input') return [[name, asInput(binding.input, value, plan)] as const];
    return [[name, isText === true ? value : otherwise(value)] as const];
  });
  return Object.fromEntries(entries);
}

function asInput(name: string, value: JsonValue, plan: Plan): JsonValue {
  const declared = plan.inputs.filter((input) => input.name === name);
  const coerced = coerceInputs(declared, { [name]: value }, undefined);
  if (!coerced.ok) throw new ProjectFailure(coerced.error.message, { code: coerced.error.code });
  return coerced.inputs[name] ?? null;
}
