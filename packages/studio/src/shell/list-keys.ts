import { words } from '../words/words.ts';
import { useKeys } from './keys.ts';

/** `j` and `k` go through the links of a list, which are marked with `data-item`; Enter opens them as any link. */
export function useListKeys(): void {
  const { keys } = words.value;
  useKeys([
    { keys: ['j', 'ArrowDown'], group: 'list', label: keys.next, run: () => moveBy(1) },
    { keys: ['k', 'ArrowUp'], group: 'list', label: keys.previous, run: () => moveBy(-1) },
  ]);
}

function moveBy(step: number): void {
  const items = [...document.querySelectorAll<HTMLElement>('[data-item]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (step > 0 ? 0 : items.length - 1) : Math.min(Math.max(at + step, 0), items.length - 1);
  items[next]?.focus();
  items[next]?.scrollIntoView({ block: 'nearest' });
}
