import { type JsonObject, openData } from '@unroll/engine';
import type { IndexDocument } from '../embedded-index/index-document.ts';
import type { FileDocuments } from './file-documents.ts';
import { documentOfRecord, textKeys } from './read-records.ts';

/**
 * A document for each row of a CSV or TSV file, by the same columns as of JSON lines (`id`, `title`, `text` …). A table
 * without a column of texts is read as it stands: `column: value`, a line each.
 *
 * @param path absolute
 */
export async function readTable(name: string, path: string): Promise<FileDocuments> {
  const opened = await openData(path);
  if (!opened.ok) return { documents: [], problems: [opened.message] };
  const documents: IndexDocument[] = [];
  const problems: string[] = [];
  for await (const row of opened.data.rows()) {
    if ('problem' in row) problems.push(row.problem.slice(row.problem.indexOf(': ') + 2));
    else documents.push(rowDocument(row.values, `${name}#${row.line + 1}`));
  }
  return { documents, problems };
}

function rowDocument(values: JsonObject, id: string): IndexDocument {
  const document = documentOfRecord(withText(values), id);
  if (document === undefined) throw new Error(`bug: the row ${id} was given a text`);
  return document;
}

function withText(values: JsonObject): JsonObject {
  if (textKeys.some((key) => typeof values[key] === 'string')) return values;
  const lines = Object.entries(values).map(([column, value]) => `${column}: ${String(value)}`);
  return { ...values, text: lines.join('\n') };
}
