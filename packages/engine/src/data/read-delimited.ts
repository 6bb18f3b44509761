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
      else yield toRecord(columns, record, info.lines);
    }
  } catch (error) {
    yield { fileLine: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}

interface ParsedRecord {
  readonly record: readonly string[];
  /** Lines of the file read so far. */
  readonly info: { readonly lines: number };
}

function columnNames(record: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return record.map((name, at) => {
    const plain = name === '' ? `Unnamed: ${at}` : name;
    const before = seen.get(plain) ?? 0;
    seen.set(plain, before + 1);
    return before === 0 ? plain : `${plain}.${before}`;
  });
}

function toRecord(columns: readonly string[], cells: readonly string[], fileLine: number): FileRecord {
  if (cells.length > columns.length) {
    return { fileLine, problem: `the row has ${cells.length} values, the first line names ${columns.length} columns` };
  }
  return { values: Object.fromEntries(cells.map((cell, at) => [columns[at] as string, cell])) };
}
