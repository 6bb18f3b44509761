import {
  coerceInputs,
  didYouMean,
  isPerRow,
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

/** What the flow's own inputs give a node that runs alone, where nobody gives more: their defaults. */
export function defaultNodeInputs(node: PlanNode, plan: Plan): JsonObject {
  const given: Record<string, JsonValue> = {};
  for (const { name, binding } of node.inputs) {
    const declared = binding.kind === 'flow-input' ? plan.inputs.find((one) => one.name === binding.input) : undefined;
    if (declared !== undefined) given[name] = declared.default ?? null;
  }
  const written = Object.entries(given).filter(([, value]) => value !== null);
  return convert(Object.fromEntries(written), node, plan, (value) => value);
}

/**
 * Inputs of one node by the names it takes them under. A key may be such a name, the reference that fills it
 * (`inputs.x`, `src.output`, `src.output.property`) or the flow's name for it (`x`), as in Prompt flow's test of a node. A
 * node over all rows is given lists of the one value. A value that the node takes from an input of the flow is
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
  const known = node.inputs.flatMap(keysOf);
  const names = node.inputs.map(({ name }) => name);
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const help = didYouMean(key, known) ?? (names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`);
      return `node "${node.name}" has no input "${key}": ${help}`;
    });
}

/** A name of the node's own is that of no other of its inputs. */
function byName(node: PlanNode, given: JsonObject): JsonObject {
  const own = new Set(node.inputs.map(({ name }) => name));
  const found: Record<string, JsonValue> = {};
  for (const input of node.inputs) {
    const key = keysOf(input).find((one) => Object.hasOwn(given, one) && (one === input.name || !own.has(one)));
    if (key !== undefined) found[input.name] = given[key] ?? null;
  }
  return found;
}

/** The first that is given counts. Of a flow's input and a node's own of the same name, the reference says which is meant. */
function keysOf({ name, binding }: PlanNode['inputs'][number]): readonly string[] {
  if (binding.kind === 'literal') return [name];
  if (binding.kind === 'flow-input') return [`inputs.${binding.input}`, name, binding.input];
  return [[binding.nodeName, 'output', binding.pathText].filter((part) => part !== '').join('.'), name];
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
    const isOther = binding.kind !== 'flow-input';
    const read = isOther ? (isText === true ? value : otherwise(value)) : asInput(binding.input, value, plan);
    return [[name, node.aggregation && isPerRow(plan, binding) ? [read] : read] as const];
  });
  return Object.fromEntries(entries);
}

function asInput(name: string, value: JsonValue, plan: Plan): JsonValue {
  const declared = plan.inputs.filter((input) => input.name === name);
  const coerced = coerceInputs(declared, { [name]: value ?? declared[0]?.default ?? null }, undefined);
  if (!coerced.ok) throw new ProjectFailure(coerced.error.message, { code: coerced.error.code });
  return coerced.inputs[name] ?? null;
}
