import { Float } from '../value/float.ts';
import { type TemplateOptions, type Token, tokenize } from './lexer.ts';
import type { Arguments, Body, Expression, Parameter, Statement, Target } from './syntax-tree.ts';
import { fail } from './template-error.ts';

/** Reads a template as Jinja2's parser does, with its messages. @throws TemplateError */
export function parseTemplate(source: string, options: TemplateOptions): Body {
  return new Parser(tokenize(source, options)).parse();
}

const tokenNames: Readonly<Record<string, string>> = {
  variable_end: 'end of print statement',
  block_end: 'end of statement block',
  variable_begin: 'begin of print statement',
  block_begin: 'begin of statement block',
  eof: 'end of template',
  data: 'template data / text',
};

function describe(token: Token): string {
  if (token.type === 'name' || token.type === 'operator') return token.value;
  return tokenNames[token.type] ?? token.type;
}

const comparisons = ['==', '!=', '<', '<=', '>', '>='];

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;
  private readonly open: string[] = [];
  private readonly ends: (readonly string[])[] = [];
  private readonly blocks = new Set<string>();

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): Body {
    const body = this.body();
    if (this.token.type !== 'eof') this.failUnknownTag(this.token);
    return body;
  }

  private get token(): Token {
    return this.tokens[this.at] as Token;
  }

  private next(): Token {
    const token = this.token;
    if (token.type !== 'eof') this.at += 1;
    return token;
  }

  private peek(): Token {
    return this.tokens[this.at + 1] ?? this.token;
  }

  private is(value: string, type: Token['type'] = 'operator'): boolean {
    return this.token.type === type && this.token.value === value;
  }

  private skip(value: string, type: Token['type'] = 'operator'): boolean {
    if (!this.is(value, type)) return false;
    this.next();
    return true;
  }

  private expectType(type: Token['type']): Token {
    if (this.token.type === type) return this.next();
    return this.failExpected(tokenNames[type] ?? type);
  }

  private expect(value: string, type: Token['type'] = 'operator'): Token {
    if (this.is(value, type)) return this.next();
    return this.failExpected(value);
  }

  private failExpected(expected: string): never {
    const { token } = this;
    if (token.type === 'eof') fail('TemplateSyntaxError', `unexpected end of template, expected '${expected}'.`, token);
    return fail('TemplateSyntaxError', `expected token '${expected}', got '${describe(token)}'`, token);
  }

  private body(until?: (name: string) => boolean): Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      const { token } = this;
      if (token.type === 'data')
        statements.push({ kind: 'data', text: this.next().value, start: token.start, end: token.end });
      else if (token.type === 'variable_begin') statements.push(...this.output());
      else if (token.type === 'block_begin') {
        const tag = this.peek();
        if (until !== undefined && tag.type === 'name' && until(tag.value)) return statements;
        this.next();
        statements.push(...this.statement());
        this.expectType('block_end');
      } else return statements;
    }
  }

  private output(): Statement[] {
    const { start } = this.next();
    const value = this.tuple(true);
    const { end } = this.expectType('variable_end');
    return [{ kind: 'output', value, start: Math.min(value.start, start + 2), end: Math.max(value.end, end - 2) }];
  }

  private statement(): Statement[] {
    const tag = this.token;
    if (tag.type !== 'name') return fail('TemplateSyntaxError', 'tag name expected', tag);
    const read = statements[tag.value];
    if (read === undefined) return this.failUnknownTag(tag);
    this.next();
    this.open.push(tag.value);
    const found = read(this, tag);
    this.open.pop();
    return found;
  }

  failUnknownTag(tag: Token): never {
    const isEnd = tag.type === 'eof';
    const first = isEnd ? 'Unexpected end of template.' : `Encountered unknown tag '${tag.value}'.`;
    const expected = this.ends.at(-1);
    if (expected === undefined) return fail('TemplateSyntaxError', first, tag);
    const tags = expected.map((name) => `'${name}'`).join(' or ');
    const misplaced = !isEnd && this.ends.some((names) => names.includes(tag.value));
    const words = misplaced
      ? ' You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for '
      : ' Jinja was looking for the following tags: ';
    return fail(
      'TemplateSyntaxError',
      `${first}${words}${tags}. The innermost block that needs to be closed is '${this.open.at(-1)}'.`,
      tag,
    );
  }

  /** Statements up to one of the end tags, whose name is left as the current token. */
  until(...ends: string[]): Statement[] {
    if (this.token.value === ':' && this.token.type === 'operator') this.next();
    this.expectType('block_end');
    this.ends.push(ends);
    const body = this.body((name) => ends.includes(name));
    if (this.token.type === 'eof') this.failUnknownTag(this.token);
    this.ends.pop();
    this.next();
    return body;
  }

  /** As `until`, with the end tag taken. */
  bodyOf(...ends: string[]): Statement[] {
    const body = this.until(...ends);
    this.next();
    return body;
  }

  readFor(tag: Token): Statement[] {
    const target = this.target(false, ['in']);
    this.expect('in', 'name');
    const over = this.tuple(false, ['recursive']);
    const test = this.skip('if', 'name') ? this.expression() : undefined;
    const recursive = this.skip('recursive', 'name');
    const body = this.until('endfor', 'else');
    const otherwise = this.next().value === 'endfor' ? [] : this.bodyOf('endfor');
    return [
      {
        kind: 'for',
        target,
        over,
        ...(test === undefined ? {} : { test }),
        recursive,
        body,
        otherwise,
        ...span(tag, over),
      },
    ];
  }

  readIf(tag: Token): Statement[] {
    const branches: [Expression, Body][] = [];
    for (;;) {
      const test = this.tuple(false);
      const body = this.until('elif', 'else', 'endif');
      branches.push([test, body]);
      const end = this.next().value;
      if (end === 'elif') continue;
      const otherwise = end === 'else' ? this.bodyOf('endif') : [];
      return [{ kind: 'if', branches, otherwise, start: tag.start, end: tag.end }];
    }
  }

  readSet(tag: Token): Statement[] {
    const target = this.target(true);
    if (this.skip('=')) {
      const value = this.tuple(true);
      return [{ kind: 'set', target, value, ...span(tag, value) }];
    }
    const filter = this.is('|') ? this.filters(undefined) : undefined;
    const body = this.bodyOf('endset');
    return [
      { kind: 'set-block', target, ...(filter === undefined ? {} : { filter }), body, start: tag.start, end: tag.end },
    ];
  }

  readMacro(tag: Token): Statement[] {
    const name = this.expectType('name').value;
    const parameters = this.parameters();
    const body = this.bodyOf('endmacro');
    return [{ kind: 'macro', name, parameters, body, start: tag.start, end: tag.end }];
  }

  readCall(tag: Token): Statement[] {
    const parameters = this.is('(') ? this.parameters() : [];
    const call = this.expression();
    if (call.kind !== 'call') fail('TemplateSyntaxError', 'expected call', call);
    const body = this.bodyOf('endcall');
    return [{ kind: 'call-block', call, parameters, body, ...span(tag, call) }];
  }

  readFilter(tag: Token): Statement[] {
    const filter = this.filters(undefined, true);
    const body = this.bodyOf('endfilter');
    return [{ kind: 'filter-block', filter, body, start: tag.start, end: tag.end }];
  }

  readWith(tag: Token): Statement[] {
    const bindings: [Target, Expression][] = [];
    while (this.token.type !== 'block_end') {
      if (bindings.length > 0) this.expect(',');
      const target = this.target(false);
      this.expect('=');
      bindings.push([target, this.expression()]);
    }
    const body = this.bodyOf('endwith');
    return [{ kind: 'with', bindings, body, start: tag.start, end: tag.end }];
  }

  readBlock(tag: Token): Statement[] {
    const name = this.expectType('name').value;
    if (this.is('-'))
      fail(
        'TemplateSyntaxError',
        'Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.',
        this.token,
      );
    if (this.blocks.has(name)) fail('TemplateAssertionError', `block '${name}' defined twice`, tag);
    this.blocks.add(name);
    this.skip('scoped', 'name');
    this.skip('required', 'name');
    const body = this.bodyOf('endblock');
    this.skip(name, 'name');
    return [{ kind: 'block', name, body, start: tag.start, end: tag.end }];
  }

  readAutoescape(tag: Token): Statement[] {
    this.expression();
    return [{ kind: 'scope', body: this.bodyOf('endautoescape'), start: tag.start, end: tag.end }];
  }

  readPrint(): Statement[] {
    const found: Statement[] = [];
    while (this.token.type !== 'block_end') {
      if (found.length > 0) this.expect(',');
      const value = this.expression();
      found.push({ kind: 'output', value, start: value.start, end: value.end });
    }
    return found;
  }

  readLoad(tag: Token): Statement[] {
    const template = this.expression();
    while (this.token.type !== 'block_end' && this.token.type !== 'eof') this.next();
    return [{ kind: 'load', tag: tag.value, template, ...span(tag, template) }];
  }

  private parameters(): Parameter[] {
    const parameters: Parameter[] = [];
    this.expect('(');
    while (!this.is(')')) {
      if (parameters.length > 0) this.expect(',');
      const { value: name } = this.expectType('name');
      if (this.skip('=')) parameters.push({ name, fallback: this.expression() });
      else {
        if (parameters.some(({ fallback }) => fallback !== undefined))
          fail('TemplateSyntaxError', 'non-default argument follows default argument', this.token);
        parameters.push({ name });
      }
    }
    this.expect(')');
    return parameters;
  }

  private target(withNamespace: boolean, ends: readonly string[] = []): Target {
    const first = this.token;
    if (withNamespace && first.type === 'name' && this.peek().type === 'operator' && this.peek().value === '.') {
      this.next();
      this.next();
      const attribute = this.expectType('name');
      return {
        kind: 'namespace',
        name: first.value,
        attribute: attribute.value,
        start: first.start,
        end: attribute.end,
      };
    }
    const items: Target[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0 && !this.is(',')) break;
      if (items.length > 0) {
        this.next();
        isTuple = true;
      }
      if (this.is('=') || (this.token.type === 'name' && ends.includes(this.token.value))) break;
      items.push(this.targetItem());
    }
    const [only] = items;
    if (only !== undefined && !isTuple) return only;
    return { kind: 'tuple', items, start: first.start, end: this.token.start };
  }

  private targetItem(): Target {
    const { token } = this;
    if (this.skip('(')) {
      const inner = this.target(false);
      this.expect(')');
      return inner;
    }
    if (token.type !== 'name') return this.failExpected('name');
    if (/^(true|false|none|True|False|None)$/.test(token.value))
      fail('TemplateSyntaxError', `can't assign to 'const'`, token);
    this.next();
    return { kind: 'name', name: token.value, start: token.start, end: token.end };
  }

  private expression(withCondition = true): Expression {
    return withCondition ? this.condition() : this.or();
  }

  private condition(): Expression {
    let then = this.or();
    while (this.skip('if', 'name')) {
      const test = this.or();
      const otherwise = this.skip('else', 'name') ? this.condition() : undefined;
      then = {
        kind: 'condition',
        test,
        then,
        ...(otherwise === undefined ? {} : { otherwise }),
        ...span(then, otherwise ?? test),
      };
    }
    return then;
  }

  private or(): Expression {
    let left = this.and();
    while (this.skip('or', 'name')) {
      const right = this.and();
      left = { kind: 'or', left, right, ...span(left, right) };
    }
    return left;
  }

  private and(): Expression {
    let left = this.not();
    while (this.skip('and', 'name')) {
      const right = this.not();
      left = { kind: 'and', left, right, ...span(left, right) };
    }
    return left;
  }

  private not(): Expression {
    const { token } = this;
    if (!this.skip('not', 'name')) return this.compare();
    const value = this.not();
    return { kind: 'not', value, ...span(token, value) };
  }

  private compare(): Expression {
    const first = this.sum();
    const rest: [string, Expression][] = [];
    for (;;) {
      const { token } = this;
      if (token.type === 'operator' && comparisons.includes(token.value)) {
        this.next();
        rest.push([token.value, this.sum()]);
      } else if (this.skip('in', 'name')) rest.push(['in', this.sum()]);
      else if (this.is('not', 'name') && this.peek().type === 'name' && this.peek().value === 'in') {
        this.next();
        this.next();
        rest.push(['not in', this.sum()]);
      } else break;
    }
    const last = rest.at(-1);
    return last === undefined ? first : { kind: 'compare', first, rest, ...span(first, last[1]) };
  }

  private sum(): Expression {
    return this.binary(['+', '-'], () => this.concat());
  }

  private concat(): Expression {
    const parts = [this.product()];
    while (this.skip('~')) parts.push(this.product());
    const [only, ...more] = parts as [Expression, ...Expression[]];
    return more.length === 0 ? only : { kind: 'concat', parts, ...span(only, more.at(-1) ?? only) };
  }

  private product(): Expression {
    return this.binary(['*', '/', '//', '%'], () => this.power());
  }

  private power(): Expression {
    return this.binary(['**'], () => this.unary());
  }

  private binary(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    while (this.token.type === 'operator' && operators.includes(this.token.value)) {
      const operator = this.next().value;
      const right = operand();
      left = { kind: 'binary', operator, left, right, ...span(left, right) };
    }
    return left;
  }

  private unary(withFilter = true): Expression {
    const { token } = this;
    const sign = this.skip('-') ? 'negative' : this.skip('+') ? 'positive' : undefined;
    let value: Expression;
    if (sign === undefined) value = this.primary();
    else {
      const inner = this.unary(false);
      value = { kind: sign, value: inner, ...span(token, inner) };
    }
    value = this.postfix(value);
    return withFilter ? this.filterExpression(value) : value;
  }

  private primary(): Expression {
    const { token } = this;
    switch (token.type) {
      case 'name':
        this.next();
        return nameOrConstant(token);
      case 'string':
        return this.strings();
      case 'integer':
        this.next();
        return { kind: 'constant', value: integerOf(token.value), start: token.start, end: token.end };
      case 'float':
        this.next();
        return { kind: 'constant', value: floatOf(token.value), start: token.start, end: token.end };
      default:
        return this.bracketed();
    }
  }

  private strings(): Expression {
    const first = this.token;
    let text = '';
    let end = first.end;
    while (this.token.type === 'string') {
      end = this.token.end;
      text += this.next().value;
    }
    return { kind: 'constant', value: text, start: first.start, end };
  }

  private bracketed(): Expression {
    const { token } = this;
    if (this.skip('(')) {
      const inner = this.tuple(true, [], true);
      const { end } = this.expect(')');
      return inner.kind === 'tuple' ? { ...inner, start: token.start, end } : inner;
    }
    if (this.is('[')) return this.list();
    if (this.is('{')) return this.dict();
    return fail('TemplateSyntaxError', `unexpected '${describe(token)}'`, token);
  }

  private list(): Expression {
    const { start } = this.next();
    const items: Expression[] = [];
    while (!this.is(']')) {
      if (items.length > 0) this.expect(',');
      if (this.is(']')) break;
      items.push(this.expression());
    }
    const { end } = this.expect(']');
    return { kind: 'list', items, start, end };
  }

  private dict(): Expression {
    const { start } = this.next();
    const pairs: [Expression, Expression][] = [];
    while (!this.is('}')) {
      if (pairs.length > 0) this.expect(',');
      if (this.is('}')) break;
      const key = this.expression();
      this.expect(':');
      pairs.push([key, this.expression()]);
    }
    const { end } = this.expect('}');
    return { kind: 'dict', pairs, start, end };
  }

  private tuple(withCondition: boolean, ends: readonly string[] = [], isExplicit = false): Expression {
    const { start } = this.token;
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0 && !this.skip(',')) break;
      if (items.length > 0) isTuple = true;
      if (this.endsTuple(ends)) break;
      items.push(this.expression(withCondition));
    }
    const [only] = items;
    if (only !== undefined && !isTuple) return only;
    if (only === undefined && !isExplicit) {
      return fail('TemplateSyntaxError', `Expected an expression, got '${describe(this.token)}'`, this.token);
    }
    return { kind: 'tuple', items, start, end: this.token.start };
  }

  private endsTuple(ends: readonly string[]): boolean {
    const { type, value } = this.token;
    if (type === 'variable_end' || type === 'block_end' || (type === 'operator' && value === ')')) return true;
    return type === 'name' && ends.includes(value);
  }

  private postfix(start: Expression): Expression {
    let value = start;
    for (;;) {
      if (this.is('.')) value = this.member(value);
      else if (this.is('[')) value = this.subscript(value);
      else if (this.is('(')) value = this.call(value);
      else return value;
    }
  }

  private filterExpression(start: Expression): Expression {
    let value = start;
    for (;;) {
      if (this.is('|')) value = this.filters(value);
      else if (this.is('is', 'name')) value = this.test(value);
      else if (this.is('(')) value = this.call(value);
      else return value;
    }
  }

  private member(object: Expression): Expression {
    this.next();
    const token = this.next();
    if (token.type === 'name') return { kind: 'attribute', object, name: token.value, ...span(object, token) };
    if (token.type !== 'integer') return fail('TemplateSyntaxError', 'expected name or number', token);
    const key: Expression = { kind: 'constant', value: Number(token.value), start: token.start, end: token.end };
    return { kind: 'item', object, key, ...span(object, token) };
  }

  private subscript(object: Expression): Expression {
    this.next();
    const keys: Expression[] = [];
    while (!this.is(']')) {
      if (keys.length > 0) this.expect(',');
      keys.push(this.subscriptKey());
    }
    const close = this.expect(']');
    const [only] = keys;
    const key: Expression =
      only !== undefined && keys.length === 1
        ? only
        : { kind: 'tuple', items: keys, start: object.end, end: close.end };
    return { kind: 'item', object, key, ...span(object, close) };
  }

  private subscriptKey(): Expression {
    const { start } = this.token;
    const isBoundary = (): boolean => this.is(':') || this.is(']') || this.is(',');
    const first = this.is(':') ? undefined : this.expression();
    if (first !== undefined && !this.is(':')) return first;
    const parts: (Expression | undefined)[] = [first];
    while (parts.length < 3 && this.skip(':')) parts.push(isBoundary() ? undefined : this.expression());
    const [from, stop, step] = parts;
    return {
      kind: 'slice',
      ...(from === undefined ? {} : { from }),
      ...(stop === undefined ? {} : { stop }),
      ...(step === undefined ? {} : { step }),
      start,
      end: this.token.start,
    };
  }

  private call(callee: Expression): Expression {
    const { given, end } = this.arguments();
    return { kind: 'call', callee, given, start: callee.start, end };
  }

  private arguments(): { given: Arguments; end: number } {
    const open = this.expect('(');
    const positional: Expression[] = [];
    const named: [string, Expression][] = [];
    let spread: Expression | undefined;
    let spreadNamed: Expression | undefined;
    let isFirst = true;
    const ensure = (valid: boolean): void => {
      if (!valid) fail('TemplateSyntaxError', 'invalid syntax for function call expression', open);
    };
    while (!this.is(')')) {
      if (!isFirst) {
        this.expect(',');
        if (this.is(')')) break;
      }
      isFirst = false;
      if (this.skip('*')) {
        ensure(spread === undefined && spreadNamed === undefined);
        spread = this.expression();
      } else if (this.skip('**')) {
        ensure(spreadNamed === undefined);
        spreadNamed = this.expression();
      } else if (this.token.type === 'name' && this.peek().type === 'operator' && this.peek().value === '=') {
        ensure(spreadNamed === undefined);
        const name = this.next().value;
        this.next();
        named.push([name, this.expression()]);
      } else {
        ensure(spread === undefined && spreadNamed === undefined && named.length === 0);
        positional.push(this.expression());
      }
    }
    const { end } = this.expect(')');
    return {
      given: {
        positional,
        named,
        ...(spread === undefined ? {} : { spread }),
        ...(spreadNamed === undefined ? {} : { spreadNamed }),
      },
      end,
    };
  }

  private filters(start: Expression | undefined, inline = false): Expression {
    let value = start;
    let isInline = inline;
    while (this.is('|') || isInline) {
      if (!isInline) this.next();
      isInline = false;
      const token = this.expectType('name');
      const name = this.dotted(token.value);
      const { given, end } = this.is('(') ? this.arguments() : { given: noArguments, end: token.end };
      value = { kind: 'filter', name, value, given, start: value?.start ?? token.start, end };
    }
    return value as Expression;
  }

  private dotted(first: string): string {
    let name = first;
    while (this.skip('.')) name += `.${this.expectType('name').value}`;
    return name;
  }

  private test(value: Expression): Expression {
    this.next();
    const isNegated = this.skip('not', 'name');
    const token = this.expectType('name');
    const name = this.dotted(token.value);
    const { given, end } = this.testArguments(token.end);
    const test: Expression = { kind: 'test', name, value, given, start: value.start, end };
    return isNegated ? { kind: 'not', value: test, start: value.start, end } : test;
  }

  private testArguments(end: number): { given: Arguments; end: number } {
    const { token } = this;
    if (this.is('(')) return this.arguments();
    const starts = ['name', 'string', 'integer', 'float'].includes(token.type) || this.is('[') || this.is('{');
    if (!starts || (token.type === 'name' && ['else', 'or', 'and'].includes(token.value)))
      return { given: noArguments, end };
    if (this.is('is', 'name')) fail('TemplateSyntaxError', 'You cannot chain multiple tests with is', token);
    const argument = this.postfix(this.primary());
    return { given: { positional: [argument], named: [] }, end: argument.end };
  }
}

const noArguments: Arguments = { positional: [], named: [] };

type ReadStatement = (parser: Parser, tag: Token) => Statement[];

const readLoad: ReadStatement = (parser, tag) => parser.readLoad(tag);

const statements: Readonly<Record<string, ReadStatement | undefined>> = Object.assign(Object.create(null), {
  for: (parser, tag) => parser.readFor(tag),
  if: (parser, tag) => parser.readIf(tag),
  set: (parser, tag) => parser.readSet(tag),
  macro: (parser, tag) => parser.readMacro(tag),
  call: (parser, tag) => parser.readCall(tag),
  filter: (parser, tag) => parser.readFilter(tag),
  with: (parser, tag) => parser.readWith(tag),
  block: (parser, tag) => parser.readBlock(tag),
  autoescape: (parser, tag) => parser.readAutoescape(tag),
  print: (parser) => parser.readPrint(),
  include: readLoad,
  import: readLoad,
  from: readLoad,
  extends: readLoad,
} satisfies Record<string, ReadStatement>);

function span(from: { readonly start: number }, to: { readonly end: number }): { start: number; end: number } {
  return { start: from.start, end: to.end };
}

const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

function nameOrConstant({ value, start, end }: Token): Expression {
  return constants.has(value)
    ? { kind: 'constant', value: constants.get(value), start, end }
    : { kind: 'name', name: value, start, end };
}

function integerOf(text: string): number | bigint {
  const exact = BigInt(text.replaceAll('_', ''));
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

function floatOf(text: string): number | Float {
  const number = Number(text.replaceAll('_', ''));
  return Number.isInteger(number) ? new Float(number) : number;
}
