import { type JsonObject, type Plan, resolveImagePaths } from '@unroll/engine';

/** Images of a data file lie beside it. */
export function withImagePaths({ inputs, writtenFormat }: Plan, values: JsonObject, folder: string): JsonObject {
  const mayHoldImages = inputs.some(({ type }) => type === 'image' || type === 'list' || type === 'object');
  return mayHoldImages ? (resolveImagePaths(values, folder, writtenFormat) as JsonObject) : values;
}
