import type { RunLine } from '@unroll/project/studio-contract';
import { go, setQuery } from '../../route/address.ts';
import { queryOf } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { toggleChosen } from './toggle-chosen.ts';

/** The older run stands left, whichever was chosen first. */
export function compareAddress(runs: readonly RunLine[], chosen: readonly string[]): string {
  const startOf = (id: string): number => runs.find((run) => run.id === id)?.startedAt ?? 0;
  const [left, right] = chosen.toSorted((one, other) => startOf(one) - startOf(other));
  return `/diff?${queryOf({ left, right })}`;
}

/** With the run before it: the one that is chosen, else the one that has the focus, else the newest that has ended. */
function beforeAddress(runs: readonly RunLine[], [chosen]: readonly string[]): string {
  const { run: focused } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
  const newest = runs.find(({ status }) => status !== 'Running' && status !== 'Unreadable')?.id;
  return `/diff?${queryOf({ right: chosen ?? focused ?? newest })}`;
}

export function useRunsKeys(runs: readonly RunLine[], chosen: readonly string[]): void {
  const { keys } = words.value;
  useKeys([
    { keys: [' '], group: 'list', label: keys.choose, run: () => toggleFocused(chosen) },
    {
      keys: ['d'],
      group: 'page',
      label: keys.compare,
      run: () => go(chosen.length === 2 ? compareAddress(runs, chosen) : beforeAddress(runs, chosen)),
    },
    { keys: ['Escape'], group: 'page', label: keys.escape, run: () => setQuery({ chosen: undefined }, 'replace') },
  ]);
}

function toggleFocused(chosen: readonly string[]): void {
  const { run } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
  if (run !== undefined) toggleChosen(run, chosen);
}
