import { type JsonValue, textOrJson } from '@unroll/engine';
import { editJson, type TextEdit } from './edit-json-text.ts';

interface Cell {
  readonly start: number;
  readonly end: number;
}

/**
 * Sets one value in a CSV or TSV text (RFC 4180) and leaves all else as it is written. A column that is not there is added at the end of
 * the first line and of this row: rows that end early have nothing in it.
 *
 * @param row from 0, lines that are empty not counted
 * @param path a column, and what lies in its cell where that is JSON
 * @returns undefined where there is no such row, or the cell is no JSON
 */
export function editDelimited(
  text: string,
  delimiter: ',' | '\t',
  { row, path, value }: { readonly row: number; readonly path: readonly string[]; readonly value: JsonValue },
): readonly TextEdit[] | undefined {
  const [header, ...rows] = [...records(text, delimiter)].filter((cells) => !isBlank(cells, text));
  const cells = rows[row];
  const [column = '', ...within] = path;
  if (header === undefined || cells === undefined) return undefined;
  const at = header.findIndex((cell) => cellText(text, cell) === column);
  const there = cells[at];
  const content = cellContent(there === undefined ? '' : cellText(text, there), within, value);
  if (content === undefined) return undefined;
  const isQuoted = there !== undefined && text[there.start] === '"';
  const written = cellOf(content, delimiter, isQuoted);
  if (there !== undefined) return [{ ...there, text: written }];
  const missing = (at < 0 ? header.length : at) - cells.length + 1;
  const end = cells.at(-1)?.end ?? 0;
  const added = { start: end, end, text: `${delimiter.repeat(missing)}${written}` };
  const headerEnd = header.at(-1)?.end ?? 0;
  const name = { start: headerEnd, end: headerEnd, text: `${delimiter}${cellOf(column, delimiter, false)}` };
  return at < 0 ? [name, added] : [added];
}

function cellContent(before: string, within: readonly string[], value: JsonValue): string | undefined {
  if (within.length === 0) return textOrJson(value);
  const json = before.trim() === '' ? '{}' : before;
  const edit = editJson(json, within, value);
  return edit === undefined ? undefined : json.slice(0, edit.start) + edit.text + json.slice(edit.end);
}

function cellOf(content: string, delimiter: string, isQuoted: boolean): string {
  const needsQuotes = isQuoted || content.includes(delimiter) || /["\r\n]/.test(content);
  return needsQuotes ? `"${content.replaceAll('"', '""')}"` : content;
}

function cellText(text: string, { start, end }: Cell): string {
  const written = text.slice(start, end);
  return written.length > 1 && written.startsWith('"') && written.endsWith('"')
    ? written.slice(1, -1).replaceAll('""', '"')
    : written;
}

function isBlank(cells: readonly Cell[], text: string): boolean {
  const [only, ...others] = cells;
  return only === undefined || (others.length === 0 && /^[ \t]*$/.test(text.slice(only.start, only.end)));
}

/** Where the cells of each line stand; a byte order mark is before them. */
function* records(text: string, delimiter: string): Generator<readonly Cell[], void> {
  let cells: Cell[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start <= text.length) {
    const end = cellEnd(text, start, delimiter);
    cells.push({ start, end });
    const isLast = text[end] !== delimiter;
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (!isLast) continue;
    yield cells;
    cells = [];
  }
}

function cellEnd(text: string, start: number, delimiter: string): number {
  let at = start;
  if (text[at] === '"') {
    at = text.indexOf('"', at + 1);
    while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
    at = at < 0 ? text.length : at;
  }
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}
