import type { JsonObject, JsonValue, NodeDefinition, Span } from '@unroll/engine';

/** Functions that a node's literal `functions` and `tools` offer to the model, with their places in the flow file. */
export function offeredFunctions(node: NodeDefinition): readonly { readonly name: string; readonly span?: Span }[] {
  return ['functions', 'tools'].flatMap((key) => {
    const input = node.inputs[key];
    if (input?.kind !== 'literal' || !Array.isArray(input.value)) return [];
    return (input.value as readonly JsonValue[]).flatMap((one, index) => offered(node, key, one, index));
  });
}

function offered(
  node: NodeDefinition,
  key: string,
  one: JsonValue,
  index: number,
): readonly { name: string; span?: Span }[] {
  const inner = key === 'tools' ? 'function' : undefined;
  const definition = inner === undefined ? one : ((one as JsonObject | null)?.[inner] ?? null);
  const name = (definition as JsonObject | null)?.['name'];
  if (typeof name !== 'string') return [];
  const span = node.locate(['inputs', key, index, ...(inner === undefined ? [] : [inner]), 'name']);
  return [span === undefined ? { name } : { name, span }];
}
