import { didYouMean } from '../source/nearest-name.ts';
import { assignable } from './assignable.ts';
import type { Expression, Parameters, Statement } from './ast.ts';
import { checkTreeDepth } from './nesting.ts';
import { createNode } from './nunjucks.ts';
import { LoadTagParser } from './parse-load-tags.ts';
import { syntaxError, TemplateError } from './template-error.ts';
import { describeType } from './token-reader.ts';
import { type Token, type TokenizeOptions, tokenize } from './tokenize.ts';

/**
 * Reads a template into nunjucks' nodes by Jinja's grammar.
 *
 * @throws TemplateError with class TemplateSyntaxError
 */
export function parseTemplate(source: string, options: TokenizeOptions): readonly Statement[] {
  const body = new TemplateParser(tokenize(source, options)).parseBody(null);
  checkTreeDepth(body);
  return body;
}

class TemplateParser extends LoadTagParser {
  private readonly tags: Token[] = [];
  private readonly ends: (readonly string[])[] = [];
  private readonly blocks = new Set<string>();

  parseBody(end: readonly string[] | null): readonly Statement[] {
    const body: Statement[] = [];
    if (end !== null) this.ends.push(end);
    while (this.current.type !== 'eof') {
      const token = this.advance();
      if (token.type === 'data') {
        body.push(createNode('TemplateData', token.start, token.end, { value: String(token.value) }));
      } else if (token.type === 'variable_begin') {
        const expression = this.parseTuple();
        body.push(createNode('Output', expression.start, expression.end, { expression }));
        this.expectToken('variable_end');
      } else {
        if (end?.some((type) => this.test(type)) === true) break;
        body.push(...this.parseTag());
        this.expectToken('block_end');
      }
    }
    if (end !== null) this.ends.pop();
    return body;
  }

  private parseUntil(end: readonly string[], drop = false): readonly Statement[] {
    this.skipIf(':');
    this.expectToken('block_end');
    const body = this.parseBody(end);
    if (this.current.type === 'eof') this.failUnknown(null, [...this.ends, end], this.current);
    if (drop) this.advance();
    return body;
  }

  private parseTag(): readonly Statement[] {
    const token = this.current;
    if (token.type !== 'name') this.failAt('tag name expected');
    this.tags.push(token);
    const parse = Object.hasOwn(tagParsers, String(token.value)) ? tagParsers[String(token.value)] : undefined;
    if (parse === undefined) {
      this.tags.pop();
      return this.failUnknown(String(token.value), this.ends, token);
    }
    this.advance();
    const parsed = this.nested(() => parse(this, token.start));
    this.tags.pop();
    return parsed;
  }

  private failUnknown(name: string | null, ends: readonly (readonly string[])[], token: Token): never {
    const words = [name === null ? 'Unexpected end of template.' : `Encountered unknown tag '${name}'.`];
    const looking = (ends.at(-1) ?? []).map((type) => `'${describeType(type)}'`).join(' or ');
    if (looking !== '') {
      const expected = name !== null && ends.flat().some((type) => describeType(type) === name);
      words.push(
        expected
          ? `You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for ${looking}.`
          : `Jinja was looking for the following tags: ${looking}.`,
      );
    }
    const tag = this.tags.at(-1);
    if (tag !== undefined) words.push(`The innermost block that needs to be closed is '${tag.value}'.`);
    const place = name === null && tag !== undefined ? tag : token;
    const known = [...Object.keys(tagParsers), ...ends.flat().map(describeType)];
    const help = name === null || known.includes(name) ? undefined : didYouMean(name, known);
    const { start, end } = place;
    throw new TemplateError({
      errorClass: 'TemplateSyntaxError',
      message: words.join(' '),
      place: { start, end },
      help,
    });
  }

  private parseTarget(options: { end?: string; withNamespace?: boolean } = {}): Expression {
    const target = this.parseTuple({ simplified: true, ...options });
    return assignable(target);
  }

  parseFor(start: number): Statement {
    const target = this.parseTarget({ end: 'name:in' });
    this.expectToken('name:in');
    const iterated = this.parseTuple({ withCondition: false, end: 'name:recursive' });
    const test = this.skipIf('name:if') ? this.parseAny() : null;
    const recursive = this.skipIf('name:recursive');
    const body = this.parseUntil(['name:endfor', 'name:else']);
    const else_ = this.advance().value === 'endfor' ? [] : this.parseUntil(['name:endfor'], true);
    return createNode('For', start, this.previousEnd, { target, iterated, body, else_, test, recursive });
  }

  /** One branch after the other: there may be many. */
  parseIf(start: number): Statement {
    const branches: { readonly start: number; readonly cond: Expression; readonly body: readonly Statement[] }[] = [];
    let else_: readonly Statement[] = [];
    for (let token: Token | undefined; token === undefined || token.value === 'elif'; ) {
      const branchStart = token?.start ?? start;
      const cond = this.parseTuple({ withCondition: false });
      const body = this.parseUntil(['name:elif', 'name:else', 'name:endif']);
      branches.push({ start: branchStart, cond, body });
      token = this.advance();
      if (token.value === 'else') else_ = this.parseUntil(['name:endif'], true);
    }
    for (const branch of branches.reverse()) {
      else_ = [createNode('If', branch.start, this.previousEnd, { cond: branch.cond, body: branch.body, else_ })];
    }
    return else_[0] as Statement;
  }

  parseSet(start: number): Statement {
    const target = this.parseTarget({ withNamespace: true });
    if (this.skipIf('=')) {
      const value = this.parseTuple();
      return createNode('Set', start, this.previousEnd, { target, value });
    }
    const filter = this.parseFilterChain(null);
    const body = this.parseUntil(['name:endset'], true);
    return createNode('Capture', start, this.previousEnd, { target, filter, body });
  }

  parseWith(start: number): Statement {
    const targets: Expression[] = [];
    const values: Expression[] = [];
    while (this.current.type !== 'block_end') {
      if (targets.length > 0) this.expectToken(',');
      targets.push(this.parseTarget());
      this.expectToken('=');
      values.push(this.parseAny());
    }
    const body = this.parseUntil(['name:endwith'], true);
    return createNode('With', start, this.previousEnd, { targets, values, body });
  }

  private parseParameters(): Parameters {
    const names: string[] = [];
    const defaults: Expression[] = [];
    this.expectToken('(');
    while (this.current.type !== ')') {
      if (names.length > 0) this.expectToken(',');
      names.push(this.parseOwnName().name);
      if (this.skipIf('=')) defaults.push(this.parseAny());
      else if (defaults.length > 0) this.failAt('non-default argument follows default argument');
    }
    this.expectToken(')');
    return { names, defaults };
  }

  parseMacro(start: number): Statement {
    const { name } = this.parseOwnName();
    const parameters = this.parseParameters();
    const body = this.parseUntil(['name:endmacro'], true);
    return createNode('Macro', start, this.previousEnd, { name, parameters, body });
  }

  parseCallBlock(start: number): Statement {
    const parameters = this.current.type === '(' ? this.parseParameters() : { names: [], defaults: [] };
    const call = this.parseAny();
    if (call.typename !== 'FunCall') syntaxError('expected call', call.start, call.end);
    const body = this.parseUntil(['name:endcall'], true);
    return createNode('Caller', start, this.previousEnd, { call, parameters, body });
  }

  parseFilterBlock(start: number): Statement {
    const filter = this.parseFilterChain(null, true) as Expression;
    const body = this.parseUntil(['name:endfilter'], true);
    return createNode('FilterBlock', start, this.previousEnd, { filter, body });
  }

  parseBlock(start: number): Statement {
    const token = this.expectToken('name');
    const name = String(token.value);
    if (this.blocks.has(name))
      syntaxError(`block '${name}' defined twice`, token.start, token.end, 'TemplateAssertionError');
    this.blocks.add(name);
    const scoped = this.skipIf('name:scoped');
    const required = this.skipIf('name:required');
    if (this.current.type === '-') {
      this.failAt(
        'Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.',
      );
    }
    const body = this.parseUntil(['name:endblock'], true);
    this.skipIf(`name:${name}`);
    if (required && !body.every((node) => node.typename === 'TemplateData' && node.value.trim() === ''))
      this.failAt('Required blocks can only contain comments or whitespace');
    return createNode('Block', start, this.previousEnd, { name, scoped, required, body });
  }

  parseAutoescape(start: number): Statement {
    const mode = this.parseAny();
    if (mode.typename !== 'Literal' || mode.value !== false)
      syntaxError('autoescape is not done here', mode.start, mode.end, 'NotSupportedError');
    const body = this.parseUntil(['name:endautoescape'], true);
    return createNode('Autoescape', start, this.previousEnd, { body });
  }

  parsePrint(): readonly Statement[] {
    const printed: Statement[] = [];
    while (this.current.type !== 'block_end') {
      if (printed.length > 0) this.expectToken(',');
      const expression = this.parseAny();
      printed.push(createNode('Output', expression.start, expression.end, { expression }));
    }
    return printed;
  }
}

const tagParsers: Readonly<Record<string, (parser: TemplateParser, start: number) => readonly Statement[]>> = {
  for: (parser, start) => [parser.parseFor(start)],
  if: (parser, start) => [parser.parseIf(start)],
  set: (parser, start) => [parser.parseSet(start)],
  with: (parser, start) => [parser.parseWith(start)],
  macro: (parser, start) => [parser.parseMacro(start)],
  call: (parser, start) => [parser.parseCallBlock(start)],
  filter: (parser, start) => [parser.parseFilterBlock(start)],
  block: (parser, start) => [parser.parseBlock(start)],
  autoescape: (parser, start) => [parser.parseAutoescape(start)],
  print: (parser) => parser.parsePrint(),
  extends: (parser, start) => [parser.parseExtends(start)],
  include: (parser, start) => [parser.parseInclude(start)],
  import: (parser, start) => [parser.parseImport(start)],
  from: (parser, start) => [parser.parseFromImport(start)],
};
