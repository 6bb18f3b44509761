import type { NodeError } from '../node/node-error.ts';
import type { Binding, NodeBinding, Plan, PlanNode } from '../plan/plan.ts';
import { convertValue } from '../value/convert-value.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { invalidProperty, type Read, readProperty, unsupportedReference } from './read-property.ts';

/** What one node run alone is given in the place of the flow. */
export interface AloneInputs {
  /** Inputs of the flow, by name; defaults are filled in. */
  readonly flowInputs?: JsonObject;
  /** Outputs of the nodes it reads, by name. */
  readonly outputs?: JsonObject;
}

export type BoundInputs =
  | { readonly ok: true; readonly inputs: JsonObject }
  | { readonly ok: false; readonly error: NodeError };

/**
 * The inputs of a node run alone, by the names it takes them under, literals left out. An aggregation node gets lists of
 * the one value.
 */
export async function bindNodeInputs(plan: Plan, node: PlanNode, given: AloneInputs): Promise<BoundInputs> {
  const flowInputs = nodeFlowInputs(plan, node, given.flowInputs ?? {});
  if (!flowInputs.ok) return flowInputs;
  const inputs: Record<string, JsonValue> = {};
  for (const { name, binding } of node.inputs) {
    if (binding.kind === 'literal') continue;
    const read = await readAlone(binding, flowInputs.inputs, given.outputs ?? {});
    if (!read.ok) return { ok: false, error: read.error };
    inputs[name] = node.aggregation && isPerRow(plan, binding) ? [read.value] : read.value;
  }
  return { ok: true, inputs };
}

/** Whether an aggregation node gets the list of its values in all rows. */
export function isPerRow(plan: Plan, binding: Binding): boolean {
  return binding.kind === 'flow-input' || (binding.kind === 'node-output' && !plan.nodes[binding.node]?.aggregation);
}

function nodeFlowInputs(plan: Plan, node: PlanNode, given: JsonObject): BoundInputs {
  const inputs: Record<string, JsonValue> = {};
  for (const { name, binding } of node.inputs) {
    if (binding.kind !== 'flow-input') continue;
    const declared = plan.inputs.find((input) => input.name === binding.input);
    const value = Object.hasOwn(given, binding.input) ? (given[binding.input] ?? null) : declared?.default;
    if (value === undefined) {
      const message = `The input for node is incorrect. Node input '${binding.input}' is not found in input data for node '${node.name}'. Please verify the inputs data for the node.`;
      return { ok: false, error: inputError('InputNotFound', message) };
    }
    const converted = convertValue(value, declared?.type ?? 'object');
    if (!converted.ok) {
      const message = `The input for node is incorrect. Value for input '${name}' of node '${node.name}' is not type '${declared?.type}'. Please review and rectify the input data.`;
      return { ok: false, error: inputError('InputTypeError', message) };
    }
    inputs[binding.input] = converted.value;
  }
  return { ok: true, inputs };
}

function inputError(code: string, message: string): NodeError {
  return { code, message, retryable: false };
}

function readAlone(
  binding: Exclude<Binding, { readonly kind: 'literal' }>,
  flowInputs: JsonObject,
  outputs: JsonObject,
): Read | Promise<Read> {
  if (binding.kind === 'flow-input') return { ok: true, value: flowInputs[binding.input] ?? null };
  return readGivenOutput(binding, outputs);
}

function readGivenOutput(binding: NodeBinding, outputs: JsonObject): Read | Promise<Read> {
  const { nodeName, path, pathText, unsupportedSection } = binding;
  if (unsupportedSection !== undefined) {
    return { ok: false, error: unsupportedReference(nodeName, unsupportedSection) };
  }
  if (!Object.hasOwn(outputs, nodeName)) {
    const known = Object.keys(outputs).map((name) => `'${name}'`);
    const code = 'InputNotFoundFromAncestorNodeOutput';
    const message = `Flow execution failed. The input '${nodeName}' is not found from ancestor node outputs [${known.join(', ')}]. Please check the node name and try again.`;
    return { ok: false, error: { code, message, retryable: false } };
  }
  const value = outputs[nodeName] ?? null;
  return value === null && path.length > 0
    ? { ok: false, error: invalidProperty(nodeName, pathText) }
    : readProperty(nodeName, value, path, pathText);
}
