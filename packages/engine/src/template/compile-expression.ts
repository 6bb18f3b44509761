import type { Arguments, Expression } from './ast.ts';
import { callValue, findMethod, getAttribute, getItem } from './attributes.ts';
import { pairsOf } from './container-methods.ts';
import { filterNames, lookUpFilter, lookUpTest, testNames } from './filters.ts';
import { compareOrder, contains, equals } from './python-comparison.ts';
import { type BinaryOperator, binary, signed } from './python-number.ts';
import { pythonStr } from './python-text.ts';
import { type Keywords, PyDict, SliceBounds, tuple, Undefined } from './python-types.ts';
import { iterate, truth } from './python-values.ts';
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

const operators: Readonly<Record<string, BinaryOperator>> = {
  Add: '+',
  Sub: '-',
  Mul: '*',
  Div: '/',
  FloorDiv: '//',
  Mod: '%',
  Pow: '** or pow()',
};

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
      return compileTest(node, position);
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
      return compileComparison(node, position);
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

/** Runs `evaluate`; an error that has no place yet gets that of `node`. */
export function placed(node: { readonly start: number; readonly end: number }, evaluate: Evaluate): Evaluate {
  return (frame) => {
    try {
      return evaluate(frame);
    } catch (error) {
      throw located(error, node);
    }
  };
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

/** Arguments of a call: the positional ones and the keywords. */
type Given = (frame: Frame) => { readonly args: readonly unknown[]; readonly keywords: Keywords };

/** Without a prototype: no name is a keyword that nobody gave. */
const noKeywords: Keywords = Object.freeze(Object.create(null) as Keywords);

function compileArguments(given: Arguments, position: Position): Given {
  const args = given.args.map((arg) => compileExpression(arg, position));
  const keywords = given.keywords.map(([name, value]) => [name, compileExpression(value, position)] as const);
  const spread = given.spread === null ? null : compileExpression(given.spread, position);
  const more = given.keywordSpread === null ? null : compileExpression(given.keywordSpread, position);
  return (frame) => {
    const values = args.map((arg) => arg(frame));
    if (spread !== null) for (const value of iterate(spread(frame))) values.push(value);
    if (keywords.length === 0 && more === null) return { args: values, keywords: noKeywords };
    const named = Object.create(null) as Record<string, unknown>;
    for (const [name, value] of keywords) named[name] = value(frame);
    if (more !== null) addKeywords(named, more(frame));
    return { args: values, keywords: named };
  };
}

function addKeywords(named: Record<string, unknown>, more: unknown): void {
  for (const [key, value] of pairsOf(more)) {
    const name = String(key);
    if (Object.hasOwn(named, name)) {
      raise('TypeError', `jinja2.runtime.Context.call() got multiple values for keyword argument '${name}'`);
    }
    named[name] = value;
  }
}

/** `extra`: keywords a call block adds. */
export function compileCall(
  node: Expression & { typename: 'FunCall' },
  position: Position,
  extra: ((frame: Frame) => Keywords) | null = null,
): Evaluate {
  const given = compileArguments(node.arguments, position);
  const arguments_ = (frame: Frame): ReturnType<Given> => {
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
      const method = findMethod(value, name);
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
  const given = compileArguments(node.arguments, position);
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

function compileTest(node: Expression & { typename: 'Is' }, position: Position): Evaluate {
  const { name } = node;
  const known = lookUpTest(name);
  if (known === undefined && !position.soft) unknownName('test', name, node, testNames());
  const value = compileExpression(node.left, position);
  const given = compileArguments(node.arguments, position);
  return placed(node, (frame) => {
    if (known === undefined) return raise('TemplateRuntimeError', `No test named '${name}' found.`);
    const guard = guardOf(frame);
    const subject = cleaned(value(frame), guard);
    const { args, keywords } = given(frame);
    spendOn(subject);
    return known(subject, guard === null ? args : args.map((arg) => cleaned(arg, guard)), keywords);
  });
}

function compileComparison(node: Expression & { typename: 'Compare' }, position: Position): Evaluate {
  const first = compileExpression(node.expr, position);
  const steps = node.ops.map(([operator, right]) => [operator, compileExpression(right, position)] as const);
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

function compare(operator: string, left: unknown, right: unknown): boolean {
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
