import type { IndexDocument } from '../embedded-index/index-document.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { Section } from './section.ts';

export interface ChunkSettings {
  /** Largest chunk, in tokens as they are estimated. */
  readonly tokens: number;
  /** So many tokens at most are repeated at the start of the next chunk of a section. */
  readonly overlap: number;
}

/**
 * The documents of a file: one for each section, several for a long one, cut between paragraphs, else between sentences.
 *
 * Ids are the file's name with the heading as GitHub links it, `guide.md#利用目的`; `~2` names the second part of a section.
 * What stands before all headings, or in a file without them, is numbered; what is on pages has their number.
 */
export function chunkSections(
  name: string,
  sections: readonly Section[],
  settings: ChunkSettings,
): readonly IndexDocument[] {
  const anchors = new Map<string, number>();
  return sections.flatMap((section, index) => {
    const anchor = anchorOf(section, index, anchors);
    const title = section.headings.length === 0 ? baseName(name) : section.headings.join(' > ');
    return chunkText(section.text, settings).map((text, part) => ({
      id: `${name}#${anchor}${part === 0 ? '' : `~${part + 1}`}`,
      title,
      text,
      fields: {
        source: name,
        ...(section.headings.length === 0 ? {} : { headings: section.headings }),
        ...(section.page === undefined ? {} : { page: section.page }),
      },
    }));
  });
}

/** Unique in its file: the second "Notes" is `notes-1`. */
function anchorOf({ headings, page }: Section, index: number, taken: Map<string, number>): string {
  const heading = headings.at(-1);
  const wanted = page === undefined ? slugOf(heading ?? '') || String(index + 1) : `page=${page}`;
  const count = taken.get(wanted) ?? 0;
  taken.set(wanted, count + 1);
  return count === 0 ? wanted : `${wanted}-${count}`;
}

function slugOf(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/gu, '-');
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** A piece of text that is kept whole, and what stands before it when it follows another. */
interface Piece {
  readonly text: string;
  readonly joint: string;
  readonly tokens: number;
}

/** Pieces that overlap; one piece where the text is short enough. */
export function chunkText(text: string, { tokens, overlap }: ChunkSettings): readonly string[] {
  if (estimateTokens(text) <= tokens) return [text];
  const chunks: string[] = [];
  let held: Piece[] = [];
  let size = 0;
  for (const piece of piecesOf(text, tokens)) {
    if (held.length > 0 && size + piece.tokens > tokens) {
      chunks.push(joinPieces(held));
      held = tailOf(held, Math.min(overlap, tokens - piece.tokens));
      size = sizeOf(held);
    }
    held.push(piece);
    size += piece.tokens;
  }
  if (held.length > 0) chunks.push(joinPieces(held));
  return chunks;
}

/** The last pieces that are no more than `tokens` together. */
function tailOf(pieces: readonly Piece[], tokens: number): Piece[] {
  let size = 0;
  let from = pieces.length;
  while (from > 0 && size + (pieces[from - 1]?.tokens ?? 0) <= tokens) {
    from -= 1;
    size += pieces[from]?.tokens ?? 0;
  }
  return pieces.slice(from);
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

function joinPieces(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text, joint }, index) => (index === 0 ? text : joint + text))
    .join('')
    .trim();
}

/** Paragraphs that are short enough, sentences of others, and of a sentence that is too long, its letters. */
function* piecesOf(text: string, tokens: number): Generator<Piece> {
  for (const paragraph of text.split(/\n{2,}/u)) {
    const size = estimateTokens(paragraph);
    if (size <= tokens / 2) yield { text: paragraph, joint: '\n\n', tokens: size };
    else yield* sentencesOf(paragraph, tokens);
  }
}

function* sentencesOf(paragraph: string, tokens: number): Generator<Piece> {
  let joint = '\n\n';
  for (const sentence of paragraph.split(sentenceEnd)) {
    for (const text of cutLetters(sentence, tokens)) {
      yield { text, joint, tokens: estimateTokens(text) };
      joint = '';
    }
  }
}

/** Behind the end of a sentence and what closes it, or at a line's end. */
const sentenceEnd = /(?<=[。！？][」』）)]*)(?![」』）)。！？])|(?<=[.!?]\s)|(?<=\n)/u;

function* cutLetters(text: string, tokens: number): Generator<string> {
  if (estimateTokens(text) <= tokens) {
    yield text;
    return;
  }
  const letters = Array.from(text);
  const step = Math.max(1, Math.floor((letters.length * tokens) / estimateTokens(text)));
  for (let at = 0; at < letters.length; at += step) yield letters.slice(at, at + step).join('');
}
