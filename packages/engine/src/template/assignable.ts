import type { Expression } from './ast.ts';
import { syntaxError } from './template-error.ts';

/** The target of `set`, `for` or `with`. @throws TemplateError where nothing can be assigned to it */
export function assignable(target: Expression): Expression {
  if (isAssignable(target)) return target;
  const name = { Literal: 'const', Group: 'tuple', Array: 'list', Dict: 'dict' } as Readonly<Record<string, string>>;
  return syntaxError(`can't assign to '${name[target.typename] ?? target.typename}'`, target.start, target.end);
}

function isAssignable(node: Expression): boolean {
  if (node.typename === 'Group') return node.children.every((child) => isAssignable(child));
  return node.typename === 'Symbol' || node.typename === 'NamespaceTarget';
}
