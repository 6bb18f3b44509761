import { Float } from '../value/float.ts';
import { type JsonObject, type JsonValue, stringifyJson, textOrJson } from '../value/json.ts';

export type RowFormat = 'jsonl' | 'csv' | 'parquet';

export interface WriteRowsOptions {
  /** A byte order mark before CSV, by which Excel knows that it is UTF-8. */
  readonly hasMark?: boolean;
  /** Texts in CSV as they are; else those that a spreadsheet would take for a formula have an apostrophe before them. */
  readonly isRaw?: boolean;
  /** Told at the end how many cells of CSV or Parquet hold half of a surrogate pair, for which U+FFFD is written: UTF-8 has no form for it. */
  readonly onReplaced?: (cells: number) => void;
}

/**
 * Rows as the text or bytes of a file. CSV and Parquet are flat: a member of `inputs`, `outputs` or `data` is the column
 * `inputs.name`; lists and deeper mappings are JSON texts. JSONL streams; the two others need all rows' columns first,
 * and go over the rows twice.
 */
export async function* writeRows(
  rows: AsyncIterable<JsonObject> | Iterable<JsonObject>,
  format: RowFormat,
  { hasMark = false, isRaw = false, onReplaced }: WriteRowsOptions = {},
): AsyncGenerator<string | Uint8Array, void> {
  if (format === 'jsonl') {
    for await (const row of rows) yield `${stringifyJson(row)}\n`;
    return;
  }
  const flat = await Array.fromAsync(rows, flatten);
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  if (format === 'csv') {
    const cell = (value: JsonValue | undefined): string =>
      csvCell(isRaw ? cellText(value) : cellText(withoutFormula(value)));
    yield `${hasMark ? '\uFEFF' : ''}${columns.map(cell).join(',')}\n`;
    for (const row of flat) yield `${columns.map((column) => cell(row[column])).join(',')}\n`;
  } else yield await parquetBytes(flat, columns);
  const replaced = flat.reduce((count, row) => count + Object.values(row).filter(isTorn).length, 0);
  if (replaced > 0) onReplaced?.(replaced);
}

function isTorn(cell: JsonValue): boolean {
  return typeof cell === 'string' && !cell.isWellFormed();
}

/** Whose members are columns of their own. */
const nested: ReadonlySet<string> = new Set(['inputs', 'outputs', 'data']);

function flatten(row: JsonObject): JsonObject {
  const cells: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(row)) {
    if (!nested.has(name)) cells[name] = value;
    else for (const [member, cell] of Object.entries((value ?? {}) as JsonObject)) cells[`${name}.${member}`] = cell;
  }
  return cells;
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return textOrJson(value);
}

/** Of full width too: where Japanese is written, spreadsheets may take them as well. */
const formula = /^[=+\-@＝＋－＠\t\r\n]/;
const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text that would be computed where the file is opened, marked as text (OWASP, CSV injection). */
function withoutFormula(value: JsonValue | undefined): JsonValue | undefined {
  const isFormula = typeof value === 'string' && formula.test(value) && !plainNumber.test(value);
  return isFormula ? `'${value}` : value;
}

/** RFC 4180. */
function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function parquetBytes(rows: readonly JsonObject[], columns: readonly string[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columnData = columns.map((name) =>
    columnOf(
      name,
      rows.map((row) => row[name] ?? null),
    ),
  );
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

type ColumnType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'STRING';

interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: true;
  readonly data: (boolean | number | bigint | string | null)[];
}

/** A column of one kind of numbers or booleans keeps it; any other is text. */
function columnOf(name: string, cells: readonly JsonValue[]): Column {
  const types = new Set(cells.filter((cell) => cell !== null).map(typeOf));
  const [only] = types;
  const type = types.size === 1 && only !== undefined ? only : isNumeric(types) ? 'DOUBLE' : 'STRING';
  return { name, type, nullable: true, data: cells.map((cell) => (cell === null ? null : convert(cell, type))) };
}

function isNumeric(types: ReadonlySet<ColumnType>): boolean {
  return types.size === 2 && types.has('INT64') && types.has('DOUBLE');
}

function typeOf(cell: JsonValue): ColumnType {
  if (typeof cell === 'boolean') return 'BOOLEAN';
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? 'INT64' : 'DOUBLE';
  return cell instanceof Float ? 'DOUBLE' : 'STRING';
}

function convert(cell: JsonValue, type: ColumnType): boolean | number | bigint | string {
  if (type === 'BOOLEAN') return cell === true;
  if (type === 'INT64') return BigInt(cell as number);
  return type === 'DOUBLE' ? Number(cell) : cellText(cell);
}
