import { Readable } from 'node:stream';
import { thrownText } from '../value/thrown-text.ts';
import { undecodable } from './decode-text.ts';
import type { DataEncoding } from './detect-encoding.ts';
import type { FileRecord } from './read-json-lines.ts';

const leniently = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  // Left to itself the parser holds all lines to the way the first one ends: files that were laid end to end have several.
  record_delimiter: ['\r\n', '\n', '\r'],
};

/**
 * Records of a CSV or TSV text, the first line being the names of the columns. Every value is a text:
 * the flow's types convert it. A second column of the same name is `name.1`, as pandas names it.
 */
export async function* readDelimited(
  text: AsyncIterable<string>,
  delimiter: ',' | '\t',
  encoding: DataEncoding = 'utf-8',
): AsyncGenerator<FileRecord, void> {
  const { parse } = await import('csv-parse');
  const bytes = new UndecodableBytes();
  const parser = Readable.from(bytes.hidden(text)).pipe(parse({ ...leniently, delimiter, info: true, raw: true }));
  try {
    yield* recordsOf(parser as AsyncIterable<ParsedRecord>, (record) => bytes.problemIn(record, encoding));
  } catch (error) {
    yield { fileLine: undefined, problem: thrownText(error) };
  }
}

/** What the first line of such a text names more than once, each with the names that the others are read by. */
export async function repeatedColumns(
  text: AsyncIterable<string>,
  delimiter: ',' | '\t',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { parse } = await import('csv-parse');
  const bytes = new UndecodableBytes();
  const source = Readable.from(bytes.hidden(text));
  const parser = source.pipe(parse({ ...leniently, delimiter, to: 1 }));
  const repeated = new Map<string, readonly string[]>();
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      const names = columnNames(record);
      for (const [at, name] of record.entries()) {
        const readAs = names[at] ?? name;
        if (name !== '' && readAs !== name) repeated.set(name, [...(repeated.get(name) ?? []), readAs]);
      }
    }
  } catch {
    // What is wrong with the text is told where its rows are read.
  } finally {
    source.destroy();
  }
  return repeated;
}

/** Without names of columns there are no rows. */
async function* recordsOf(
  parsed: AsyncIterable<ParsedRecord>,
  problemIn: (record: readonly string[]) => string | undefined,
): AsyncGenerator<FileRecord, void> {
  let columns: readonly string[] | undefined;
  for await (const { record, fileLine, raw } of placed(parsed)) {
    const problem = problemIn(record) ?? severalRows(record, raw);
    if (problem !== undefined) {
      yield { fileLine, problem };
      if (columns === undefined) return;
    } else if (columns === undefined) columns = columnNames(record);
    else if (!isBlank(record)) yield toRecord(columns, record, fileLine);
  }
}

interface PlacedRecord {
  readonly record: readonly string[];
  /** The one it ends in. */
  readonly fileLine: number;
  readonly raw: string;
}

/** Within quotes the parser counts each character of a line end as a line. */
async function* placed(parsed: AsyncIterable<ParsedRecord>): AsyncGenerator<PlacedRecord, void> {
  let countedTwice = 0;
  for await (const { record, info, raw } of parsed) {
    for (const cell of record) if (cell.includes('\r\n')) countedTwice += cell.split('\r\n').length - 1;
    yield { record, fileLine: info.lines - countedTwice, raw };
  }
}

/** The parser takes bytes in UTF-8, in which lone surrogates have no form: other code points that no text has carry them. */
class UndecodableBytes {
  #anySeen = false;

  async *hidden(text: AsyncIterable<string>): AsyncGenerator<string, void> {
    for await (const chunk of text) {
      if (chunk.isWellFormed()) yield chunk;
      else {
        this.#anySeen = true;
        yield chunk.replace(/[\uD800-\uDFFF]/gu, (lone) => String.fromCodePoint(lone.charCodeAt(0) + shift));
      }
    }
  }

  /** The first cell that holds some. */
  problemIn(record: readonly string[], encoding: DataEncoding): string | undefined {
    if (!this.#anySeen) return undefined;
    for (const [at, cell] of record.entries()) {
      const problem = undecodable(cell.replace(hiddenBytes, shown), encoding);
      if (problem !== undefined) return `${problem}, in value ${at + 1} of the row`;
    }
    return undefined;
  }
}

/** From the surrogates to the last private plane. */
const shift = 0x10_f000 - 0xd800;
const hiddenBytes = /[\u{10F000}-\u{10F7FF}]/gu;

function shown(character: string): string {
  return String.fromCharCode((character.codePointAt(0) ?? 0) - shift);
}

/** The parser takes a value whose quote is closed too early as it stands. One that begins with a quote itself has three in the file. */
function severalRows(record: readonly string[], raw: string): string | undefined {
  const value = record.find((cell) => cell.startsWith('"') && /[\r\n]/.test(cell));
  if (value === undefined || raw.includes('"""')) return undefined;
  const lines = value.split(/\r\n|\r|\n/).length;
  return `a value begins with a quote that is closed within it, not at its end: ${lines} lines are read as one row`;
}

/** A line of nothing but white space is no row. The parser leaves out empty lines: an empty text that comes from it stood in quotes. */
function isBlank([first = '', ...others]: readonly string[]): boolean {
  return others.length === 0 && /^[ \t]+$/.test(first);
}

interface ParsedRecord {
  readonly record: readonly string[];
  /** Lines of the file read so far. */
  readonly info: { readonly lines: number };
  readonly raw: string;
}

/** An empty name is `Unnamed: 3`; a repeated one gets the next number that no column has. */
function columnNames(record: readonly string[]): readonly string[] {
  const plain = record.map((name, at) => (name === '' ? `Unnamed: ${at}` : name));
  const written = new Set(plain);
  const used = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return plain.map((name) => {
    let unique = name;
    let number = lastNumbers.get(name) ?? 0;
    while (used.has(unique) || (unique !== name && written.has(unique))) {
      number += 1;
      unique = `${name}.${number}`;
    }
    lastNumbers.set(name, number);
    used.add(unique);
    return unique;
  });
}

/** A row that ends early has empty texts for the columns it leaves out. */
function toRecord(columns: readonly string[], cells: readonly string[], fileLine: number): FileRecord {
  if (cells.length > columns.length) {
    return { fileLine, problem: `the row has ${cells.length} values, the first line names ${columns.length} columns` };
  }
  return { values: Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])) };
}
