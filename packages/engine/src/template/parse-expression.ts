import type { Expression } from './ast.ts';
import { createNode } from './nunjucks.ts';
import { OperandParser } from './parse-operand.ts';
import { matches } from './token-reader.ts';

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=']);
const sums = { '+': 'Add', '-': 'Sub' } as const;
const products = { '*': 'Mul', '/': 'Div', '//': 'FloorDiv', '%': 'Mod' } as const;

/** The expressions of Jinja, by its order of operators. */
export class ExpressionParser extends OperandParser {
  parseAny(withCondition = true): Expression {
    return this.nested(() => (withCondition ? this.parseCondition() : this.parseEither()));
  }

  private parseCondition(): Expression {
    const start = this.current.start;
    let body = this.parseEither();
    while (this.skipIf('name:if')) {
      const cond = this.parseEither();
      const else_ = this.skipIf('name:else') ? this.nested(() => this.parseCondition()) : null;
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
    const target = this.nested(() => this.parseNegation());
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
      const target = this.nested(() => this.parseSigned(false));
      node = createNode(type === '-' ? 'Neg' : 'Pos', start, this.previousEnd, { target });
    } else node = this.parseLiteral();
    node = this.parseTrail(node);
    return withFilter ? this.parseFilters(node) : node;
  }
}
