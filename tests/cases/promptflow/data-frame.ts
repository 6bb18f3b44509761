import { Float, type JsonObject, type JsonValue } from '@unroll/engine';

/**
 * Rows of JSON as the original's reader has them, which holds data in a pandas frame: a column that a row lacks is NaN there,
 * and a column of numbers with a fraction, a null or a gap among them is all floats. Our own reader keeps each row as it is
 * written (docs/deviations.md).
 */
export function asDataFrame(rows: readonly JsonObject[]): readonly JsonObject[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const floats = new Set(columns.filter((column) => becomesFloat(rows.map((row) => row[column]))));
  return rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column, cellOf(row[column], floats.has(column))])),
  );
}

function becomesFloat(values: readonly (JsonValue | undefined)[]): boolean {
  const present = values.filter((value) => (value ?? null) !== null);
  if (present.length === 0) return values.includes(undefined);
  const areNumbers = present.every((value) => typeof value === 'number' || value instanceof Float);
  return areNumbers && (present.length < values.length || present.some((value) => value instanceof Float));
}

function cellOf(value: JsonValue | undefined, isFloat: boolean): JsonValue {
  if (value === undefined) return Number.NaN;
  if (!isFloat) return value;
  if (value === null) return Number.NaN;
  return typeof value === 'number' ? new Float(value) : value;
}
