import { type JsonValue, textOrJson } from '@unroll/engine';

/** Characters of a row that are searched: of larger ones the beginning, each value its share. */
const longest = 8000;

/** As texts are compared: case is of no matter, full and half width are one. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** What of a row is searched: its inputs, its outputs and why it failed. */
export function searchText(values: readonly JsonValue[], error: string | undefined): string {
  const searched = values.filter((value) => value !== null);
  const share = Math.floor(longest / Math.max(1, searched.length));
  const texts = searched.map((value) => textOrJson(value).slice(0, share));
  return foldText([...texts, ...(error === undefined ? [] : [error.slice(0, 1000)])].join('\n'));
}
