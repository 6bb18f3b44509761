import { query, shownPath } from '../../route/address.ts';

/** The address of this row with another node chosen. */
export function nodeLink(name: string): string {
  const next = new URLSearchParams(query.value);
  next.set('node', name);
  return `${shownPath.value}?${next}`;
}
