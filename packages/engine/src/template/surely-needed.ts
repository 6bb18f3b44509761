import type { Arguments, Expression, Statement } from './ast.ts';

/**
 * Variables without which the template fails wherever its conditions lead: an attribute of one is read, or one is called or reckoned with, where
 * each rendering comes by. Of those that the template sets itself nothing is said.
 */
export function surelyNeeded(body: readonly Statement[], stored: ReadonlySet<string>): ReadonlySet<string> {
  const read = body.flatMap(readOnceReached);
  return new Set(read.flatMap(brokenBy).filter((name) => !stored.has(name)));
}

/** Where each rendering comes by and asks for another template: the starts of these statements. */
export function surelyLoaded(body: readonly Statement[]): readonly number[] {
  return body.flatMap((statement) => {
    switch (statement.typename) {
      case 'Extends':
      case 'Import':
      case 'Include':
      case 'FromImport':
        return [statement.start];
      case 'With':
      case 'Capture':
      case 'FilterBlock':
      case 'Autoescape':
      case 'Block':
        return surelyLoaded(statement.body);
      default:
        return [];
    }
  });
}

/** The expressions that a statement evaluates whatever their values are. */
function readOnceReached(statement: Statement): readonly Expression[] {
  switch (statement.typename) {
    case 'Output':
      return [statement.expression];
    case 'If':
      return [statement.cond];
    case 'For':
      return [statement.iterated];
    case 'Set':
      return [statement.value];
    case 'With':
      return statement.values;
    case 'Capture':
    case 'FilterBlock':
    case 'Autoescape':
      return statement.body.flatMap(readOnceReached);
    default:
      return [];
  }
}

/** Names that an expression asks for an attribute, or calls, before it can have a value. */
function brokenBy(expression: Expression): readonly string[] {
  switch (expression.typename) {
    case 'LookupVal':
      return [...symbol(expression.target), ...brokenBy(expression.target)];
    case 'FunCall':
      return [...symbol(expression.name), ...brokenBy(expression.name), ...argumentsOf(expression.arguments)];
    case 'Filter':
      return [...(expression.input === null ? [] : brokenBy(expression.input)), ...argumentsOf(expression.arguments)];
    case 'Is':
    case 'And':
    case 'Or':
      return brokenBy(expression.left);
    case 'InlineIf':
      return brokenBy(expression.cond);
    case 'Compare':
      return brokenBy(expression.expr);
    case 'Neg':
    case 'Pos':
      return [...symbol(expression.target), ...brokenBy(expression.target)];
    case 'Not':
      return brokenBy(expression.target);
    case 'Group':
    case 'Array':
    case 'Concat':
      return expression.children.flatMap(brokenBy);
    default:
      return 'left' in expression ? brokenByOperands(expression) : [];
  }
}

function brokenByOperands(expression: Expression & { readonly left: Expression; readonly right: Expression }) {
  const { typename, left, right } = expression;
  const reckons = arithmetic.has(typename);
  return [
    ...(reckons ? symbol(left) : []),
    ...brokenBy(left),
    // A text may be filled with what is missing: `"%s" % a`.
    ...(reckons && typename !== 'Mod' ? symbol(right) : []),
    ...brokenBy(right),
  ];
}

const arithmetic: ReadonlySet<string> = new Set(['Add', 'Sub', 'Mul', 'Div', 'FloorDiv', 'Mod', 'Pow']);

function symbol(expression: Expression): readonly string[] {
  return expression.typename === 'Symbol' ? [expression.value] : [];
}

function argumentsOf({ args, keywords }: Arguments): readonly string[] {
  return [...args, ...keywords.map(([, value]) => value)].flatMap(brokenBy);
}
