import type { NodeView, RowPage } from '@unroll/project/studio-contract';
import { unfolds } from '../../parts/value-view.tsx';
import { go, setQuery } from '../../route/address.ts';
import { isExported } from '../../route/exported-page.ts';
import { labelsAddress, placeAddress, playgroundAddress, rowAddress } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { nodeBeside, turnBeside } from './chosen-node.ts';
import { inspectorTabs } from './inspector.tsx';

/** The keys of a row: rows, nodes, turns, what the inspector shows. */
export function useRowKeys(page: RowPage | undefined, node: NodeView | undefined, kept: URLSearchParams): void {
  const { keys } = words.value;
  const toRow = (at: RowPage['next']): void => {
    if (page !== undefined && at !== undefined) go(rowAddress(page.run, at, kept));
  };
  const toNode = (name: string | undefined): void => {
    if (name !== undefined) setQuery({ node: name }, 'replace');
  };
  const step = (by: number): void => {
    if (page !== undefined && node !== undefined) toNode(nodeBeside(page, node.name, by));
  };
  const turn = (by: number): void => {
    if (page !== undefined && node !== undefined) toNode(turnBeside(page, node, by));
  };
  const group = 'page';
  useKeys([
    { keys: ['j'], group, label: keys.nextRow, run: () => toRow(page?.next) },
    { keys: ['k'], group, label: keys.previousRow, run: () => toRow(page?.previous) },
    { keys: ['ArrowDown', 'ArrowUp'], group, label: keys.node, run: (key) => step(key === 'ArrowDown' ? 1 : -1) },
    { keys: ['ArrowRight', 'ArrowLeft'], group, label: keys.turn, run: (key) => turn(key === 'ArrowRight' ? 1 : -1) },
    {
      keys: ['1', '2', '3', '4'],
      group,
      label: keys.inspector,
      run: (key) => setQuery({ view: inspectorTabs[Number(key) - 1] }, 'replace'),
    },
    {
      keys: ['x'],
      group,
      label: keys.unfold,
      run: () => {
        unfolds.value = 1 - unfolds.value;
      },
    },
    {
      keys: ['p'],
      group,
      label: keys.playWith,
      run: () => {
        if (page !== undefined && isExported('/playground')) go(playgroundAddress(page.run, page.line, node?.name));
      },
    },
    {
      keys: ['l'],
      group,
      label: keys.label,
      run: () => {
        if (page !== undefined && isExported('/labels')) go(labelsAddress(page.run, page.line, page.repeat));
      },
    },
    {
      keys: ['d'],
      group,
      label: keys.compare,
      run: () => (page?.against === undefined ? undefined : go(placeAddress(page.against.to))),
    },
  ]);
}
