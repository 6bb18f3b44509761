import type { Arguments, Expression } from './ast.ts';

/** The parts of an expression that are evaluated with it whatever their values are. */
export function surelyEvaluated(expression: Expression): readonly Expression[] {
  switch (expression.typename) {
    case 'LookupVal':
      return [expression.target];
    case 'FunCall':
      return [expression.name, ...argumentsOf(expression.arguments)];
    case 'Filter':
      return [...(expression.input === null ? [] : [expression.input]), ...argumentsOf(expression.arguments)];
    case 'Is':
    case 'And':
    case 'Or':
      return [expression.left];
    case 'InlineIf':
      return [expression.cond];
    case 'Compare':
      return [expression.expr];
    case 'Neg':
    case 'Pos':
    case 'Not':
      return [expression.target];
    case 'Group':
    case 'Array':
    case 'Concat':
      return expression.children;
    default:
      return 'left' in expression ? [expression.left, expression.right] : [];
  }
}

function argumentsOf({ args, keywords }: Arguments): readonly Expression[] {
  return [...args, ...keywords.map(([, value]) => value)];
}
