import { type Diagnostic, type JsonValue, listOf, type NodeDefinition } from '@unroll/engine';
import { mistakeAtKey } from '../errors/mistake-at-key.ts';

export const noQuery = 'the input "query" of a tool_lookup node is a text, or a list of texts';

/** @returns undefined where it is no text and no list of texts */
export function queriesOf(query: JsonValue): readonly string[] | undefined {
  const queries = typeof query === 'string' ? [query] : listOf(query ?? []);
  return queries.length > 0 && queries.every((one) => typeof one === 'string') ? queries : undefined;
}

/** A query that finds nothing in any row; that there is none is told as a missing input. */
export function queryMistakes(node: NodeDefinition): readonly Diagnostic[] {
  const { query, found } = node.inputs;
  const isSeen = query?.kind === 'literal' && query.value !== null && found === undefined;
  if (!isSeen || queriesOf(query.value) !== undefined) return [];
  const told = mistakeAtKey(node, 'inputs', { code: 'FLOW_WRONG_VALUE', message: noQuery });
  return [{ ...told, span: node.locate(['inputs', 'query']), allowsRun: true }];
}
