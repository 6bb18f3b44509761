import type { Expression } from './ast.ts';
import { compare } from './compare-operator.ts';
import { compileArguments } from './compile-arguments.ts';
import { lookUpTest, testNames } from './filters.ts';
import { placed } from './placed.ts';
import { spendOn } from './render-budget.ts';
import { cleaned, type Evaluate, guardOf } from './render-state.ts';
import { raise, unknownName } from './template-error.ts';

export function compileTest(
  node: Expression & { typename: 'Is' },
  { soft }: { readonly soft: boolean },
  compile: (node: Expression) => Evaluate,
): Evaluate {
  const { name } = node;
  const known = lookUpTest(name);
  if (known === undefined && !soft) unknownName('test', name, node, testNames());
  const value = compile(node.left);
  const given = compileArguments(node.arguments, compile);
  return placed(node, (frame) => {
    if (known === undefined) return raise('TemplateRuntimeError', `No test named '${name}' found.`);
    const guard = guardOf(frame);
    const subject = cleaned(value(frame), guard);
    const { args, keywords } = given(frame);
    spendOn(subject);
    return known(subject, guard === null ? args : args.map((arg) => cleaned(arg, guard)), keywords);
  });
}

export function compileComparison(
  node: Expression & { typename: 'Compare' },
  compile: (node: Expression) => Evaluate,
): Evaluate {
  const first = compile(node.expr);
  const steps = node.ops.map(([operator, right]) => [operator, compile(right)] as const);
  return placed(node, (frame) => {
    const guard = guardOf(frame);
    let left = cleaned(first(frame), guard);
    for (const [operator, evaluate] of steps) {
      const right = cleaned(evaluate(frame), guard);
      if (!compare(operator, left, right)) return false;
      left = right;
    }
    return true;
  });
}
