import type { DiffNode } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { kindShape } from '../../parts/status.ts';
import { words } from '../../words/words.ts';
import { ChangeTag, kindOrder } from './change-tag.tsx';

export interface DiffNodesProps {
  readonly nodes: readonly DiffNode[];
  readonly addressOf: (node: string) => string;
}

/** Nodes by the number of rows in which they differ, in the order of the flow where that is the same. */
export function DiffNodes({ nodes, addressOf }: DiffNodesProps) {
  const { diff } = words.value.comparing;
  const sorted = nodes.toSorted((one, other) => other.changed - one.changed);
  return (
    <section class="panel" aria-labelledby="diff-nodes-title">
      <header>
        <h2 id="diff-nodes-title">{diff.nodes}</h2>
      </header>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{diff.node}</th>
            <th scope="col" class="number">
              {diff.same}
            </th>
            <th scope="col" class="number">
              {diff.changed}
            </th>
            <th scope="col">{diff.kind}</th>
            <th scope="col">{diff.why}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((node) => (
            <NodeLine key={node.name} node={node} address={addressOf(node.name)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function NodeLine({ node, address }: { readonly node: DiffNode; readonly address: string }) {
  const { diff } = words.value.comparing;
  const only = node.onlyIn === undefined ? '' : node.onlyIn === 'left' ? diff.removedNode : diff.addedNode;
  return (
    <tr>
      <th scope="row">
        <Mark shape={kindShape(node.kind)} /> {node.changed === 0 ? node.name : <a href={address}>{node.name}</a>}
        {node.instances.length > 1 ? ` ×${node.instances.length}` : ''}
      </th>
      <td class="number faint" data-title={diff.same}>
        {countText(node.same)}
      </td>
      <td class="number" data-title={diff.changed}>
        {node.changed === 0 ? '' : <b>{countText(node.changed)}</b>}
      </td>
      <td>
        {kindOrder.map((kind) => {
          const rows = node.kinds[kind] ?? 0;
          return rows === 0 ? null : <ChangeTag key={kind} kind={kind} rows={countText(rows)} />;
        })}
      </td>
      <td class="quiet">{[only, node.why].filter((text) => text !== '').join('; ')}</td>
    </tr>
  );
}
