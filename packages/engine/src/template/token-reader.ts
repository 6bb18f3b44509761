import { deepestSource, tooDeep } from './nesting.ts';
import { Parser } from './nunjucks.ts';
import { syntaxError } from './template-error.ts';
import type { Token } from './tokenize.ts';

const descriptions: Readonly<Record<string, string>> = {
  block_begin: 'begin of statement block',
  block_end: 'end of statement block',
  variable_begin: 'begin of print statement',
  variable_end: 'end of print statement',
  data: 'template data / text',
  eof: 'end of template',
};

/** `name:endif` describes as `endif`, every other type by Jinja's words for it. */
export function describeType(type: string): string {
  return type.startsWith('name:') ? type.slice(5) : (descriptions[type] ?? type);
}

/** nunjucks' parser as a reader of Jinja's tokens: the current one, the one after it, what is expected. */
export class TokenReader extends Parser {
  private lookahead: Token | undefined;
  protected previousEnd = 0;
  private nesting = 0;

  constructor(tokens: readonly Token[]) {
    let index = 0;
    super({ nextToken: () => tokens[Math.min(index++, tokens.length - 1)] });
  }

  /** Reads what may hold its like. */
  protected nested<T>(parse: () => T): T {
    this.nesting += 1;
    if (this.nesting > deepestSource) throw tooDeep(this.current, deepestSource);
    const read = parse();
    this.nesting -= 1;
    return read;
  }

  protected get current(): Token {
    return this.peekToken() as Token;
  }

  protected advance(): Token {
    const token = this.nextToken() as Token;
    this.previousEnd = token.end;
    if (this.lookahead !== undefined) {
      this.pushToken(this.lookahead);
      this.lookahead = undefined;
    }
    return token;
  }

  /** The token after the current one. */
  protected look(): Token {
    if (this.lookahead === undefined) {
      const current = this.nextToken();
      this.lookahead = this.nextToken() as Token;
      this.pushToken(current);
    }
    return this.lookahead;
  }

  protected test(type: string): boolean {
    return matches(this.current, type);
  }

  protected skipIf(type: string): boolean {
    if (!this.test(type)) return false;
    this.advance();
    return true;
  }

  protected expectToken(type: string): Token {
    const token = this.current;
    if (matches(token, type)) return this.advance();
    const wanted = describeType(type);
    if (token.type === 'eof') return this.failAt(`unexpected end of template, expected '${wanted}'.`, token);
    return this.failAt(`expected token '${wanted}', got ${this.describe(token)}`, token);
  }

  protected describe(token: Token): string {
    const text = token.type === 'name' ? String(token.value) : describeType(token.type);
    return `'${text}'`;
  }

  protected failAt(message: string, token: Token = this.current, errorClass?: string): never {
    return syntaxError(message, token.start, token.end, errorClass);
  }
}

export function matches(token: Token, type: string): boolean {
  return token.type === type || (token.type === 'name' && type === `name:${token.value}`);
}
