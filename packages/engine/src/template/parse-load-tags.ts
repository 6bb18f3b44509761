import type { Statement } from './ast.ts';
import { createNode } from './nunjucks.ts';
import { ExpressionParser } from './parse-expression.ts';
import { syntaxError } from './template-error.ts';

/** Tags that bring in other templates: `extends`, `include`, `import`, `from`. */
export class LoadTagParser extends ExpressionParser {
  protected parseOwnName(): { name: string; start: number; end: number } {
    const token = this.expectToken('name');
    if (['true', 'false', 'none', 'True', 'False', 'None'].includes(String(token.value)))
      syntaxError(`can't assign to 'name'`, token.start, token.end);
    return { name: String(token.value), start: token.start, end: token.end };
  }

  private skipContext(): void {
    if ((this.test('name:with') || this.test('name:without')) && this.look().value === 'context') {
      this.advance();
      this.advance();
    }
  }

  parseExtends(start: number): Statement {
    const template = this.parseAny();
    return createNode('Extends', start, this.previousEnd, { template, names: [] });
  }

  parseInclude(start: number): Statement {
    const template = this.parseAny();
    if (this.test('name:ignore') && this.look().value === 'missing') {
      this.advance();
      this.advance();
    }
    this.skipContext();
    return createNode('Include', start, this.previousEnd, { template, names: [] });
  }

  parseImport(start: number): Statement {
    const template = this.parseAny();
    this.expectToken('name:as');
    const { name } = this.parseOwnName();
    this.skipContext();
    return createNode('Import', start, this.previousEnd, { template, names: [name] });
  }

  parseFromImport(start: number): Statement {
    const template = this.parseAny();
    this.expectToken('name:import');
    const names: string[] = [];
    while (this.current.type === 'name') {
      const context = this.test('name:with') || this.test('name:without');
      if (context && this.look().value === 'context') break;
      const name = this.parseOwnName();
      if (name.name.startsWith('_')) {
        syntaxError(
          'names starting with an underline can not be imported',
          name.start,
          name.end,
          'TemplateAssertionError',
        );
      }
      names.push(this.skipIf('name:as') ? this.parseOwnName().name : name.name);
      if (!this.skipIf(',')) break;
    }
    if (names.length === 0) this.expectToken('name');
    this.skipContext();
    return createNode('FromImport', start, this.previousEnd, { template, names });
  }
}
