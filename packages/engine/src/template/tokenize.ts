import { mostTokens, tooMany } from './nesting.ts';
import { syntaxError } from './template-error.ts';
import {
  anyBegin,
  asciiIdentifier,
  blockEnd,
  closers,
  commentEnd,
  identifier,
  patterns,
  rawBegin,
  rawEnd,
  trailingSpace,
  variableEnd,
} from './token-patterns.ts';
import { codePoints, escapes, floatValue, integerValue, removedReturns } from './token-values.ts';

/** `type` is Jinja's name of it, for operators the operator itself. Offsets are those of the source as it was given. */
export interface Token {
  readonly type: string;
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

export interface TokenizeOptions {
  readonly trimBlocks?: boolean;
  readonly lstripBlocks?: boolean;
  readonly keepTrailingNewline?: boolean;
}

/**
 * Reads a template as Jinja's lexer does: white-space control, raw blocks, comments, numbers with underscores.
 *
 * @throws TemplateError with class TemplateSyntaxError
 */
export function tokenize(source: string, options: TokenizeOptions): Token[] {
  return new Tokenizer(source, options).run();
}

class Tokenizer {
  private readonly text: string;
  private readonly offsets: readonly number[];
  private readonly options: TokenizeOptions;
  private readonly tokens: Token[] = [];
  private position = 0;
  private lineStarting = true;

  constructor(source: string, options: TokenizeOptions) {
    this.offsets = removedReturns(source);
    const text = source.replace(/\r\n?/g, '\n');
    this.text = options.keepTrailingNewline === true ? text : text.replace(/\n$/, '');
    this.options = options;
  }

  run(): Token[] {
    while (this.position < this.text.length) this.readRoot();
    this.push('eof', '', this.text.length, this.text.length);
    return this.tokens;
  }

  private push(type: string, value: unknown, start: number, end: number): void {
    if (this.tokens.length >= mostTokens) this.fail(tooMany, start);
    this.tokens.push({ type, value, start: this.source(start), end: this.source(end) });
  }

  /** Offset in the given text: every `\r\n` before it counts one more than here. */
  private source(offset: number): number {
    let low = 0;
    let high = this.offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.offsets[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  }

  private fail(message: string, start: number, end = start + 1): never {
    return syntaxError(message, this.source(start), this.source(end));
  }

  private readRoot(): void {
    anyBegin.lastIndex = this.position;
    const found = anyBegin.exec(this.text);
    if (found === null) {
      this.push('data', this.text.slice(this.position), this.position, this.text.length);
      this.position = this.text.length;
      return;
    }
    const at = found.index;
    const sign = this.text[at + 2] === '-' || this.text[at + 2] === '+' ? (this.text[at + 2] ?? '') : '';
    this.pushData(this.position, at, sign, found[0] !== '{{');
    this.lineStarting = false;
    if (found[0] === '{#') {
      this.skipComment(at);
      return;
    }
    rawBegin.lastIndex = at;
    const raw = found[0] === '{%' ? rawBegin.exec(this.text) : null;
    if (raw !== null) {
      this.readRaw(at, at + raw[0].length);
      return;
    }
    this.push(found[0] === '{{' ? 'variable_begin' : 'block_begin', found[0], at, at + 2);
    this.position = at + 2 + sign.length;
    this.readExpression(found[0] === '{{' ? 'variable_end' : 'block_end');
  }

  private pushData(from: number, to: number, sign: string, mayStrip: boolean): void {
    let data = this.text.slice(from, to);
    if (sign === '-') data = data.replace(trailingSpace, '');
    else if (sign !== '+' && this.options.lstripBlocks === true && mayStrip) {
      const lineStart = data.lastIndexOf('\n') + 1;
      if ((lineStart > 0 || this.lineStarting) && data.slice(lineStart).replace(trailingSpace, '') === '')
        data = data.slice(0, lineStart);
    }
    if (data !== '') this.push('data', data, from, to);
  }

  private skipComment(at: number): void {
    const end = this.find(commentEnd, at + 2);
    if (end === undefined) {
      this.fail('Missing end of comment tag', at, at + 2);
    }
    this.finish(end.stop);
  }

  private readRaw(at: number, from: number): void {
    const end = this.find(rawEnd, from);
    if (end === undefined) {
      // At the very end Jinja2 misses no end of it.
      if (from === this.text.length) {
        this.finish(from);
        return;
      }
      this.fail('Missing end of raw directive', at, from);
    }
    this.pushData(from, end.start, end.sign, true);
    this.finish(end.stop);
  }

  private finish(stop: number): void {
    this.position = stop;
    this.lineStarting = this.text[stop - 1] === '\n';
  }

  private find(pattern: RegExp, from: number): { start: number; stop: number; sign: string } | undefined {
    pattern.lastIndex = from;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    const newline = found.length === 2 ? found[1] : found[2];
    const untrimmed = newline === '\n' && this.options.trimBlocks !== true ? 1 : 0;
    const sign = found.length === 3 ? (found[1] ?? '') : '';
    return { start: found.index, stop: found.index + found[0].length - untrimmed, sign };
  }

  private readExpression(endType: string): void {
    const open: string[] = [];
    while (this.position < this.text.length) {
      if (open.length === 0 && this.readEnd(endType)) return;
      this.readToken(open);
    }
  }

  private readEnd(endType: string): boolean {
    const pattern = endType === 'block_end' ? blockEnd : variableEnd;
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found === null) return false;
    const untrimmed = found[1] === '\n' && this.options.trimBlocks !== true ? 1 : 0;
    const stop = this.position + found[0].length - untrimmed;
    this.push(endType, found[0], this.position, stop);
    this.finish(stop);
    return true;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    return pattern.exec(this.text)?.[0];
  }

  private readToken(open: string[]): void {
    const start = this.position;
    const take = (text: string, type: string, value: unknown): void => {
      this.position = start + text.length;
      this.push(type, value, start, this.position);
    };
    const space = this.match(patterns.space);
    if (space !== undefined) {
      this.position += space.length;
      return;
    }
    const float = this.match(patterns.float);
    if (float !== undefined) {
      take(float, 'float', floatValue(float));
      return;
    }
    const integer = this.match(patterns.integer);
    if (integer !== undefined) {
      take(integer, 'integer', integerValue(integer));
      return;
    }
    const name = this.match(patterns.name);
    if (name !== undefined) {
      if (!asciiIdentifier.test(name) && !identifier.test(name))
        this.fail('Invalid character in identifier', start, start + name.length);
      take(name, 'name', name);
      return;
    }
    const string = this.match(patterns.string);
    if (string !== undefined) {
      take(string, 'string', this.unescape(string.slice(1, -1), start));
      return;
    }
    const operator = this.match(patterns.operator);
    if (operator === undefined) {
      const character = String.fromCodePoint(this.text.codePointAt(start) ?? 0);
      const quote = character === "'" ? `"'"` : `'${character}'`;
      this.fail(`unexpected char ${quote} at ${codePoints(this.text.slice(0, start))}`, start);
    }
    this.balance(operator, open);
    take(operator, operator, operator);
  }

  private balance(operator: string, open: string[]): void {
    const closer = closers[operator];
    if (closer !== undefined) open.push(closer);
    else if (operator === '}' || operator === ')' || operator === ']') {
      const expected = open.pop();
      if (expected === undefined) this.fail(`unexpected '${operator}'`, this.position);
      if (expected !== operator) this.fail(`unexpected '${operator}', expected '${expected}'`, this.position);
    }
  }

  private unescape(body: string, start: number): string {
    if (!body.includes('\\')) return body;
    return body.replace(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|N\{([^}]*)\}|([\s\S]))/g,
      (whole, x, u, long, octal, named, other: string | undefined) => {
        const code = x ?? u ?? long;
        if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
        if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
        if (named !== undefined || (other !== undefined && 'xuUN'.includes(other)))
          this.fail(`cannot decode ${whole}`, start, start + body.length + 2);
        return escapes[other ?? ''] ?? whole;
      },
    );
  }
}
