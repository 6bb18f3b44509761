import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js';
import { requireExtra } from '../extras/extras.ts';
import { headingLine } from './heading-line.ts';
import { type Block, type Section, sectionsOf } from './section.ts';

type PdfLibrary = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

/**
 * The texts of a PDF file, page by page. Lines in a larger type than most are headings, and so are lines that look like one;
 * lines that stand on most pages (running heads, page numbers) are left out. The door to pdfjs-dist.
 *
 * @throws Error when the file is broken or needs a password, or holds no text (scanned pages)
 */
export async function readPdf(bytes: Uint8Array): Promise<readonly Section[]> {
  requireExtra('pdf');
  const pages = await readPages(bytes);
  if (pages.every((lines) => lines.length === 0)) throw new Error('there is no text in it: are its pages pictures?');
  const repeated = repeatedLines(pages);
  const body = commonHeight(pages.flat());
  return sectionsOf(pages.flatMap((lines, index) => [...pageBlocks(lines, index + 1, repeated, body)]));
}

interface Line {
  readonly text: string;
  /** Of its type, in points. */
  readonly height: number;
  /** Of its foot, in points above that of the page. */
  readonly y: number;
}

async function readPages(bytes: Uint8Array): Promise<readonly (readonly Line[])[]> {
  const { getDocument } = await loadLibrary();
  const loading = getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: `${libraryFolder()}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${libraryFolder()}/standard_fonts/`,
    useSystemFonts: false,
    verbosity: 0,
  });
  try {
    const document = await loading.promise.catch(throwUnreadable);
    const pages: (readonly Line[])[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(linesOf(items.filter((item): item is TextItem => 'str' in item)));
      page.cleanup();
    }
    return pages;
  } finally {
    await loading.destroy();
  }
}

function throwUnreadable(error: unknown): never {
  const { name, message } = error as Error;
  throw new Error(name === 'PasswordException' ? 'it is locked by a password' : `the PDF is broken: ${message}`);
}

let library: Promise<PdfLibrary> | undefined;

/** Says that it cannot draw, which nobody asks of it here. */
function loadLibrary(): Promise<PdfLibrary> {
  library ??= (async () => {
    const { warn, log } = console;
    console.warn = () => undefined;
    console.log = () => undefined;
    try {
      // The worker makes itself known, and is found there in place of a file beside the library.
      // @ts-expect-error it has no types
      await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
      return await import('pdfjs-dist/legacy/build/pdf.mjs');
    } finally {
      Object.assign(console, { warn, log });
    }
  })();
  return library;
}

/** Tables of Japanese encodings lie beside the library. */
function libraryFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
}

function linesOf(items: readonly TextItem[]): readonly Line[] {
  const lines: Line[] = [];
  let held: TextItem[] = [];
  const close = (): void => {
    const text = held
      .map(({ str }) => str)
      .join('')
      .trim();
    const heights = held.filter(({ str }) => str.trim() !== '').map(({ height }) => height);
    if (text !== '') lines.push({ text, height: Math.max(...heights), y: Number(held[0]?.transform[5] ?? 0) });
    held = [];
  };
  for (const item of items) {
    const y = Number(item.transform[5]);
    if (held.length > 0 && Math.abs(y - Number(held[0]?.transform[5])) > (item.height || 10) / 2) close();
    held.push(item);
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

/** Figures do not count: every page has another number. */
function shape({ text }: Line): string {
  return text.replaceAll(/[0-9０-９]+/gu, '#');
}

/** What stands at the head or foot of more than half of at least three pages. */
function repeatedLines(pages: readonly (readonly Line[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const lines of pages) {
    const edges = new Set([...lines.slice(0, 2), ...lines.slice(-2)].map(shape));
    for (const edge of edges) counts.set(edge, (counts.get(edge) ?? 0) + 1);
  }
  const max = Math.max(2, pages.length / 2);
  return new Set([...counts].filter(([, count]) => count > max).map(([edge]) => edge));
}

/** The height in which most letters are set. */
function commonHeight(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { text, height } of lines) {
    const rounded = Math.round(height * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].sort(([, left], [, right]) => right - left)[0]?.[0] ?? 0;
}

const longestHeading = 80;

function* pageBlocks(
  lines: readonly Line[],
  page: number,
  repeated: ReadonlySet<string>,
  body: number,
): Generator<Block> {
  let held = '';
  let above: Line | undefined;
  for (const line of lines) {
    if (repeated.has(shape(line))) continue;
    const heading = headingOf(line, body);
    const isApart = above !== undefined && above.y - line.y > line.height * 2.2;
    if (heading !== undefined || isApart) {
      yield { kind: 'paragraph', text: held, page };
      held = '';
    }
    if (heading === undefined) held = continued(held, line.text);
    else {
      yield { kind: 'heading', level: heading.level, text: heading.text, page };
      held = heading.rest;
    }
    above = line;
  }
  yield { kind: 'paragraph', text: held, page };
}

function headingOf(
  { text, height }: Line,
  body: number,
): { readonly level: number; readonly text: string; readonly rest: string } | undefined {
  const looks = headingLine(text);
  if (looks !== undefined) return { level: looks.level, text: looks.heading, rest: looks.rest };
  const ratio = body === 0 ? 1 : height / body;
  if (ratio < 1.15 || text.length > longestHeading || /[。．]$/u.test(text)) return undefined;
  return { level: ratio >= 1.6 ? 1 : ratio >= 1.3 ? 2 : 3, text, rest: '' };
}

const wideLetter = /[\u2e80-\u9fff\uff00-\uffef]/u;

/** Lines of Japanese follow each other without a space; a word cut by a hyphen is made whole. */
function continued(text: string, line: string): string {
  if (text === '') return line;
  if (/[a-z]-$/u.test(text) && /^[a-z]/u.test(line)) return text.slice(0, -1) + line;
  const isWide = wideLetter.test(text.at(-1) ?? '') || wideLetter.test(line[0] ?? '');
  return isWide ? text + line : `${text} ${line}`;
}
