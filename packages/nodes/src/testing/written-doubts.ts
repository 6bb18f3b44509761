import type { Connection, JsonObject, NodeDefinition } from '@unroll/engine';
import { providerDoubts } from '../llm/provider-doubts.ts';

/** What is doubtful about the parameters that a model node writes, with a connection. */
export function writtenDoubts(
  connection: Connection,
  written: JsonObject,
  parameters: ReadonlySet<string> = new Set(Object.keys(written)),
): ReturnType<typeof providerDoubts> {
  const inputs = Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, { kind: 'literal', value } as const]),
  );
  const node: NodeDefinition = {
    name: 'ask',
    type: 'llm',
    inputs,
    settings: {},
    aggregation: false,
    locate: () => undefined,
  };
  return providerDoubts(node, connection, parameters);
}
