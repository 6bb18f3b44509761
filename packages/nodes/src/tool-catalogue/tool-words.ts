import type { DescribedTool } from './catalogue-tool.ts';
import { PieceTable } from './piece-table.ts';
import { scanAscii, splitWords, termOf, type VisitStretch } from './split-words.ts';

/** What of a tool is searched; each counts the same. */
export const toolFields = ['own', 'group', 'category', 'description', 'arguments'] as const;

export type ToolField = (typeof toolFields)[number];

/** All words of all fields of all tools: `text` holds their numbers one field after the other, `bounds` where each field begins. */
export interface ReadWords {
  readonly words: Map<string, number>;
  readonly text: Int32Array;
  readonly bounds: Int32Array;
}

/** Reads the words of all tools, each field for itself. */
export function readWords(tools: readonly DescribedTool[]): ReadWords {
  const reader = new WordReader(tools.length);
  for (const tool of tools) reader.read(tool);
  return reader.finish();
}

const encoder = new TextEncoder();

/** Turns fields into numbers of words. */
class WordReader {
  private readonly words = new Map<string, number>();
  private readonly pieces = new PieceTable((piece) => idOf(termOf(piece), this.words));
  private numbers = new Int32Array(1 << 16);
  private length = 0;
  private readonly bounds: Int32Array;
  private field = 0;
  private bytes = new Uint8Array(1 << 12);
  private readonly visit: VisitStretch = (start, end, hash) => {
    const id = this.pieces.find(this.bytes, start, end, hash);
    if (id >= 0) this.add(id);
  };

  /** @param count tools to be read */
  constructor(count: number) {
    this.bounds = new Int32Array(count * toolFields.length + 1);
  }

  /** All of its texts go into bytes at once: to hand over each by itself takes as long as to read it. */
  read(tool: DescribedTool): void {
    const { own, group, category } = tool;
    const description = searchedDescription(tool);
    const texts = `${own}\n${group}\n${category}\n${description}\n${argumentsText(tool)}`;
    if (this.bytes.length <= 3 * texts.length) this.bytes = new Uint8Array(6 * texts.length + 1);
    const { written } = encoder.encodeInto(texts, this.bytes);
    this.bytes[written] = 0;
    if (written > texts.length) {
      for (const text of [own, group, category, description, argumentsText(tool)]) this.readText(text);
      return;
    }
    let from = 0;
    for (const { length } of [own, group, category, description]) {
      this.readBytes(from, from + length);
      from += length + 1;
    }
    this.readBytes(from, written);
  }

  finish(): ReadWords {
    this.bounds[this.field] = this.length;
    return { words: this.words, text: this.numbers.slice(0, this.length), bounds: this.bounds };
  }

  private readBytes(from: number, to: number): void {
    this.bounds[this.field++] = this.length;
    scanAscii(this.bytes, from, to, this.visit);
  }

  private readText(text: string): void {
    this.bounds[this.field++] = this.length;
    for (const word of splitWords(text)) this.add(idOf(word, this.words));
  }

  private add(id: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = id;
  }
}

/** The number of a word, -1 for none. */
function idOf(word: string | undefined, words: Map<string, number>): number {
  if (word === undefined) return -1;
  const known = words.get(word);
  if (known !== undefined) return known;
  words.set(word, words.size);
  return words.size - 1;
}

/** What a tool does, and what people ask for whom it helps. */
function searchedDescription({ description, queries }: DescribedTool): string {
  return queries === undefined ? description : [description, ...queries].join('\n');
}

/** Names and descriptions, one a line. */
function argumentsText({ parameters }: DescribedTool): string {
  const properties = parameters['properties'];
  if (typeof properties !== 'object' || properties === null) return '';
  let text = '';
  for (const name in properties) {
    const schema = (properties as Readonly<Record<string, unknown>>)[name];
    const description = (schema as { readonly description?: unknown } | null)?.description;
    text += typeof description === 'string' ? `${name}\n${description}\n` : `${name}\n`;
  }
  return text;
}
