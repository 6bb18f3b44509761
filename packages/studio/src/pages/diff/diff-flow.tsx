import type { DiffNode, DiffPage, GraphNode } from '@unroll/project/studio-contract';
import { GraphView } from '../../graph/graph-view.tsx';
import { broken } from '../../parts/broken-name.tsx';
import { countText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { kindShape } from '../../parts/status.ts';
import { words } from '../../words/words.ts';
import { ChangeTag, type Kind, kindOrder } from './change-tag.tsx';

export interface DiffFlowProps {
  readonly page: DiffPage;
  /** Node whose rows are shown. */
  readonly chosen: string | undefined;
  readonly addressOf: (node: string) => string;
  /** Kinds that rows are narrowed to. */
  readonly only: readonly string[];
  readonly toKind: (kind: Kind) => string;
}

/** The flow, each node by why it differs. */
export function DiffFlow({ page: { graph, nodes }, chosen, addressOf, only, toKind }: DiffFlowProps) {
  const { diff } = words.value.comparing;
  const found = kindOrder.filter((kind) => nodes.some((node) => (node.kinds[kind] ?? 0) > 0));
  const nodeOf = (node: GraphNode): DiffNode | undefined =>
    nodes.find(({ instances }) => instances.includes(node.nodes[0] ?? ''));
  return (
    <section class="panel" aria-labelledby="diff-flow-title">
      <header>
        <h2 id="diff-flow-title">{diff.theFlow}</h2>
        {found.map((kind) => (
          <span key={kind} class="small quiet">
            <a href={toKind(kind)} aria-current={only.includes(kind) ? 'true' : undefined} class="kind-link">
              <ChangeTag kind={kind} />
            </a>{' '}
            {diff.kindMeanings[kind]}
          </span>
        ))}
        <span class="small faint">{diff.legend}</span>
      </header>
      <GraphView
        graph={graph}
        measure="status"
        label={diff.theFlow}
        addressOf={(node) => addressOf(nodeOf(node)?.name ?? node.label)}
        box={(node) => (
          <Box node={node} difference={nodeOf(node)} isChosen={nodeOf(node)?.name === chosen} addressOf={addressOf} />
        )}
      />
    </section>
  );
}

interface BoxProps {
  readonly node: GraphNode;
  readonly difference: DiffNode | undefined;
  readonly isChosen: boolean;
  readonly addressOf: (node: string) => string;
}

function Box({ node, difference, isChosen, addressOf }: BoxProps) {
  const { diff } = words.value.comparing;
  if (node.kind !== 'node' || difference === undefined) return <span class="node-box edge">{node.label}</span>;
  const kind = kindOrder.find((one) => one === node.change);
  return (
    <a
      class={`node-box changed-node ${kind ?? 'same'} ${isChosen ? 'chosen' : ''}`}
      href={addressOf(difference.name)}
      aria-current={isChosen ? 'true' : undefined}
      title={difference.why}
    >
      <span class="first">
        <Mark shape={kindShape(node.type)} />
        <span class="name">
          {broken(node.label)}
          {difference.instances.length > 1 ? ` ×${difference.instances.length}` : ''}
        </span>
        <span class="figure">{countText(difference.changed)}</span>
      </span>
      <span class="second">{secondLine(difference, kind, diff)}</span>
    </a>
  );
}

function secondLine(node: DiffNode, kind: Kind | undefined, diff: typeof words.value.comparing.diff): string {
  if (kind === undefined) return `${diff.same}: ${countText(node.same)}`;
  const { why } = node;
  return why === '' ? diff.kinds[kind] : `${diff.kinds[kind]} · ${why}`;
}
