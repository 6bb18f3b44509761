import type { Diagnostic, JsonObject, JsonValue, SourceFile, Span } from '@unroll/engine';
import { Float, isMapping, parseJson } from '@unroll/engine/values';
import type { IndexDocument } from '../embedded-index/index-document.ts';

export interface ReadDocuments {
  readonly documents: readonly IndexDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

export const documentExtensions = ['.jsonl', '.json', '.md'] as const;

/**
 * The documents of a `.jsonl` file (one object a line), a `.json` file (a list of objects) or a Markdown file (one
 * document a heading). An object gives `id`, its title as `title`, `question` or `name`, its text as `text`, `answer`,
 * `content` or `body`. A mistake in one document leaves the others readable; of several with one id the first is kept.
 *
 * @param idPrefix for documents without an id of their own, before their number
 */
export function readRecords(file: SourceFile, idPrefix: string = baseName(file)): ReadDocuments {
  const read = file.path.endsWith('.md') ? readMarkdown(file) : readObjects(file, idPrefix);
  const ids = new Set<string>();
  const documents = read.documents.filter(({ id }) => ids.size < ids.add(id).size);
  return { documents, diagnostics: [...read.diagnostics, ...findDuplicates(read.entries)] };
}

interface Entry {
  readonly document: IndexDocument;
  readonly span: Span;
}

interface ReadEntries extends ReadDocuments {
  readonly entries: readonly Entry[];
}

interface DocumentRecord {
  readonly value: JsonValue;
  readonly span: Span;
  readonly place: string;
}

const titleKeys = ['title', 'question', 'name'];
export const textKeys = ['text', 'answer', 'content', 'body'];

function readObjects(file: SourceFile, idPrefix: string): ReadEntries {
  const { records, diagnostics } = file.path.endsWith('.jsonl') ? readLines(file) : readList(file);
  const read = records.map((record) => toEntry(record, idPrefix));
  const entries = read.filter((result): result is Entry => 'document' in result);
  const mistakes = read.filter((result): result is Diagnostic => 'code' in result);
  return { entries, documents: entries.map((entry) => entry.document), diagnostics: [...diagnostics, ...mistakes] };
}

function readLines(file: SourceFile): { records: DocumentRecord[]; diagnostics: Diagnostic[] } {
  const records: DocumentRecord[] = [];
  const diagnostics: Diagnostic[] = [];
  let start = 0;
  for (const [index, line] of file.text.split('\n').entries()) {
    const span = { file, start, end: start + line.trimEnd().length };
    start += line.length + 1;
    if (line.trim() === '') continue;
    const parsed = parse(line);
    if (parsed.ok) records.push({ value: parsed.value, span, place: `line ${index + 1}` });
    else diagnostics.push(mistake(`line ${index + 1} is no JSON: ${parsed.message}`, span));
  }
  return { records, diagnostics };
}

function readList(file: SourceFile): { records: DocumentRecord[]; diagnostics: Diagnostic[] } {
  const span = { file, start: 0, end: Math.min(1, file.text.length) };
  const parsed = parse(file.text);
  if (!parsed.ok) return { records: [], diagnostics: [mistake(`the file is no JSON: ${parsed.message}`, span)] };
  if (!Array.isArray(parsed.value)) return { records: [], diagnostics: [mistake('expected a list of objects', span)] };
  const values: readonly JsonValue[] = parsed.value;
  return { records: values.map((value, index) => ({ value, span, place: `item ${index + 1}` })), diagnostics: [] };
}

function toEntry({ value, span, place }: DocumentRecord, idPrefix: string): Entry | Diagnostic {
  if (!isMapping(value)) return mistake(`${place} is no object`, span);
  const document = documentOfRecord(value, `${idPrefix}#${place.replace(/\D+/gu, '')}`);
  return document === undefined ? mistake(`${place} has no text (${textKeys.join(', ')})`, span) : { document, span };
}

/**
 * A document as an object tells it; undefined where it has no text.
 *
 * @param id where the object has none
 */
export function documentOfRecord(value: JsonObject, id: string): IndexDocument | undefined {
  const titleKey = titleKeys.find((key) => typeof value[key] === 'string');
  const textKey = textKeys.find((key) => typeof value[key] === 'string');
  if (textKey === undefined) return undefined;
  const { id: own } = value;
  const used = new Set(['id', titleKey, textKey]);
  return {
    id: (typeof own === 'string' && own !== '') || typeof own === 'number' || own instanceof Float ? String(own) : id,
    ...(titleKey === undefined ? {} : { title: value[titleKey] as string }),
    text: value[textKey] as string,
    fields: Object.fromEntries(Object.entries(value).filter(([key]) => !used.has(key))),
  };
}

const heading = /^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/gmu;

function readMarkdown(file: SourceFile): ReadEntries {
  const headings = [...file.text.matchAll(heading)];
  const starts = headings.map((match) => match.index);
  const sections = headings.map((match, index) => {
    const bodyStart = match.index + match[0].length;
    const span = { file, start: match.index, end: bodyStart };
    return { title: match[2] ?? '', text: file.text.slice(bodyStart, starts[index + 1]).trim(), span };
  });
  const lead = file.text.slice(0, starts[0] ?? file.text.length).trim();
  const first = lead === '' ? [] : [{ title: baseName(file), text: lead, span: { file, start: 0, end: lead.length } }];
  const entries = [...first, ...sections.filter((section) => section.text !== '')].map((section, index) => ({
    document: { id: `${baseName(file)}#${index + 1}`, title: section.title, text: section.text, fields: {} },
    span: section.span,
  }));
  return { entries, documents: entries.map((entry) => entry.document), diagnostics: [] };
}

function findDuplicates(entries: readonly Entry[]): readonly Diagnostic[] {
  const first = new Map<string, Span>();
  return entries.flatMap(({ document, span }) => {
    const earlier = first.get(document.id);
    if (earlier === undefined) first.set(document.id, span);
    if (earlier === undefined) return [];
    const notes = [{ message: 'the first one is here', span: earlier }];
    return [{ ...mistake(`two documents have the id "${document.id}"`, span), notes }];
  });
}

function parse(text: string): { ok: true; value: JsonValue } | { ok: false; message: string } {
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  }
}

function mistake(message: string, span: Span): Diagnostic {
  return { severity: 'error', code: 'LOOKUP_BAD_DOCUMENT', message, span };
}

function baseName(file: SourceFile): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1);
}
