import type { JsonValue } from '@unroll/engine';

/** A list written as a Python literal (`[{'id': 'c1', 'n': None}]`); undefined where the text is none. */
export function readPythonList(text: string): readonly JsonValue[] | undefined {
  const reader = new LiteralReader(text);
  const list = readList(reader);
  return reader.isAtEnd() ? list : undefined;
}

/** The same where something else may stand behind the list. */
export function readLeadingPythonList(text: string): readonly JsonValue[] | undefined {
  return readList(new LiteralReader(text));
}

function readList(reader: LiteralReader): readonly JsonValue[] | undefined {
  try {
    const value = reader.read();
    return Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['None', null],
  ['True', true],
  ['False', false],
]);
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

class LiteralReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  isAtEnd(): boolean {
    return this.text.slice(this.at).trim() === '';
  }

  read(): JsonValue {
    this.skipSpace();
    const first = this.text.charAt(this.at);
    if (first === '[') return this.readItems(']');
    if (first === '(') return this.readItems(')');
    if (first === '{') return this.readMapping();
    if (first === "'" || first === '"') return this.readText(first);
    return this.readWord();
  }

  private readItems(close: string): JsonValue[] {
    this.at += 1;
    const items: JsonValue[] = [];
    while (!this.take(close)) {
      items.push(this.read());
      if (!this.take(',') && this.peek() !== close) throw new NoLiteral();
    }
    return items;
  }

  private readMapping(): Record<string, JsonValue> {
    this.at += 1;
    const members: Record<string, JsonValue> = {};
    while (!this.take('}')) {
      const key = this.read();
      if (!this.take(':')) throw new NoLiteral();
      members[String(key)] = this.read();
      if (!this.take(',') && this.peek() !== '}') throw new NoLiteral();
    }
    return members;
  }

  private readText(quote: string): string {
    let text = '';
    for (this.at += 1; ; this.at += 1) {
      const letter = this.text.charAt(this.at);
      if (letter === '' || letter === '\n') throw new NoLiteral();
      if (letter === quote) break;
      if (letter !== '\\') text += letter;
      else text += this.readEscape();
    }
    this.at += 1;
    return text;
  }

  private readEscape(): string {
    this.at += 1;
    const letter = this.text.charAt(this.at);
    if (letter !== 'u') return escapes[letter] ?? `\\${letter}`;
    const code = this.text.slice(this.at + 1, this.at + 5);
    this.at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  private readWord(): JsonValue {
    const [word = ''] = /^[\w.+-]+/.exec(this.text.slice(this.at)) ?? [];
    this.at += word.length;
    const known = words.get(word);
    if (known !== undefined) return known;
    if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word)) return Number(word);
    throw new NoLiteral();
  }

  private take(letter: string): boolean {
    if (this.peek() !== letter) return false;
    this.at += 1;
    return true;
  }

  private peek(): string {
    this.skipSpace();
    return this.text.charAt(this.at);
  }

  private skipSpace(): void {
    while (/\s/.test(this.text.charAt(this.at))) this.at += 1;
  }
}
