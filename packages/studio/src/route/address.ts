import { computed, signal } from '@preact/signals';
import { viewOf } from './view.ts';

const path = signal(window.location.pathname);
const search = signal(window.location.search);

export const view = computed(() => viewOf(path.value));
export const query = computed(() => new URLSearchParams(search.value));

/** Counts changes of the page, for the focus to follow; a change of the query alone leaves it where it is. */
export const arrivals = signal(0);

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (to === path.peek() + search.peek()) return;
  if (how === 'push') window.history.pushState(null, '', to);
  else window.history.replaceState(null, '', to);
  follow();
}

/** Sets values of the query, undefined takes one away; a list stands as often as it has items. */
export function setQuery(
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
  how: 'push' | 'replace' = 'push',
): void {
  const changed = new URLSearchParams(search.peek());
  for (const [name, value] of Object.entries(values)) {
    changed.delete(name);
    for (const one of value === undefined ? [] : [value].flat()) changed.append(name, one);
  }
  const text = changed.toString();
  go(path.peek() + (text === '' ? '' : `?${text}`), how);
}

function follow(): void {
  const isOther = window.location.pathname !== path.peek();
  path.value = window.location.pathname;
  search.value = window.location.search;
  if (isOther) arrivals.value += 1;
}

/** Links within the studio change the view without loading the page anew. */
export function followLinks(): void {
  window.addEventListener('popstate', follow);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.defaultPrevented || link.target !== '' || link.hasAttribute('download'))
      return;
    if (link.origin !== window.location.origin || link.getAttribute('href')?.startsWith('#') === true) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
