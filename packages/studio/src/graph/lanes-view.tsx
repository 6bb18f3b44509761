import type { GraphNode } from '@unroll/project/studio-contract';
import type { ComponentChildren } from 'preact';
import { words } from '../words/words.ts';
import type { Lanes, LoopTurn } from './lanes.ts';
import type { MeasureName } from './measure-name.ts';
import { EdgeText, NodeBox } from './node-box.tsx';

export interface LanesViewProps {
  readonly lanes: Lanes;
  readonly measure: MeasureName;
  readonly label: string;
  readonly chosen: string | undefined;
  readonly addressOf: (node: GraphNode) => string;
  readonly box?: ((node: GraphNode) => ComponentChildren) | undefined;
}

type Draw = (node: GraphNode) => ComponentChildren;

/** A flow without branches, as wide as its window; below 900 pixels from top to bottom. Arrows are drawn by the style. */
export function LanesView({ lanes, measure, label, chosen, addressOf, box }: LanesViewProps) {
  const { inputs, items, outputs } = lanes;
  const draw: Draw = (node) =>
    box?.(node) ?? <NodeBox node={node} measure={measure} isChosen={node.id === chosen} address={addressOf(node)} />;
  return (
    <ol class="lanes" aria-label={label}>
      <Edges nodes={inputs} measure={measure} />
      {items.map((item) =>
        item.kind === 'node' ? (
          <li key={item.node.id}>{draw(item.node)}</li>
        ) : (
          <li key={item.loop} class="lane-loop">
            <p class="loop-name">{item.loop}</p>
            <ol class="lane-turns">
              {item.turns.map((turn) => (
                <TurnLane key={turn.turn} turn={turn} draw={draw} />
              ))}
            </ol>
          </li>
        ),
      )}
      <Edges nodes={outputs} measure={measure} />
    </ol>
  );
}

function Edges({ nodes, measure }: { readonly nodes: readonly GraphNode[]; readonly measure: MeasureName }) {
  if (nodes.length === 0) return null;
  return (
    <li class="lane-edge">
      <span class="node-box edge">
        {nodes.map((node) => (
          <EdgeText key={node.id} node={node} measure={measure} />
        ))}
      </span>
    </li>
  );
}

function TurnLane({ turn: { turn, nodes }, draw }: { readonly turn: LoopTurn; readonly draw: Draw }) {
  return (
    <li>
      {turn === 0 ? null : <p class="turn-name">{words.value.turn(turn)}</p>}
      <ol class="lane-turn">
        {nodes.map((node) => (
          <li key={node.id}>{draw(node)}</li>
        ))}
      </ol>
    </li>
  );
}
