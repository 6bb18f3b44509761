import type { DiffNode, DiffPage } from '@unroll/project/studio-contract';
import { broken } from '../../parts/broken-name.tsx';
import { countText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { kindShape } from '../../parts/status.ts';
import { words } from '../../words/words.ts';
import { ChangeTag, kindOrder } from './change-tag.tsx';

export interface DiffNodesProps {
  readonly page: DiffPage;
  /** Kinds that it is narrowed to. */
  readonly only: readonly string[];
  readonly addressOf: (node: string) => string;
  /** With the instances of loops' nodes one by one, or together again. */
  readonly toTurns: string | undefined;
}

/** Nodes by the number of rows in which they differ, in the order of the flow where that is the same. */
export function DiffNodes({ page: { nodes, options }, only, addressOf, toTurns }: DiffNodesProps) {
  const { diff } = words.value.comparing;
  const wanted = nodes.filter(
    ({ kinds }) => only.length === 0 || kindOrder.some((kind) => only.includes(kind) && (kinds[kind] ?? 0) > 0),
  );
  const sorted = wanted.toSorted((one, other) => other.changed - one.changed);
  const hasFailed = nodes.some(({ failedLeft, failedRight }) => failedLeft + failedRight > 0);
  return (
    <section class="panel" aria-labelledby="diff-nodes-title">
      <header>
        <h2 id="diff-nodes-title">{diff.nodes}</h2>
        {toTurns === undefined ? null : (
          <a class="small" href={toTurns}>
            {options.turns === 'each' ? diff.turnsTogether : diff.turnsEach}
          </a>
        )}
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
            {hasFailed ? <th scope="col">{diff.failedIn}</th> : null}
            <th scope="col">{diff.kind}</th>
            <th scope="col">{diff.why}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((node) => (
            <NodeLine key={node.name} {...{ node, hasFailed }} address={addressOf(node.name)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface NodeLineProps {
  readonly node: DiffNode;
  readonly address: string;
  readonly hasFailed: boolean;
}

function NodeLine({ node, address, hasFailed }: NodeLineProps) {
  const { diff } = words.value.comparing;
  const only = node.onlyIn === undefined ? '' : node.onlyIn === 'left' ? diff.removedNode : diff.addedNode;
  return (
    <tr>
      <th scope="row">
        <Mark shape={kindShape(node.kind)} />{' '}
        {node.changed === 0 ? broken(node.name) : <a href={address}>{broken(node.name)}</a>}
        {node.instances.length > 1 ? ` ×${node.instances.length}` : ''}
        {node.leftName === undefined ? null : <span class="faint"> {diff.calledInA(node.leftName)}</span>}
      </th>
      <td class="number faint" data-title={diff.same}>
        {countText(node.same)}
      </td>
      <td class="number" data-title={diff.changed}>
        {node.changed === 0 ? '' : <b>{countText(node.changed)}</b>}
      </td>
      {hasFailed ? <td data-title={diff.failedIn}>{failedText(node)}</td> : null}
      <td>
        {kindOrder.map((kind) => {
          const rows = node.kinds[kind] ?? 0;
          return rows === 0 ? null : <ChangeTag key={kind} kind={kind} rows={countText(rows)} />;
        })}
      </td>
      <td class="quiet path">{[only, node.why].filter((text) => text !== '').join('; ')}</td>
    </tr>
  );
}

/** `A 2 B 1`: rows in which it failed in one run alone. */
function failedText({ failedLeft, failedRight }: DiffNode) {
  const counts = [...(failedLeft > 0 ? [`A ${failedLeft}`] : []), ...(failedRight > 0 ? [`B ${failedRight}`] : [])];
  return counts.length === 0 ? null : <span class="bad">{counts.join(' ')}</span>;
}
