import { isDeepStrictEqual } from 'node:util';
import {
  type DataRow,
  type DataSource,
  isMapping,
  type JsonObject,
  type JsonValue,
  parseJson,
  RowLines,
  valueAt,
} from '@unroll/engine';

/** The rows of a dataset and the place of one of them. */
export interface PlacedRows {
  readonly rows: readonly DataRow[];
  /** -1 where there is none of that line. */
  readonly place: number;
}

/** Rows may say their lines themselves; the place is that among all of them. */
export async function readRows(data: DataSource, line: number): Promise<PlacedRows> {
  const rows = await Array.fromAsync(data.rows());
  const lines = new RowLines();
  return { rows, place: rows.findIndex((row) => lines.add(row).line === line) };
}

/** A column that has this very name, else the way to what lies in one. */
export function pathOf(column: string, row: JsonObject): readonly string[] {
  return Object.hasOwn(row, column) ? [column] : column.split('.');
}

/** What a row has in a column, or in what lies in it. */
export function valueIn(values: JsonObject, column: string): JsonValue | undefined {
  const path = pathOf(column, values);
  return valueAt(unfolded(values, path), path);
}

/** What stands there in the row, or else in the first row that has something there. */
export function firstHeld({ rows, place }: PlacedRows, path: readonly string[]): JsonValue | undefined {
  const all = [rows[place], ...rows].map((row) => valueAt(unfolded(valuesOf(row), path), path));
  return all.find((value) => value !== undefined && value !== null);
}

/** Whether rows are those before but for one value. A column that is new is empty in the other rows. */
export function differInOne(before: PlacedRows, after: PlacedRows, path: readonly string[], value: JsonValue): boolean {
  const [column = ''] = path;
  if (before.place !== after.place || before.rows.length !== after.rows.length) return false;
  return before.rows.every((row, at) => {
    const [left, right] = [valuesOf(row), valuesOf(after.rows[at])];
    if (at === before.place)
      return isDeepStrictEqual(withValue(unfolded(left, path), path, value), unfolded(right, path));
    const isNew = !Object.hasOwn(left, column) && right[column] === '';
    return isDeepStrictEqual(isNew ? { ...left, [column]: '' } : left, right);
  });
}

export function valuesOf(row: DataRow | undefined): JsonObject {
  return row !== undefined && 'values' in row ? row.values : {};
}

/** A cell of a table holds mappings as JSON. */
function unfolded(values: JsonObject, path: readonly string[]): JsonObject {
  const [column = ''] = path;
  const cell = values[column];
  if (path.length < 2 || typeof cell !== 'string') return values;
  try {
    return { ...values, [column]: parseJson(cell === '' ? '{}' : cell) };
  } catch {
    return values;
  }
}

function withValue(whole: JsonValue | undefined, [name, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (name === undefined) return value;
  const members = isMapping(whole) ? whole : {};
  return { ...members, [name]: withValue(members[name], rest, value) };
}
