import {
  convertValue,
  isGiven,
  type JsonObject,
  type JsonValue,
  type NodeDefinition,
  PrepareError,
  pythonStr,
} from '@unroll/engine';
import { nodeInputError } from '../errors/tool-error.ts';
import type { ApiParameters } from './api-parameters.ts';

/**
 * The literal inputs of a node: null and "" are dropped, those of parameters converted to their types, all others as they are.
 *
 * @throws PrepareError when one cannot be converted
 */
export function convertLiterals(node: NodeDefinition, parameters: ApiParameters): JsonObject {
  const literals: Record<string, JsonValue> = {};
  for (const [name, input] of Object.entries(node.inputs)) {
    if (input.kind !== 'literal' || !isGiven(input)) continue;
    const type = parameters[name];
    literals[name] = type === undefined ? input.value : convertLiteral(node, name, input.value, type);
  }
  return literals;
}

/** @throws PrepareError when the value is not of the type */
export function convertLiteral(node: NodeDefinition, name: string, value: JsonValue, type: string): JsonValue {
  const result = convertValue(value, type);
  if (result.ok) return result.value;
  const shown = pythonStr(value);
  throw new PrepareError(
    nodeInputError(`Input '${name}' for node '${node.name}' of value '${shown}' is not type ${type}.`),
  );
}
