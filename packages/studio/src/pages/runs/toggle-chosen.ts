import { setQuery } from '../../route/address.ts';

/** Two can be chosen: a third takes the place of the first. */
export function toggleChosen(id: string, chosen: readonly string[]): void {
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-2);
  setQuery({ chosen: next }, 'replace');
}
