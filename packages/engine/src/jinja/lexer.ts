import { fail, type TemplatePlace } from './template-error.ts';

export interface TemplateOptions {
  readonly trimBlocks?: boolean;
  readonly lstripBlocks?: boolean;
  readonly keepTrailingNewline?: boolean;
  readonly strictUndefined?: boolean;
}

export type TokenType =
  | 'data'
  | 'variable_begin'
  | 'variable_end'
  | 'block_begin'
  | 'block_end'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'eof';

export interface Token extends TemplatePlace {
  readonly type: TokenType;
  /** Name, operator, data text, or the value of a string, integer (digits) or float. */
  readonly value: string;
}

/** Tokens of a template as Jinja2's lexer finds them, white space already handled. */
export function tokenize(source: string, options: TemplateOptions): Token[] {
  return new Lexer(source, options).run();
}

const operators = [
  '**',
  '//',
  '==',
  '!=',
  '>=',
  '<=',
  '+',
  '-',
  '/',
  '*',
  '%',
  '~',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '>',
  '<',
  '=',
  '.',
  ':',
  '|',
  ',',
  ';',
];
const nameStart = /[\p{XID_Start}_]/u;
const namePattern = /[\p{XID_Start}_][\p{XID_Continue}]*/uy;
const floatPattern = /(?<!\.)(\d+_)*\d+((\.(\d+_)*\d+)?[eE][+-]?(\d+_)*\d+|\.(\d+_)*\d+)/y;
const integerPattern = /0[bB](_?[01])+|0[oO](_?[0-7])+|0[xX](_?[\da-fA-F])+|[1-9](_?\d)*|0(_?0)*/y;
const stringPattern = /'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"/sy;
const rawPattern = /\{%([-+]?)\s*raw\s*(-?)%\}/y;
const endRawPattern = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g;

class Lexer {
  private readonly source: string;
  private readonly options: TemplateOptions;
  private readonly tokens: Token[] = [];
  private position = 0;
  /** White space that a `-` or trim_blocks takes from the data that follows. */
  private trim: 'none' | 'newline' | 'all' = 'none';

  constructor(source: string, options: TemplateOptions) {
    this.source = source;
    this.options = options;
  }

  run(): Token[] {
    const end = this.source.length;
    while (this.position < end) {
      const next = this.nextDelimiter();
      this.pushData(next);
      if (next >= end) break;
      this.position = next;
      const opener = this.source.slice(next, next + 2);
      if (opener === '{#') this.skipComment();
      else if (opener === '{{') this.readCode('variable_begin', 'variable_end', '}}');
      else if (!this.readRaw()) this.readCode('block_begin', 'block_end', '%}');
    }
    this.push('eof', '', end, end);
    return this.tokens;
  }

  private nextDelimiter(): number {
    const match = /\{[{%#]/g;
    match.lastIndex = this.position;
    return match.exec(this.source)?.index ?? this.source.length;
  }

  private pushData(end: number): void {
    let start = this.position;
    let text = this.source.slice(start, end);
    if (this.trim === 'all') text = text.trimStart();
    else if (this.trim === 'newline' && text.startsWith('\n')) text = text.slice(1);
    start = end - text.length;
    this.trim = 'none';
    const sign = this.source.charAt(end + 2);
    const isVariable = this.source.startsWith('{{', end);
    if (end < this.source.length) text = this.stripBefore(text, start, sign, isVariable);
    if (text !== '') this.push('data', text, start, start + text.length);
  }

  private stripBefore(text: string, start: number, sign: string, isVariable: boolean): string {
    if (sign === '-') return text.trimEnd();
    if (this.options.lstripBlocks !== true || isVariable || sign === '+') return text;
    const lineStart = text.lastIndexOf('\n') + 1;
    const isAtLineStart = lineStart > 0 || start === 0 || this.source.charAt(start - 1) === '\n';
    return isAtLineStart && /^[^\S\n]*$/.test(text.slice(lineStart)) ? text.slice(0, lineStart) : text;
  }

  private skipComment(): void {
    const end = this.source.indexOf('#}', this.position + 2);
    if (end < 0)
      fail('TemplateSyntaxError', 'Missing end of comment tag', { start: this.position, end: this.position + 2 });
    this.trim = this.trimAfter(this.source.charAt(end - 1), true);
    this.position = end + 2;
  }

  private trimAfter(sign: string, isBlock: boolean): 'none' | 'newline' | 'all' {
    if (sign === '-') return 'all';
    return isBlock && sign !== '+' && this.options.trimBlocks === true ? 'newline' : 'none';
  }

  private readRaw(): boolean {
    rawPattern.lastIndex = this.position;
    const open = rawPattern.exec(this.source);
    if (open === null) return false;
    endRawPattern.lastIndex = rawPattern.lastIndex;
    const close = endRawPattern.exec(this.source);
    const place = { start: this.position, end: rawPattern.lastIndex };
    if (close === null) return fail('TemplateSyntaxError', 'Missing end of raw directive', place);
    this.position = rawPattern.lastIndex;
    this.trim = open[2] === '-' ? 'all' : this.options.trimBlocks === true ? 'newline' : 'none';
    this.pushData(close.index);
    this.trim = this.trimAfter(close[2] ?? '', true);
    this.position = endRawPattern.lastIndex;
    return true;
  }

  private readCode(begin: TokenType, end: TokenType, closer: string): void {
    const start = this.position;
    this.position += 2;
    if (
      /[-+]/.test(this.source.charAt(this.position)) &&
      !(begin === 'variable_begin' && this.source.charAt(this.position) === '+')
    )
      this.position += 1;
    this.push(begin, closer, start, this.position);
    const brackets: string[] = [];
    for (;;) {
      this.skipSpace();
      if (this.position >= this.source.length) {
        this.push('eof', '', this.position, this.position);
        return;
      }
      if (brackets.length === 0 && this.atCloser(end, closer)) return;
      this.readToken(brackets);
    }
  }

  private atCloser(end: TokenType, closer: string): boolean {
    const sign = this.source.charAt(this.position);
    const hasSign =
      (sign === '-' || (sign === '+' && end === 'block_end')) && this.source.startsWith(closer, this.position + 1);
    if (!hasSign && !this.source.startsWith(closer, this.position)) return false;
    const start = this.position;
    this.position += closer.length + (hasSign ? 1 : 0);
    this.push(end, closer, start, this.position);
    this.trim = this.trimAfter(hasSign ? sign : '', end === 'block_end');
    return true;
  }

  private skipSpace(): void {
    const space = /\s*/y;
    space.lastIndex = this.position;
    space.exec(this.source);
    this.position = space.lastIndex;
  }

  private readToken(brackets: string[]): void {
    const start = this.position;
    if (this.match(floatPattern)) return this.take('float', start);
    if (this.match(integerPattern)) return this.take('integer', start);
    if (nameStart.test(this.source.charAt(start)) && this.match(namePattern)) return this.take('name', start);
    if (this.match(stringPattern)) {
      const body = this.source.slice(start + 1, this.position - 1);
      this.push('string', unescapeString(body, { start, end: this.position }), start, this.position);
      return;
    }
    this.readOperator(brackets);
  }

  private readOperator(brackets: string[]): void {
    const start = this.position;
    const operator = operators.find((candidate) => this.source.startsWith(candidate, start));
    const place = { start, end: start + 1 };
    if (operator === undefined) {
      return fail('TemplateSyntaxError', `unexpected char '${this.source.charAt(start)}' at ${start}`, place);
    }
    const closes = { '{': '}', '(': ')', '[': ']' }[operator];
    if (closes !== undefined) brackets.push(closes);
    if (operator === '}' || operator === ')' || operator === ']') {
      if (brackets.length === 0) fail('TemplateSyntaxError', `unexpected '${operator}'`, place);
      const expected = brackets.pop();
      if (expected !== operator) fail('TemplateSyntaxError', `unexpected '${operator}', expected '${expected}'`, place);
    }
    this.position += operator.length;
    this.push('operator', operator, start, this.position);
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (pattern.exec(this.source) === null) return false;
    this.position = pattern.lastIndex;
    return true;
  }

  private take(type: TokenType, start: number): void {
    this.push(type, this.source.slice(start, this.position), start, this.position);
  }

  private push(type: TokenType, value: string, start: number, end: number): void {
    this.tokens.push({ type, value, start, end });
  }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};

/** Python's string escapes; an unknown one stays as written. */
function unescapeString(body: string, place: TemplatePlace): string {
  if (!body.includes('\\')) return body;
  return body.replace(
    /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3}|[xuUN]|[\s\S])/gu,
    (whole, code: string) => {
      const simple = simpleEscapes[code];
      if (simple !== undefined) return simple;
      if (/^[xuU]./.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
      if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
      if (/^[xuUN]$/.test(code))
        return fail(
          'TemplateSyntaxError',
          `(unicode error) 'unicodeescape' codec can't decode bytes: truncated \\${code} escape`,
          place,
        );
      return whole;
    },
  );
}
