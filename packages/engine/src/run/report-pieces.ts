import type { CompiledPlan } from './compile-plan.ts';
import type { StreamListener } from './finish-live.ts';
import type { RowPlace } from './forecast-row.ts';
import type { NodeEvent } from './run-event.ts';

/** Tells the pieces of streams that are outputs of the flow as events of the node that gives them. */
export function reportPieces(
  { outputs, plan }: CompiledPlan,
  place: RowPlace,
  onEvent: (event: NodeEvent) => void,
): StreamListener {
  const nodes = new Map(
    outputs.map(({ name, binding }) => [name, binding.kind === 'node-output' ? binding.nodeName : undefined]),
  );
  // Code that is a flow may give outputs that it does not declare.
  const answering = plan.answersBy === undefined ? undefined : plan.nodes[plan.answersBy]?.name;
  return {
    begin: (begun, streams) => onEvent({ type: 'streams-begin', ...place, outputs: begun, streams }),
    pieceOf: (output) => (text, item) => {
      const node = nodes.get(output) ?? answering;
      const piece = item === undefined ? { text, output } : { text, output, item };
      if (node !== undefined) onEvent({ type: 'text', ...place, node, ...piece });
    },
  };
}
