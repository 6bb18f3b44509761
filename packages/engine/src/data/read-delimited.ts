import { Readable } from 'node:stream';
import type { FileRecord } from './read-json-lines.ts';

/**
 * Records of a CSV or TSV text, the first line being the names of the columns. Every value is a text, as Prompt flow
 * reads them: the flow's types convert it. A second column of the same name is `name.1`, as pandas names it.
 */
export async function* readDelimited(
  text: AsyncIterable<string>,
  delimiter: ',' | '\t',
): AsyncGenerator<FileRecord, void> {
  const { parse } = await import('csv-parse');
  const parser = Readable.from(text).pipe(
    parse({ delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true }),
  );
  let columns: readonly string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      if (columns === undefined) columns = columnNames(record);
      else if (!isBlank(record)) yield toRecord(columns, record, info.lines);
    }
  } catch (error) {
    yield { fileLine: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** A line of nothing but white space is no row. */
function isBlank([first = '', ...others]: readonly string[]): boolean {
  return others.length === 0 && /^[ \t]*$/.test(first);
}

interface ParsedRecord {
  readonly record: readonly string[];
  /** Lines of the file read so far. */
  readonly info: { readonly lines: number };
}

/** An empty name is `Unnamed: 3`; a repeated one gets the next number that no column has. */
function columnNames(record: readonly string[]): readonly string[] {
  const plain = record.map((name, at) => (name === '' ? `Unnamed: ${at}` : name));
  const written = new Set(plain);
  const used = new Set<string>();
  return plain.map((name) => {
    let unique = name;
    for (let number = 1; used.has(unique) || (unique !== name && written.has(unique)); number += 1) {
      unique = `${name}.${number}`;
    }
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
