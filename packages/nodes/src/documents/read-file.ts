import { type Diagnostic, placeOf, thrownText } from '@unroll/engine';
import { type ChunkSettings, chunkSections } from './chunk-sections.ts';
import { decodeFile } from './decode-file.ts';
import type { FileDocuments } from './file-documents.ts';
import { readRecords } from './read-records.ts';
import type { Section } from './section.ts';

/** What is read, by the extension of a file. */
export const readableExtensions = [
  ...['.md', '.markdown', '.txt', '.html', '.htm', '.jsonl', '.json'],
  ...['.csv', '.tsv', '.pdf', '.docx', '.tools'],
];

/**
 * The documents of a file. Never rejects: a file that cannot be read is told in one sentence.
 *
 * @param name as documents and messages call it, with `/`
 * @param path absolute
 */
export async function readFile(
  name: string,
  path: string,
  bytes: Uint8Array,
  chunks: ChunkSettings,
): Promise<FileDocuments> {
  const extension = /\.[^./]+$/.exec(name.toLowerCase())?.[0] ?? '';
  try {
    const recorded = recordReaders[extension];
    if (recorded !== undefined) return withSource(orEmpty(await recorded(name, path, bytes)), name);
    const read = sectionReaders[extension];
    if (read === undefined) return broken(`files of this kind are not read; known are ${readableExtensions.join(' ')}`);
    const sections = await read(bytes);
    return sections.length === 0
      ? broken('there is no text in it')
      : { documents: chunkSections(name, sections, chunks), problems: [] };
  } catch (error) {
    return broken(whyUnread(error));
  }
}

function whyUnread(error: unknown): string {
  if (error instanceof RangeError && error.message.includes('call stack')) return 'it nests deeper than can be read';
  return thrownText(error);
}

function orEmpty(read: FileDocuments): FileDocuments {
  return read.documents.length === 0 && read.problems.length === 0 ? broken('there is no document in it') : read;
}

function broken(problem: string): FileDocuments {
  return { documents: [], problems: [problem.replaceAll(/\s+/gu, ' ').trim()] };
}

type ReadSections = (bytes: Uint8Array) => Promise<readonly Section[]>;

const markdown: ReadSections = async (bytes) => (await import('./read-markdown.ts')).readMarkdown(decodeFile(bytes));
const html: ReadSections = async (bytes) => (await import('./read-html.ts')).readHtml(decodeFile(bytes));

const sectionReaders: Readonly<Record<string, ReadSections>> = {
  '.md': markdown,
  '.markdown': markdown,
  '.html': html,
  '.htm': html,
  '.txt': async (bytes) => (await import('./read-text.ts')).readText(decodeFile(bytes)),
  '.pdf': async (bytes) => (await import('./read-pdf.ts')).readPdf(bytes),
  '.docx': async (bytes) => (await import('./read-docx.ts')).readDocx(bytes),
};

type ReadRecords = (name: string, path: string, bytes: Uint8Array) => Promise<FileDocuments>;

const json: ReadRecords = async (name, _path, bytes) => {
  const { documents, diagnostics } = readRecords({ path: name, text: decodeFile(bytes) }, name);
  return { documents, problems: diagnostics.map(describeMistake) };
};

function describeMistake({ message, span }: Diagnostic): string {
  if (span === undefined || /\bline \d/u.test(message)) return message;
  return `line ${placeOf(span.file, span.start).line}: ${message}`;
}

const delimited: ReadRecords = async (name, path) => (await import('./read-table.ts')).readTable(name, path);

const tools: ReadRecords = async (_name, _path, bytes) =>
  (await import('./read-catalogue.ts')).readCatalogue(decodeFile(bytes));

const recordReaders: Readonly<Record<string, ReadRecords>> = {
  '.jsonl': json,
  '.json': json,
  '.csv': delimited,
  '.tsv': delimited,
  '.tools': tools,
};

/** From which file a document comes; a field of that name in the file itself is kept. */
function withSource({ documents, problems }: FileDocuments, source: string): FileDocuments {
  return {
    documents: documents.map((document) => ({ ...document, fields: { source, ...document.fields } })),
    problems,
  };
}
