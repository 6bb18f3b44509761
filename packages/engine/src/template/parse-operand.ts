import type { Arguments, Expression } from './ast.ts';
import { noArguments } from './no-arguments.ts';
import { createNode } from './nunjucks.ts';
import { TokenReader } from './token-reader.ts';

/** What operators stand between: literals, names, lists, dicts, and the calls, look-ups, filters and tests that follow them. */
export abstract class OperandParser extends TokenReader {
  /** Any expression, with or without `… if … else …`. */
  abstract parseAny(withCondition?: boolean): Expression;

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

  protected parseTrail(first: Expression): Expression {
    let node = first;
    for (;;) {
      const { type } = this.current;
      if (type === '.' || type === '[') node = this.parseLookup(node);
      else if (type === '(') node = this.parseCall(node);
      else return node;
    }
  }

  protected parseFilters(first: Expression): Expression {
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
      if (!first) this.expectToken(',');
      first = false;
      if (this.current.type === ')') break;
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
        if (keywords.some(([known]) => known === key))
          this.failAt(`keyword argument repeated: ${key}`, open, 'SyntaxError');
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

  protected parseIs(left: Expression): Expression {
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
