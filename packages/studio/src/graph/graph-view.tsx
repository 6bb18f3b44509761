import type { Graph, GraphNode } from '@unroll/project/studio-contract';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { words } from '../words/words.ts';
import { Arrows } from './arrows.tsx';
import { lanesOf } from './lanes.ts';
import { LanesView } from './lanes-view.tsx';
import type { MeasureName } from './measure-name.ts';
import { NodeBox } from './node-box.tsx';
import { railsOf } from './rails.ts';
import { RailsView } from './rails-view.tsx';

export interface GraphViewProps {
  readonly graph: Graph;
  readonly measure: MeasureName;
  readonly label: string;
  /** Id of the chosen node. */
  readonly chosen?: string;
  readonly addressOf: (node: GraphNode) => string;
  /** Draws a node in place of its figures. */
  readonly box?: (node: GraphNode) => ComponentChildren;
}

/** The layout's boxes hold a name; ours hold a figure beside it. */
const wider = 1.16;
const leastScale = 0.85;

/** A flow without branches as lanes, any other as the layout places it. */
export function GraphView(props: GraphViewProps) {
  const lanes = lanesOf(props.graph);
  if (lanes === undefined) return <PlacedGraph {...props} />;
  return <LanesView {...props} lanes={lanes} chosen={props.chosen} />;
}

/**
 * The flow as an ordered list of links, placed as the layout says; where that is wider than the panel, from top to bottom (style).
 * Arrows are drawn and say nothing to screen readers: the order does.
 */
function PlacedGraph({ graph, measure, label, chosen, addressOf, box }: GraphViewProps) {
  const [outer, room] = useWidth();
  const width = graph.width * wider;
  const scale = room === 0 ? 1 : Math.min(1, Math.max(leastScale, room / width));
  const size = { '--graph-width': `${width * scale}px`, '--graph-height': `${graph.height * scale}px` };
  const drawn = { '--drawn-width': `${width}px`, '--drawn-height': `${graph.height}px`, '--scale': `${scale}` };
  const rails = railsOf(graph);
  const isTooWide = width * scale > room + 1 && room > 0;
  return (
    <section class={isTooWide ? 'graph upright' : 'graph'} ref={outer} aria-label={label}>
      <div class="graph-size" style={size}>
        <div class="graph-drawn" style={drawn}>
          <Groups graph={graph} />
          <Arrows graph={graph} wider={wider} />
          <ol style={{ '--rails': `${rails.lanes}` }}>
            {graph.nodes.map((node, at) => (
              <li
                key={node.id}
                class={node.loop === undefined ? '' : 'in-loop'}
                style={placeOf(node)}
                data-turn={turnOf(node)}
              >
                <RailsView row={rails.nodes[at]} />
                {box?.(node) ?? (
                  <NodeBox node={node} measure={measure} isChosen={node.id === chosen} address={addressOf(node)} />
                )}
              </li>
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}

function turnOf({ loop, iteration = 0 }: GraphNode): string | undefined {
  return loop === undefined || iteration === 0 ? undefined : words.value.turn(iteration);
}

function placeOf({ x, y, width, height }: Pick<GraphNode, 'x' | 'y' | 'width' | 'height'>) {
  return { '--x': `${x * wider}px`, '--y': `${y}px`, '--width': `${width * wider}px`, '--height': `${height}px` };
}

function Groups({ graph: { groups } }: { readonly graph: Graph }) {
  return (
    <>
      {groups.map((group) => (
        <div
          key={group.id}
          class={group.parent === undefined ? 'graph-group' : 'graph-group inner'}
          style={placeOf(group)}
        >
          <span aria-hidden="true">{group.label}</span>
        </div>
      ))}
    </>
  );
}

/** Width of an element, as it changes. */
function useWidth() {
  const outer = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = outer.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [outer, width] as const;
}
