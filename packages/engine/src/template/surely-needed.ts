import type { Expression, Statement } from './ast.ts';
import { surelyEvaluated } from './surely-evaluated.ts';

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

/** Names that an expression asks for an attribute, calls or reckons with before it can have a value. */
function brokenBy(expression: Expression): readonly string[] {
  return [...strictlyRead(expression).flatMap(symbol), ...surelyEvaluated(expression).flatMap(brokenBy)];
}

/** What of an expression may not be missing. */
function strictlyRead(expression: Expression): readonly Expression[] {
  switch (expression.typename) {
    case 'LookupVal':
    case 'Neg':
    case 'Pos':
      return [expression.target];
    case 'FunCall':
      return [expression.name];
    case 'Mod':
      // A text may be filled with what is missing: `"%s" % a`.
      return [expression.left];
    case 'Add':
    case 'Sub':
    case 'Mul':
    case 'Div':
    case 'FloorDiv':
    case 'Pow':
      return [expression.left, expression.right];
    default:
      return [];
  }
}

function symbol(expression: Expression): readonly string[] {
  return expression.typename === 'Symbol' ? [expression.value] : [];
}
