import { compareOrder, contains, equals } from './python-comparison.ts';
import type { BinaryOperator } from './python-number.ts';

export const operators: Readonly<Record<string, BinaryOperator>> = {
  Add: '+',
  Sub: '-',
  Mul: '*',
  Div: '/',
  FloorDiv: '//',
  Mod: '%',
  Pow: '** or pow()',
};

export function compare(operator: string, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return equals(left, right);
    case '!=':
      return !equals(left, right);
    case 'in':
      return contains(right, left);
    case 'notin':
      return !contains(right, left);
    case '<':
      return compareOrder(left, right, operator) < 0;
    case '<=':
      return compareOrder(left, right, operator) <= 0;
    case '>':
      return compareOrder(left, right, operator) > 0;
    default:
      return compareOrder(left, right, operator) >= 0;
  }
}
