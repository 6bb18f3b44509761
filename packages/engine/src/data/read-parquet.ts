import { open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { SchemaElement, SchemaTree } from 'hyparquet';
import { depthMessage, isTooDeep } from '../value/depth.ts';
import { type JsonValue, parseOwnJson } from '../value/json.ts';
import { parquetValue, timeStampText } from './parquet-value.ts';
import type { FileRecord } from './read-json-lines.ts';

/** Rows read at a time. */
const batchSize = 4096;

const compressors = {
  GZIP: (input: Uint8Array) => new Uint8Array(gunzipSync(input)),
  BROTLI: (input: Uint8Array) => new Uint8Array(brotliDecompressSync(input)),
  ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)),
};

const readCodecs: ReadonlySet<string> = new Set(['UNCOMPRESSED', 'SNAPPY', ...Object.keys(compressors)]);

/** Nothing of a value is lost: a day is no moment, microseconds are kept, bytes that are no text are base64. */
const parsers = {
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  timestampFromMilliseconds: (millis: bigint) => timeStampText(millis, 1_000n),
  timestampFromMicroseconds: (micros: bigint) => timeStampText(micros, 1_000_000n),
  timestampFromNanoseconds: (nanos: bigint) => timeStampText(nanos, 1_000_000_000n),
  stringFromBytes: (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : decodeText(bytes)),
  jsonFromBytes: (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : jsonOf(decodeText(bytes))),
};

/** A text that is no JSON stays one: it is one value of many. */
function jsonOf(text: string): JsonValue {
  try {
    return parseOwnJson(text);
  } catch {
    return text;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('base64');
  }
}

/** What a Parquet file says of itself. */
export interface ParquetHead {
  readonly rows: number;
  /** How a column is compressed that cannot be read, as `LZ4_RAW`. */
  readonly unreadCodec: string | undefined;
}

export async function readParquetHead(path: string): Promise<ParquetHead> {
  const { parquetMetadataAsync } = await import('hyparquet');
  const file = await openFile(path);
  try {
    const { num_rows: rows, row_groups: groups } = await parquetMetadataAsync(file.buffer);
    const codecs = groups.flatMap(({ columns }) => columns.flatMap(({ meta_data: column }) => column?.codec ?? []));
    return { rows: Number(rows), unreadCodec: codecs.find((codec) => !readCodecs.has(codec)) };
  } finally {
    await file.close();
  }
}

/** Records of a Parquet file, some thousand at a time; uncompressed, Snappy, gzip, Brotli and Zstandard. */
export async function* readParquet(path: string): AsyncGenerator<FileRecord, void> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const file = await openFile(path);
  try {
    const metadata = await parquetMetadataAsync(file.buffer);
    const columns = parquetSchema(metadata).children;
    const wholes = columns.map(({ element }) => element).filter(isWholeDecimal);
    for (const column of wholes) readAsWritten(column);
    const total = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < total; rowStart += batchSize) {
      const rowEnd = Math.min(total, rowStart + batchSize);
      const rows = await parquetReadObjects({ file: file.buffer, metadata, compressors, parsers, rowStart, rowEnd });
      for (const row of rows) yield recordOf(withWholes(row, wholes), columns);
    }
  } catch (error) {
    yield { fileLine: undefined, problem: `no Parquet file that can be read: ${(error as Error).message}` };
  } finally {
    await file.close();
  }
}

/** As databases write keys of many digits. */
function isWholeDecimal({ converted_type: kind, scale = 0, type }: SchemaElement): boolean {
  return kind === 'DECIMAL' && scale === 0 && type !== 'BYTE_ARRAY';
}

/** The reader then leaves the bytes as they are, in place of a number, which keeps about 15 digits. */
function readAsWritten(column: SchemaElement): void {
  delete column.converted_type;
  delete column.logical_type;
}

function withWholes(row: Readonly<Record<string, unknown>>, wholes: readonly SchemaElement[]): Record<string, unknown> {
  const read = wholes.map(({ name }) => [name, wholeNumber(row[name])]);
  return { ...row, ...Object.fromEntries(read) };
}

/** Of bytes with the greatest first, in two's complement. */
function wholeNumber(cell: unknown): unknown {
  if (!(cell instanceof Uint8Array)) return cell;
  return BigInt.asIntN(cell.length * 8, BigInt(`0x${Buffer.from(cell).toString('hex') || '0'}`));
}

interface OpenFile {
  readonly buffer: { readonly byteLength: number; slice(start: number, end?: number): Promise<ArrayBuffer> };
  close(): Promise<void>;
}

async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r');
  const { size: byteLength } = await handle.stat();
  return {
    buffer: {
      byteLength,
      slice: async (start, end = byteLength) => {
        const part = new ArrayBuffer(end - start);
        await handle.read(new Uint8Array(part), 0, end - start, start);
        return part;
      },
    },
    close: () => handle.close(),
  };
}

function recordOf(row: Readonly<Record<string, unknown>>, columns: readonly SchemaTree[]): FileRecord {
  if (isTooDeep(row)) return { fileLine: undefined, problem: `a row is ${depthMessage()}` };
  return {
    values: Object.fromEntries(
      columns.map((column) => [column.element.name, parquetValue(row[column.element.name], column)]),
    ),
  };
}
