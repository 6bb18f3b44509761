import { fallbackConnection, fallbackModel } from '../flow/fallback.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type CheckedNode, optional, placeInNode, shownName } from './checked-node.ts';

/** Other connections of nodes whose type asks only its own, and those that were asked already: nothing else would answer. */
export function checkFallbacks(nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return [...unasked(nodes), ...nodes.flatMap(askedAgain)];
}

function unasked(nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return nodes
    .filter(({ spec, inspection }) => spec.retry?.fallback !== undefined && inspection.takesFallback !== true)
    .map((node) => ({
      severity: 'warning',
      code: 'FLOW_UNKNOWN_KEY',
      message: `retry.fallback means nothing in node "${shownName(node)}" of type ${node.spec.type}: no other connection is asked`,
      ...optional('span', placeInNode(node, ['retry', 'fallback'], 'key')),
      help: 'llm nodes and agents ask other connections',
    }));
}

/** The same connection for the same model: the node's own, or one that stands before. */
function askedAgain(node: CheckedNode): readonly Diagnostic[] {
  const { spec, inspection } = node;
  const { connection, retry } = spec;
  if (inspection.takesFallback !== true || connection === undefined) return [];
  const own = modelsOf(node);
  const asked = new Set(own.map((model) => `${connection} ${model}`));
  return (retry?.fallback ?? []).flatMap((one, index): readonly Diagnostic[] => {
    const name = fallbackConnection(one);
    const model = fallbackModel(one);
    const ways = (model === undefined ? own : [model]).map((of) => `${name} ${of}`);
    const isAgain = ways.some((way) => asked.has(way));
    for (const way of ways) asked.add(way);
    if (!isAgain) return [];
    return [
      {
        severity: 'error',
        code: 'FLOW_WRONG_VALUE',
        message: `retry.fallback of node "${shownName(node)}" asks connection "${name}" again`,
        ...optional('span', placeInNode(node, ['retry', 'fallback', index])),
        help: 'name another connection, or another model of this one: {connection, model}; `times` says how often one is asked',
      },
    ];
  });
}

/** What the node asks for where that is written; one way to name it in any case. */
function modelsOf({ definition: { inputs } }: CheckedNode): readonly string[] {
  const named = ['deployment_name', 'model'].flatMap((name) => {
    const input = inputs[name];
    return input?.kind === 'literal' && typeof input.value === 'string' && input.value !== '' ? [input.value] : [];
  });
  return named.length === 0 ? [''] : named;
}
