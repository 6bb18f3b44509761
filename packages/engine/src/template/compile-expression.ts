import type { Expression } from './ast.ts';
import { callValue, findMethod, getAttribute, getItem } from './attributes.ts';
import { operators } from './compare-operator.ts';
import { type CompiledArguments, compileArguments } from './compile-arguments.ts';
import { compileComparison, compileTest } from './compile-test.ts';
import { filterNames, lookUpFilter } from './filters.ts';
import { placed } from './placed.ts';
import { type BinaryOperator, binary, signed } from './python-number.ts';
import { pythonStr } from './python-text.ts';
import { type Keywords, PyDict, SliceBounds, tuple, Undefined } from './python-types.ts';
import { truth } from './python-values.ts';
import { spendOn } from './render-budget.ts';
import { cleaned, type Evaluate, type Frame, guardOf, located } from './render-state.ts';
import type { FrameLayout, Scope } from './scope.ts';
import { raise, syntaxError, unknownName } from './template-error.ts';

/** Where an expression stands. `soft`: in a branch, where an unknown filter fails only when it is reached. */
export interface Position {
  readonly scope: Scope;
  readonly layout: FrameLayout;
  readonly soft: boolean;
  readonly strict: boolean;
  /** The line of an offset, from 1. */
  readonly lineAt: (offset: number) => number;
  /** Resolves a name no scope declares to a slot of the template's frame, and notes where it was read. */
  readonly read: (name: string, node: Expression, scope: Scope) => void;
}

/** Compiles an expression to a closure over the frame. @throws TemplateError for a filter or test that does not exist */
export function compileExpression(node: Expression, position: Position): Evaluate {
  switch (node.typename) {
    case 'Literal': {
      const { value } = node;
      return () => value;
    }
    case 'Symbol':
      return compileName(node, position);
    case 'Group':
    case 'Array': {
      const items = node.children.map((child) => compileExpression(child, position));
      if (node.typename === 'Group') return (frame) => tuple(items.map((item) => item(frame)));
      return (frame) => items.map((item) => item(frame));
    }
    case 'Dict': {
      const pairs = node.pairs.map(
        ([key, value]) => [compileExpression(key, position), compileExpression(value, position)] as const,
      );
      return placed(node, (frame) => PyDict.from(pairs.map(([key, value]) => [key(frame), value(frame)])));
    }
    case 'LookupVal':
      return compileLookup(node, position);
    case 'SliceBounds': {
      const [start, stop, step] = node.bounds.map((bound) =>
        bound === null ? (): unknown => null : compileExpression(bound, position),
      ) as [Evaluate, Evaluate, Evaluate];
      return (frame) => new SliceBounds(start(frame), stop(frame), step(frame));
    }
    case 'FunCall':
      return compileCall(node, position);
    case 'Filter':
      return compileFilter(node, position, null);
    case 'Is':
      return compileTest(node, position, (one) => compileExpression(one, position));
    case 'InlineIf': {
      const soft = { ...position, soft: true };
      const cond = compileExpression(node.cond, soft);
      const body = compileExpression(node.body, soft);
      const else_ =
        node.else_ === null
          ? (): unknown =>
              new Undefined(
                `the inline if-expression on line ${position.lineAt(node.start)} evaluated to false and no else section was defined.`,
                false,
              )
          : compileExpression(node.else_, soft);
      return placed(node.cond, (frame) => (truth(cond(frame)) ? body(frame) : else_(frame)));
    }
    case 'Or':
    case 'And': {
      const left = compileExpression(node.left, position);
      const right = compileExpression(node.right, position);
      const wanted = node.typename === 'Or';
      return placed(node, (frame) => {
        const value = left(frame);
        return truth(value) === wanted ? value : right(frame);
      });
    }
    case 'Not': {
      const target = compileExpression(node.target, position);
      return placed(node, (frame) => !truth(target(frame)));
    }
    case 'Neg':
    case 'Pos': {
      const target = compileExpression(node.target, position);
      const sign = node.typename === 'Neg' ? '-' : '+';
      return placed(node, (frame) => signed(sign, target(frame)));
    }
    case 'Concat': {
      const parts = node.children.map((child) => compileExpression(child, position));
      return placed(node, (frame) => {
        const guard = guardOf(frame);
        let text = '';
        for (const part of parts) text += pythonStr(cleaned(part(frame), guard));
        spendOn(text);
        return text;
      });
    }
    case 'Compare':
      return compileComparison(node, (one) => compileExpression(one, position));
    case 'NamespaceTarget':
      return syntaxError('unexpected namespace attribute', node.start, node.end);
    default: {
      const operator = operators[node.typename] as BinaryOperator;
      const left = compileExpression(node.left, position);
      const right = compileExpression(node.right, position);
      return placed(node, (frame) => {
        const guard = guardOf(frame);
        const result = binary(operator, cleaned(left(frame), guard), cleaned(right(frame), guard));
        spendOn(result);
        return cleaned(result, guard);
      });
    }
  }
}

/** Slot reader of a name. */
function compileName(node: Expression & { typename: 'Symbol' }, position: Position): Evaluate {
  position.read(node.value, node, position.scope);
  const slot = position.scope.find(node.value, position.layout);
  if (slot === undefined) throw new Error(`bug: no slot for ${node.value}`);
  const { depth, index } = slot;
  if (depth === 0) return (frame) => frame[index];
  if (depth === 1) return (frame) => (frame[0] as Frame)[index];
  return (frame) => {
    let outer = frame;
    for (let up = 0; up < depth; up++) outer = outer[0] as Frame;
    return outer[index];
  };
}

function compileLookup(node: Expression & { typename: 'LookupVal' }, position: Position): Evaluate {
  const target = compileExpression(node.target, position);
  const { strict } = position;
  if (node.dotted && node.val.typename === 'Literal') {
    const name = String(node.val.value);
    const isPlainName = !name.startsWith('_') && !dictMethodNames.has(name);
    return (frame) => {
      const value = target(frame);
      if (isPlainName && typeof value === 'object' && value !== null && value.constructor === Object) {
        if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
      }
      try {
        return getAttribute(cleaned(value, guardOf(frame)), name, strict);
      } catch (error) {
        throw located(error, node);
      }
    };
  }
  const key = compileExpression(node.val, position);
  return placed(node, (frame) => {
    const guard = guardOf(frame);
    return getItem(cleaned(target(frame), guard), cleaned(key(frame), guard), strict);
  });
}

const dictMethodNames = new Set('get items keys values update pop popitem setdefault copy clear fromkeys'.split(' '));

/** `extra`: keywords a call block adds. */
export function compileCall(
  node: Expression & { typename: 'FunCall' },
  position: Position,
  extra: ((frame: Frame) => Keywords) | null = null,
): Evaluate {
  const compile = (one: Expression): Evaluate => compileExpression(one, position);
  const given = compileArguments(node.arguments, compile);
  const arguments_ = (frame: Frame): ReturnType<CompiledArguments> => {
    const { args, keywords } = given(frame);
    return extra === null ? { args, keywords } : { args, keywords: { ...keywords, ...extra(frame) } };
  };
  const callee = node.name;
  if (callee.typename === 'LookupVal' && callee.dotted && callee.val.typename === 'Literal') {
    const target = compileExpression(callee.target, position);
    const name = String(callee.val.value);
    const { strict } = position;
    return placed(node, (frame) => {
      const guard = guardOf(frame);
      const value = cleaned(target(frame), guard);
      const method = findMethod(value, name, strict);
      if (method === undefined) {
        const found = getAttribute(value, name, strict);
        const { args, keywords } = arguments_(frame);
        return callValue(found, args, keywords);
      }
      const { args, keywords } = arguments_(frame);
      spendOn(value);
      const result = method(guard === null ? args : args.map((arg) => cleaned(arg, guard)), keywords);
      spendOn(result);
      return cleaned(result, guard);
    });
  }
  const called = compileExpression(callee, position);
  return placed(node, (frame) => {
    const value = called(frame);
    const { args, keywords } = arguments_(frame);
    return callValue(value, args, keywords);
  });
}

/** A filter; `input` stands in for the body of a block. */
export function compileFilter(
  node: Expression & { typename: 'Filter' },
  position: Position,
  input: Evaluate | null,
): Evaluate {
  const { name } = node;
  const { strict } = position;
  const known = lookUpFilter(name);
  if (known === undefined && !position.soft) unknownName('filter', name, node, filterNames());
  const value = inputOf(node.input, position, input);
  const given = compileArguments(node.arguments, (one) => compileExpression(one, position));
  return placed(node, (frame) => {
    const guard = guardOf(frame);
    const found = known ?? raise('TemplateRuntimeError', `No filter named '${name}' found.`);
    const subject = cleaned(value(frame), guard);
    const { args, keywords } = given(frame);
    spendOn(subject);
    if (guard === null) {
      const result = found(subject, args, keywords, strict);
      spendOn(result);
      return result;
    }
    return cleaned(
      found(
        subject,
        args.map((arg) => cleaned(arg, guard)),
        keywords,
        strict,
      ),
      guard,
    );
  });
}

function inputOf(node: Expression | null, position: Position, input: Evaluate | null): Evaluate {
  if (node === null) return input ?? ((): unknown => raise('TypeError', 'a filter without a value'));
  if (input !== null && node.typename === 'Filter') return compileFilter(node, position, input);
  return compileExpression(node, position);
}
