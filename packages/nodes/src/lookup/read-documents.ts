import type { Diagnostic, SourceFile, Span, Value } from '@unroll/engine';
import { parseJson } from '@unroll/engine';
import type { IndexDocument } from '../embedded-index/index-document.ts';

export interface ReadDocuments {
  readonly documents: readonly IndexDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

export const documentExtensions = ['.jsonl', '.json', '.md'] as const;

/**
 * The documents of a `.jsonl` file (one object a line), a `.json` file (a list of objects) or a Markdown file (one
 * document a heading). An object gives `id`, its title as `title`, `question` or `name`, its text as `text`, `answer`,
 * `content` or `body`. A mistake in one document leaves the others readable.
 */
export function readDocuments(file: SourceFile): ReadDocuments {
  const read = file.path.endsWith('.md') ? readMarkdown(file) : readObjects(file);
  return { documents: read.documents, diagnostics: [...read.diagnostics, ...findDuplicates(read.entries)] };
}

interface Entry {
  readonly document: IndexDocument;
  readonly span: Span;
}

interface ReadEntries extends ReadDocuments {
  readonly entries: readonly Entry[];
}

interface Record {
  readonly value: Value;
  readonly span: Span;
  readonly place: string;
}

const titleKeys = ['title', 'question', 'name'];
const textKeys = ['text', 'answer', 'content', 'body'];

function readObjects(file: SourceFile): ReadEntries {
  const { records, diagnostics } = file.path.endsWith('.jsonl') ? readLines(file) : readList(file);
  const read = records.map((record) => toDocument(record, file));
  const entries = read.filter((result): result is Entry => 'document' in result);
  const mistakes = read.filter((result): result is Diagnostic => 'code' in result);
  return { entries, documents: entries.map((entry) => entry.document), diagnostics: [...diagnostics, ...mistakes] };
}

function readLines(file: SourceFile): { records: Record[]; diagnostics: Diagnostic[] } {
  const records: Record[] = [];
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

function readList(file: SourceFile): { records: Record[]; diagnostics: Diagnostic[] } {
  const span = { file, start: 0, end: Math.min(1, file.text.length) };
  const parsed = parse(file.text);
  if (!parsed.ok) return { records: [], diagnostics: [mistake(`the file is no JSON: ${parsed.message}`, span)] };
  if (!Array.isArray(parsed.value)) return { records: [], diagnostics: [mistake('expected a list of objects', span)] };
  const values: readonly Value[] = parsed.value;
  return { records: values.map((value, index) => ({ value, span, place: `item ${index + 1}` })), diagnostics: [] };
}

function toDocument({ value, span, place }: Record, file: SourceFile): Entry | Diagnostic {
  if (!isMapping(value)) return mistake(`${place} is no object`, span);
  const titleKey = titleKeys.find((key) => typeof value[key] === 'string');
  const textKey = textKeys.find((key) => typeof value[key] === 'string');
  if (textKey === undefined) return mistake(`${place} has no text (${textKeys.join(', ')})`, span);
  const { id } = value;
  const used = new Set(['id', titleKey, textKey]);
  const fields = Object.fromEntries(Object.entries(value).filter(([key]) => !used.has(key)));
  const document = {
    id:
      typeof id === 'string' || typeof id === 'number' ? String(id) : `${baseName(file)}#${place.replace(/\D+/gu, '')}`,
    ...(titleKey === undefined ? {} : { title: value[titleKey] as string }),
    text: value[textKey] as string,
    fields,
  };
  return { document, span };
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

function parse(text: string): { ok: true; value: Value } | { ok: false; message: string } {
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  }
}

function mistake(message: string, span: Span): Diagnostic {
  return { severity: 'error', code: 'LOOKUP_BAD_DOCUMENT', message, span };
}

function isMapping(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function baseName(file: SourceFile): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1);
}
