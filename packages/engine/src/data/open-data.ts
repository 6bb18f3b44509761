import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import type { JsonObject } from '../value/json.ts';
import { dataFiles, passedOver } from './data-files.ts';
import { type DataFormat, dataFormats } from './data-format.ts';
import type { DataRow } from './data-row.ts';
import { decodeText } from './decode-text.ts';
import { type DataEncoding, encodingName } from './detect-encoding.ts';
import { readDelimited, repeatedColumns } from './read-delimited.ts';
import { readJsonFile } from './read-json-file.ts';
import { batchSize, type FileRecord, readJsonLines } from './read-json-lines.ts';
import { type ParquetHead, readParquet, readParquetHead } from './read-parquet.ts';
import { lookAt, unreadable, whyNotTwice } from './readable-file.ts';
import { type FileScan, scanFile } from './scan-file.ts';

export interface OpenDataOptions {
  /** In place of the file's extension. */
  readonly format?: DataFormat | undefined;
  /** In place of what the bytes say. */
  readonly encoding?: DataEncoding | undefined;
  /** Changes the values of each row, told the folder its file lies in: relative paths in them start there. */
  readonly located?: ((values: JsonObject, folder: string) => JsonObject) | undefined;
  /** Told what is doubtful of a row, once for a file. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** A dataset: a file, or all files of a folder one after the other. */
export interface DataSource {
  /** As given. */
  readonly path: string;
  /** SHA-256 over the bytes of its files. */
  readonly digest: string;
  /** Number of rows, where it is known without reading them. */
  readonly count?: number;
  /** Whether a row is a line of columns, parted by commas or tabs. */
  readonly isTable: boolean;
  /** What the reader should know of how it is read: `excel.csv is read as CP932 …`. */
  readonly notes: readonly string[];
  /** Streams the rows from the start, each time it is called. */
  rows(): AsyncGenerator<DataRow, void>;
  /** The same, some of them at a time: a wait for each would take longer than reading it. */
  batches(): AsyncGenerator<readonly DataRow[], void>;
}

export type OpenedData =
  | { readonly ok: true; readonly data: DataSource }
  | { readonly ok: false; readonly message: string };

/**
 * Opens a data file, or a folder of them read recursively in order of path. Formats by extension, anything unknown as
 * JSONL, in a folder where it begins so; UTF-8 and UTF-16 by their marks, else what most of the bytes speak for.
 */
export async function openData(path: string, options: OpenDataOptions = {}): Promise<OpenedData> {
  const found = dataFiles(path, options.format);
  if (typeof found === 'string') return { ok: false, message: found };
  const { rows: paths, beside } = found;
  const opened: (OpenedFile | string)[] = [];
  for (let from = 0; from < paths.length; from += openAtOnce) {
    const some = paths.slice(from, from + openAtOnce);
    opened.push(...(await Promise.all(some.map((file) => openFile(file, options)))));
  }
  const noText = opened.find((file) => typeof file === 'string');
  if (noText !== undefined) return { ok: false, message: noText };
  const files = opened.filter((file) => typeof file !== 'string');
  const counts = files.map(({ count }) => count);
  const isCounted = counts.every((count) => count !== undefined);
  const read = { located: options.located, doubt: tellOnce(options.warn) };
  const [first] = files;
  const digest =
    files.length === 1 && first !== undefined
      ? first.digest
      : createHash('sha256')
          .update(files.map((file) => file.digest).join('\n'))
          .digest('hex');
  return {
    ok: true,
    data: {
      path,
      digest,
      isTable: paths.every((file) => isDelimited(options.format ?? formatOf(file))),
      notes: [...(beside.length === 0 ? [] : [passedOver(beside)]), ...files.flatMap(notesOf)],
      ...(isCounted ? { count: counts.reduce((sum, count) => sum + count, 0) } : {}),
      rows: () => oneByOne(numbered(files, read)),
      batches: () => numbered(files, read),
    },
  };
}

function notesOf({ name, guessed, repeated = new Map() }: OpenedFile): readonly string[] {
  const encoding =
    guessed === undefined
      ? []
      : [`${name} is read as ${encodingName(guessed)}: it is no UTF-8; --encoding says another`];
  return [...encoding, ...[...repeated].map(([column, readAs]) => `${name} ${repeatedNote(column, readAs)}`)];
}

function repeatedNote(column: string, readAs: readonly string[]): string {
  const quoted = readAs.map((name) => `"${name}"`);
  const last = quoted.pop();
  if (quoted.length === 0) return `names the column "${column}" twice: the second is read as ${last}`;
  const others = `${quoted.slice(0, namedColumns).join(', ')}${quoted.length > namedColumns ? ' …' : ''}`;
  return `names the column "${column}" ${readAs.length + 1} times: the others are read as ${others} and ${last}`;
}

/** Of many columns with one name, so many are told. */
const namedColumns = 3;

/** Rows of a JSONL text that comes from elsewhere, standard input for instance. */
export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  options: Pick<OpenDataOptions, 'warn'> = {},
): AsyncGenerator<DataRow, void> {
  const records = (): AsyncIterable<readonly FileRecord[]> => readJsonLines(decodeText(bytes, 'utf-8'));
  yield* oneByOne(numbered([{ name, folder: '.', digest: '', records }], { doubt: tellOnce(options.warn) }));
}

interface OpenedFile {
  readonly name: string;
  readonly folder: string;
  readonly digest: string;
  readonly count?: number;
  /** Its encoding, where nothing but its bytes speaks for one that is not UTF-8. */
  readonly guessed?: DataEncoding;
  /** Columns that it names more than once, each with the names that the others are read by. */
  readonly repeated?: ReadonlyMap<string, readonly string[]>;
  readonly records: () => AsyncIterable<readonly FileRecord[]>;
}

async function* oneByOne<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void> {
  for await (const batch of batches) yield* batch;
}

async function* gathered(records: AsyncIterable<FileRecord>): AsyncGenerator<readonly FileRecord[], void> {
  let batch: FileRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* numbered(
  files: readonly OpenedFile[],
  { located, doubt }: ReadOptions,
): AsyncGenerator<readonly DataRow[], void> {
  let lines = 0;
  for (const file of files) {
    for await (const batch of file.records()) {
      for (const record of batch) if ('doubt' in record) doubt(file, record.doubt);
      yield* placedRows(batch, lines, file, located);
      lines += batch.length;
    }
  }
}

interface ReadOptions extends Pick<OpenDataOptions, 'located'> {
  readonly doubt: (file: OpenedFile, doubt: string) => void;
}

/** Tells what is doubtful of a file once, however often it is read. */
function tellOnce(warn: OpenDataOptions['warn']): ReadOptions['doubt'] {
  const told = new Set<OpenedFile>();
  return (file, doubt) => {
    if (!told.has(file)) warn?.(`${file.name}${doubt}`);
    told.add(file);
  };
}

/** A row that was changed ends its batch: what it holds now may be megabytes of a picture. */
function* placedRows(
  batch: readonly FileRecord[],
  first: number,
  file: OpenedFile,
  located: OpenDataOptions['located'],
): Generator<readonly DataRow[]> {
  let rows: DataRow[] = [];
  for (const [at, record] of batch.entries()) {
    const row = placedRow(record, first + at, file, located);
    rows.push(row);
    if ('problem' in row || !('values' in record) || row.values === record.values) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function placedRow(
  record: FileRecord,
  line: number,
  { name, folder }: OpenedFile,
  located: OpenDataOptions['located'],
): DataRow {
  if ('values' in record) return { line, values: located?.(record.values, folder) ?? record.values };
  const where = record.fileLine === undefined ? name : `${name}:${record.fileLine}`;
  return { line, problem: `${where}: ${record.problem}` };
}

/** @returns why it is not read, where it can be no text */
async function openFile(path: string, options: OpenDataOptions): Promise<OpenedFile | string> {
  const format = options.format ?? formatOf(path);
  const isText = format !== 'parquet' && options.encoding === undefined;
  const found = lookAt(path);
  if (typeof found === 'string') return found;
  const once = whyNotTwice(path, found);
  if (once !== undefined) return once;
  try {
    const scan = await scanFile(path, { isText });
    return scan.noText === undefined ? await scannedFile(path, format, scan, options) : `${path} is ${scan.noText}`;
  } catch (error) {
    return unreadable(path, error);
  }
}

async function scannedFile(
  path: string,
  format: DataFormat,
  { digest, encoding, isMarked, filledLines, isEmpty }: FileScan,
  options: OpenDataOptions,
): Promise<OpenedFile | string> {
  const about = { name: basename(path), folder: dirname(path), digest };
  if (isEmpty) return { ...about, count: 0, records: nothing };
  if (format === 'parquet') {
    const { rows, unreadCodec } = await headOf(path);
    if (unreadCodec !== undefined) {
      return `${path} is compressed with ${unreadCodec}, which is not read: write it with Snappy, gzip, Brotli or Zstandard`;
    }
    return { ...about, count: rows, records: () => gathered(readParquet(path)) };
  }
  const used = options.encoding ?? encoding;
  const guess = isMarked || options.encoding !== undefined || used === 'utf-8' ? {} : { guessed: used };
  const known = { ...about, ...guess };
  const text = (): AsyncIterable<string> => decodeText(createReadStream(path), used);
  if (format === 'json') return { ...known, records: () => gathered(readJsonFile(text(), used)) };
  if (format === 'jsonl') {
    const isCounted = !used.startsWith('utf-16');
    return { ...known, ...(isCounted ? { count: filledLines } : {}), records: () => readJsonLines(text(), used) };
  }
  const delimiter = format === 'csv' ? ',' : '\t';
  const repeated = await repeatedColumns(text(), delimiter);
  return { ...known, repeated, records: () => gathered(readDelimited(text(), delimiter, used)) };
}

/** Of a file that is none, reading it gives one row that says so. */
async function headOf(path: string): Promise<ParquetHead> {
  try {
    return await readParquetHead(path);
  } catch {
    return { rows: 1, unreadCodec: undefined };
  }
}

async function* nothing(): AsyncGenerator<readonly FileRecord[], void> {}

function isDelimited(format: DataFormat): boolean {
  return format === 'csv' || format === 'tsv';
}

function formatOf(path: string): DataFormat {
  const extension = extname(path).slice(1).toLowerCase();
  return dataFormats.find((format) => format === extension) ?? 'jsonl';
}

/** Files of a folder that are looked at side by side: a process may have few open. */
const openAtOnce = 32;
