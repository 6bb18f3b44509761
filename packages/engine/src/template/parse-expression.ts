import type { Arguments, Expression } from './ast.ts';
import { createNode, Parser } from './nunjucks.ts';
import { syntaxError } from './template-error.ts';
import type { Token } from './tokenize.ts';

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=']);
const sums = { '+': 'Add', '-': 'Sub' } as const;
const products = { '*': 'Mul', '/': 'Div', '//': 'FloorDiv', '%': 'Mod' } as const;
const noArguments: Arguments = { args: [], keywords: [], spread: null, keywordSpread: null };
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

/** nunjucks' parser with the expressions of Jinja: its order of operators, its literals, its calls. */
export class ExpressionParser extends Parser {
  private lookahead: Token | undefined;
  protected previousEnd = 0;

  constructor(tokens: readonly Token[]) {
    let index = 0;
    super({ nextToken: () => tokens[Math.min(index++, tokens.length - 1)] });
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

  protected failAt(message: string, token: Token = this.current): never {
    return syntaxError(message, token.start, token.end);
  }

  parseAny(withCondition = true): Expression {
    return withCondition ? this.parseCondition() : this.parseEither();
  }

  private parseCondition(): Expression {
    const start = this.current.start;
    let body = this.parseEither();
    while (this.skipIf('name:if')) {
      const cond = this.parseEither();
      const else_ = this.skipIf('name:else') ? this.parseCondition() : null;
      body = createNode('InlineIf', start, this.previousEnd, { cond, body, else_ });
    }
    return body;
  }

  private parseEither(): Expression {
    let left = this.parseBoth();
    while (this.skipIf('name:or')) {
      const right = this.parseBoth();
      left = createNode('Or', left.start, this.previousEnd, { left, right });
    }
    return left;
  }

  private parseBoth(): Expression {
    let left = this.parseNegation();
    while (this.skipIf('name:and')) {
      const right = this.parseNegation();
      left = createNode('And', left.start, this.previousEnd, { left, right });
    }
    return left;
  }

  private parseNegation(): Expression {
    const { start } = this.current;
    if (!this.skipIf('name:not')) return this.parseComparison();
    const target = this.parseNegation();
    return createNode('Not', start, this.previousEnd, { target });
  }

  private parseComparison(): Expression {
    const expr = this.parseSum();
    const ops: [string, Expression][] = [];
    for (;;) {
      const type = this.current.type;
      if (comparisons.has(type)) {
        this.advance();
        ops.push([type, this.parseSum()]);
      } else if (this.skipIf('name:in')) ops.push(['in', this.parseSum()]);
      else if (this.test('name:not') && matches(this.look(), 'name:in')) {
        this.advance();
        this.advance();
        ops.push(['notin', this.parseSum()]);
      } else break;
    }
    return ops.length === 0 ? expr : createNode('Compare', expr.start, this.previousEnd, { expr, ops });
  }

  private parseSum(): Expression {
    let left = this.parseConcatenation();
    while (this.current.type in sums) {
      const kind = sums[this.advance().type as keyof typeof sums];
      const right = this.parseConcatenation();
      left = createNode(kind, left.start, this.previousEnd, { left, right });
    }
    return left;
  }

  private parseConcatenation(): Expression {
    const children = [this.parseProduct()];
    while (this.skipIf('~')) children.push(this.parseProduct());
    const first = children[0] as Expression;
    return children.length === 1 ? first : createNode('Concat', first.start, this.previousEnd, { children });
  }

  private parseProduct(): Expression {
    let left = this.parsePower();
    while (this.current.type in products) {
      const kind = products[this.advance().type as keyof typeof products];
      const right = this.parsePower();
      left = createNode(kind, left.start, this.previousEnd, { left, right });
    }
    return left;
  }

  private parsePower(): Expression {
    let left = this.parseSigned();
    while (this.skipIf('**')) {
      const right = this.parseSigned();
      left = createNode('Pow', left.start, this.previousEnd, { left, right });
    }
    return left;
  }

  private parseSigned(withFilter = true): Expression {
    const { type, start } = this.current;
    let node: Expression;
    if (type === '-' || type === '+') {
      this.advance();
      const target = this.parseSigned(false);
      node = createNode(type === '-' ? 'Neg' : 'Pos', start, this.previousEnd, { target });
    } else node = this.parseLiteral();
    node = this.parseTrail(node);
    return withFilter ? this.parseFilters(node) : node;
  }

  protected parseLiteral(withNamespace = false): Expression {
    const token = this.current;
    switch (token.type) {
      case 'name':
        return this.parseName(withNamespace);
      case 'string': {
        let value = '';
        while (this.current.type === 'string') value += this.advance().value;
        return createNode('Literal', token.start, this.previousEnd, { value });
      }
      case 'integer':
      case 'float':
        this.advance();
        return createNode('Literal', token.start, token.end, { value: token.value });
      case '(': {
        this.advance();
        const node = this.parseTuple({ parentheses: true });
        this.expectToken(')');
        return node;
      }
      case '[':
        return this.parseList();
      case '{':
        return this.parseDict();
      default:
        return this.failAt(`unexpected ${this.describe(token)}`);
    }
  }

  private parseName(withNamespace: boolean): Expression {
    const token = this.advance();
    const value = String(token.value);
    if (/^(true|false|True|False|none|None)$/.test(value)) {
      const constant = /^n/i.test(value) ? null : /^t/i.test(value);
      return createNode('Literal', token.start, token.end, { value: constant });
    }
    if (withNamespace && this.skipIf('.')) {
      const attribute = String(this.expectToken('name').value);
      return createNode('NamespaceTarget', token.start, this.previousEnd, { name: value, attribute });
    }
    return createNode('Symbol', token.start, token.end, { value });
  }

  parseTuple(
    options: {
      readonly simplified?: boolean;
      readonly withCondition?: boolean;
      readonly end?: string;
      readonly parentheses?: boolean;
      readonly withNamespace?: boolean;
    } = {},
  ): Expression {
    const { start } = this.current;
    const children: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (children.length > 0) this.expectToken(',');
      if (this.isTupleEnd(options.end)) break;
      children.push(
        options.simplified === true
          ? this.parseLiteral(options.withNamespace)
          : this.parseAny(options.withCondition ?? true),
      );
      if (this.current.type !== ',') break;
      isTuple = true;
    }
    if (!isTuple) {
      if (children[0] !== undefined) return children[0];
      if (options.parentheses !== true) this.failAt(`Expected an expression, got ${this.describe(this.current)}`);
    }
    return createNode('Group', start, this.previousEnd, { children });
  }

  private isTupleEnd(end: string | undefined): boolean {
    const { type } = this.current;
    if (type === 'variable_end' || type === 'block_end' || type === ')') return true;
    return end !== undefined && this.test(end);
  }

  private parseList(): Expression {
    const { start } = this.expectToken('[');
    const children: Expression[] = [];
    while (this.current.type !== ']') {
      if (children.length > 0) this.expectToken(',');
      if (this.current.type === ']') break;
      children.push(this.parseAny());
    }
    this.expectToken(']');
    return createNode('Array', start, this.previousEnd, { children });
  }

  private parseDict(): Expression {
    const { start } = this.expectToken('{');
    const pairs: [Expression, Expression][] = [];
    while (this.current.type !== '}') {
      if (pairs.length > 0) this.expectToken(',');
      if (this.current.type === '}') break;
      const key = this.parseAny();
      this.expectToken(':');
      pairs.push([key, this.parseAny()]);
    }
    this.expectToken('}');
    return createNode('Dict', start, this.previousEnd, { pairs });
  }

  private parseTrail(first: Expression): Expression {
    let node = first;
    for (;;) {
      const { type } = this.current;
      if (type === '.' || type === '[') node = this.parseLookup(node);
      else if (type === '(') node = this.parseCall(node);
      else return node;
    }
  }

  private parseFilters(first: Expression): Expression {
    let node = first;
    for (;;) {
      if (this.current.type === '|') node = this.parseFilterChain(node) as Expression;
      else if (this.test('name:is')) node = this.parseIs(node);
      else if (this.current.type === '(') node = this.parseCall(node);
      else return node;
    }
  }

  private parseLookup(target: Expression): Expression {
    if (this.advance().type === '.') {
      const token = this.advance();
      if (token.type !== 'name' && token.type !== 'integer') this.failAt('expected name or number', token);
      const val = createNode('Literal', token.start, token.end, { value: token.value });
      return createNode('LookupVal', target.start, token.end, { target, val, dotted: token.type === 'name' });
    }
    const { start } = this.current;
    const children: Expression[] = [];
    while (this.current.type !== ']') {
      if (children.length > 0) this.expectToken(',');
      children.push(this.parseSubscript());
    }
    const only = children.length === 1 ? children[0] : undefined;
    const val = only ?? createNode('Group', start, this.previousEnd, { children });
    this.expectToken(']');
    return createNode('LookupVal', target.start, this.previousEnd, { target, val, dotted: false });
  }

  private parseSubscript(): Expression {
    const { start } = this.current;
    const bounds: (Expression | null)[] = [null];
    if (this.current.type !== ':') {
      const node = this.parseAny();
      if (this.current.type !== ':') return node;
      bounds[0] = node;
    }
    this.advance();
    const ends = (): boolean => this.current.type === ']' || this.current.type === ',';
    bounds.push(this.current.type === ':' || ends() ? null : this.parseAny());
    bounds.push(this.skipIf(':') && !ends() ? this.parseAny() : null);
    return createNode('SliceBounds', start, this.previousEnd, { bounds });
  }

  private parseCall(name: Expression): Expression {
    const parsed = this.parseArguments();
    return createNode('FunCall', name.start, this.previousEnd, { name, arguments: parsed });
  }

  private parseArguments(): Arguments {
    const open = this.expectToken('(');
    const args: Expression[] = [];
    const keywords: [string, Expression][] = [];
    let spread: Expression | null = null;
    let keywordSpread: Expression | null = null;
    const ensure = (valid: boolean): void => {
      if (!valid) this.failAt('invalid syntax for function call expression', open);
    };
    let first = true;
    while (this.current.type !== ')') {
      if (!first) {
        this.expectToken(',');
        if (this.current.type === ')') break;
      }
      first = false;
      if (this.current.type === '*') {
        ensure(spread === null && keywordSpread === null);
        this.advance();
        spread = this.parseAny();
      } else if (this.current.type === '**') {
        ensure(keywordSpread === null);
        this.advance();
        keywordSpread = this.parseAny();
      } else if (this.current.type === 'name' && this.look().type === '=') {
        ensure(keywordSpread === null);
        const key = String(this.advance().value);
        this.advance();
        keywords.push([key, this.parseAny()]);
      } else {
        ensure(spread === null && keywordSpread === null && keywords.length === 0);
        args.push(this.parseAny());
      }
    }
    this.expectToken(')');
    return { args, keywords, spread, keywordSpread };
  }

  private parseDottedName(): string {
    let name = String(this.expectToken('name').value);
    while (this.skipIf('.')) name += `.${this.expectToken('name').value}`;
    return name;
  }

  protected parseFilterChain(input: Expression | null, inline = false): Expression | null {
    let node = input;
    let first = inline;
    while (first || this.current.type === '|') {
      if (!first) this.advance();
      first = false;
      const { start } = this.current;
      const name = this.parseDottedName();
      const parsed = this.current.type === '(' ? this.parseArguments() : noArguments;
      node = createNode('Filter', start, this.previousEnd, { input: node, name, arguments: parsed });
    }
    return node;
  }

  private parseIs(left: Expression): Expression {
    this.advance();
    const negated = this.skipIf('name:not');
    const name = this.parseDottedName();
    const parsed = this.parseTestArguments();
    const node = createNode('Is', left.start, this.previousEnd, { left, name, arguments: parsed });
    return negated ? createNode('Not', left.start, this.previousEnd, { target: node }) : node;
  }

  private parseTestArguments(): Arguments {
    const { type, value } = this.current;
    if (type === '(') return this.parseArguments();
    const opens = ['name', 'string', 'integer', 'float', '[', '{'].includes(type);
    if (!opens || (type === 'name' && ['else', 'or', 'and'].includes(String(value)))) return noArguments;
    if (this.test('name:is')) this.failAt('You cannot chain multiple tests with is');
    return { ...noArguments, args: [this.parseTrail(this.parseLiteral())] };
  }
}

function matches(token: Token, type: string): boolean {
  return token.type === type || (token.type === 'name' && type === `name:${token.value}`);
}
