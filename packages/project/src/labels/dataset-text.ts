import type { JsonValue } from '@unroll/engine';
import { editDelimited } from './edit-delimited-text.ts';
import { editJson, type TextEdit } from './edit-json-text.ts';

export interface ChangedLine {
  readonly number: number;
  readonly before: string;
  readonly after: string;
}

/** A value, and where it belongs. */
export interface PlacedValue {
  /** Of the row, from 0. */
  readonly place: number;
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/**
 * @param form of the file: its extension
 * @returns undefined where the form cannot be kept, or the value has no place
 */
export function editsOf(
  text: string,
  form: string,
  { place, path, value }: PlacedValue,
): readonly TextEdit[] | undefined {
  if (form === '.parquet') return undefined;
  if (form === '.csv' || form === '.tsv') {
    return editDelimited(text, form === '.csv' ? ',' : '\t', { row: place, path, value });
  }
  if (form === '.json') return listed(editJson(text, [place, ...path], value));
  const start = startOfRow(text, place);
  if (start === undefined) return undefined;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? undefined : end);
  return listed(shifted(editJson(line.trimEnd(), path, value), start));
}

function listed(edit: TextEdit | undefined): readonly TextEdit[] | undefined {
  return edit === undefined ? undefined : [edit];
}

function shifted(edit: TextEdit | undefined, by: number): TextEdit | undefined {
  return edit === undefined ? undefined : { ...edit, start: edit.start + by, end: edit.end + by };
}

/** Of JSON lines; those that are empty are no rows. */
function startOfRow(text: string, place: number): number | undefined {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  let rows = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? undefined : end);
    if (line.trim() !== '' && rows++ === place) return start;
    if (end < 0) return undefined;
    start = end + 1;
  }
  return undefined;
}

export function applied(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end), text);
}

/** Lines of a file before and after, from 1. A value may hold line breaks in CSV: what follows is moved, not changed. */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  if (left.length !== right.length) return [wholeChange(left, right)];
  return left.flatMap((line, at) =>
    line === right[at] ? [] : [{ number: at + 1, before: line, after: right[at] ?? '' }],
  );
}

function wholeChange(left: readonly string[], right: readonly string[]): ChangedLine {
  const start = left.findIndex((line, at) => line !== right[at]);
  const last = left.findLastIndex((line, at) => line !== right[at + right.length - left.length]);
  const end = right.length - (left.length - 1 - last);
  return {
    number: start + 1,
    before: left.slice(start, last + 1).join('\n'),
    after: right.slice(start, end).join('\n'),
  };
}
