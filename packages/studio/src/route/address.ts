import { computed, signal } from '@preact/signals';
import { exportedPage } from './exported-page.ts';
import { viewOf } from './view.ts';
import { linkTo, shownAddress } from './where.ts';

const first = shownAddress();
const path = signal(first.path);
const search = signal(first.search);

export const shownPath = computed(() => path.value);
export const view = computed(() => viewOf(path.value));
export const query = computed(() => new URLSearchParams(search.value));

/** Counts changes of the page, for the focus to follow; a change of the query alone leaves it where it is. */
export const arrivals = signal(0);

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (to === path.peek() + search.peek()) return;
  if (how === 'push') window.history.pushState(null, '', linkTo(to));
  else window.history.replaceState(null, '', linkTo(to));
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
  const now = shownAddress();
  const isOther = now.path !== path.peek();
  path.value = now.path;
  search.value = now.search;
  if (isOther) arrivals.value += 1;
}

/** An export keeps its address where a link to a place of the page would write its own. */
function isPlaceOfExport(href: string): boolean {
  return exportedPage !== undefined && /^#[a-z]/.test(href);
}

/** Links within the studio change the view without loading the page again. */
export function followLinks(): void {
  window.addEventListener('popstate', follow);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.defaultPrevented || link.target !== '' || link.hasAttribute('download'))
      return;
    const href = link.getAttribute('href') ?? '';
    if (isPlaceOfExport(href)) {
      event.preventDefault();
      document.querySelector<HTMLElement>(href)?.focus();
    }
    if (link.origin !== window.location.origin || href.startsWith('#')) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
