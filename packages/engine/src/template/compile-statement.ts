import type { Expression, Parameters, Statement } from './ast.ts';
import { compileCall, compileExpression, compileFilter, type Position, placed } from './compile-expression.ts';
import { LoopContext } from './loop-context.ts';
import { type Keywords, Namespace, PyDict, PyFunction, PyObject, tuple, typeName, Undefined } from './python-types.ts';
import { isIterable, isText, iterate, pythonRepr, truth } from './python-values.ts';
import { captured, cleaned, type Evaluate, type Frame, guardOf, located, printed, type Write } from './render-state.ts';
import { assignedNames, type FrameLayout, firstSlot, mentions, Scope, targetNames } from './scope.ts';
import { PythonError, raise } from './template-error.ts';
import type { Origins } from './value-origins.ts';

type Store = (frame: Frame, value: unknown) => void;

/** Where a statement stands; `assigned`: names the template's own scope has set so far. */
export interface Place extends Position {
  readonly assigned: Set<string>;
  readonly blocks: Map<string, (frame: Frame) => string>;
  readonly origins: Origins;
}

/** Compiles statements to one closure that gives their text. */
export function compileBody(body: readonly Statement[], place: Place): Write {
  const writes = body.map((node) => compileStatement(node, place));
  if (writes.length === 0) return () => '';
  const [first, second] = writes as [Write, Write];
  if (writes.length === 1) return first;
  if (writes.length === 2) return (frame) => first(frame) + second(frame);
  return (frame) => {
    let text = '';
    for (let at = 0; at < writes.length; at++) text += (writes[at] as Write)(frame);
    return text;
  };
}

function compileStatement(node: Statement, place: Place): Write {
  switch (node.typename) {
    case 'TemplateData': {
      const { value } = node;
      return () => value;
    }
    case 'Output':
      return compileOutput(node, place);
    case 'If':
      return compileIf(node, place);
    case 'For':
      return compileFor(node, place);
    case 'Set': {
      const value = compileExpression(node.value, place);
      const store = compileStore(node.target, place);
      return (frame) => {
        try {
          store(frame, value(frame));
        } catch (error) {
          throw located(error, node.value);
        }
        return '';
      };
    }
    case 'Capture':
      return compileCapture(node, place);
    case 'With':
      return compileWith(node, place);
    case 'Macro': {
      const make = compileMacro(node.name, node.parameters, node.body, place);
      const store = storeName(node.name, place);
      return (frame) => {
        store(frame, make(frame));
        return '';
      };
    }
    case 'Caller': {
      const make = compileMacro('caller', node.parameters, node.body, place);
      const call = compileCall(node.call as Expression & { typename: 'FunCall' }, place, (frame) => ({
        caller: make(frame),
      }));
      const origins = place.origins(node.call, node.body);
      return (frame) => printed(call(frame), frame, origins);
    }
    case 'FilterBlock': {
      const body = compileScope(node.body, place);
      const filter = compileFilter(node.filter as Expression & { typename: 'Filter' }, place, body);
      const origins = place.origins(node.filter, node.body);
      return (frame) => {
        const value = filter(frame);
        if (isText(value)) return printed(value, frame, origins);
        const words = `sequence item 0: expected str instance, ${typeName(value)} found`;
        throw located(new PythonError('TypeError', words), node);
      };
    }
    case 'Block':
      return compileBlock(node, place);
    case 'Autoescape':
      return compileScope(node.body, place);
    default: {
      const template = compileExpression(node.template, place);
      const evaluate = placed(node, (frame) => {
        template(frame);
        return raise('TypeError', 'no loader for this environment specified');
      });
      return (frame) => String(evaluate(frame));
    }
  }
}

function compileOutput(node: Statement & { typename: 'Output' }, place: Place): Write {
  const evaluate = compileExpression(node.expression, place);
  const origins = place.origins(node.expression);
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value === 'string' && guardOf(frame) === null) return value;
    try {
      return printed(value, frame, origins);
    } catch (error) {
      throw located(error, node.expression);
    }
  };
}

function compileIf(node: Statement & { typename: 'If' }, given: Place): Write {
  const place = { ...given, soft: true };
  const cond = compileExpression(node.cond, place);
  const before = new Set(place.assigned);
  const inBody = { ...place, assigned: new Set(before) };
  const inElse = { ...place, assigned: new Set(before) };
  const body = compileBody(node.body, inBody);
  const else_ = compileBody(node.else_, inElse);
  for (const name of inBody.assigned) if (inElse.assigned.has(name)) place.assigned.add(name);
  return (frame) => {
    let chosen: boolean;
    try {
      chosen = truth(cond(frame));
    } catch (error) {
      throw located(error, node.cond);
    }
    return chosen ? body(frame) : else_(frame);
  };
}

/** A scope inside: the names it sets start with what they are outside and are forgotten after it. */
function innerPlace(place: Place, own: Iterable<string>, inherited: Iterable<string>): [Place, (frame: Frame) => void] {
  const scope = new Scope(place.scope, place.layout);
  const inner = { ...place, scope, soft: false };
  const entries: [number, Evaluate][] = [];
  for (const name of inherited) {
    const node = { typename: 'Symbol', value: name, start: -1, end: -1 } as const;
    const outside = compileExpression(node, place);
    entries.push([scope.declare(name), outside]);
  }
  for (const name of own) scope.declare(name);
  return [
    inner,
    (frame) => {
      for (const [index, outside] of entries) frame[index] = outside(frame);
    },
  ];
}

function compileScope(body: readonly Statement[], place: Place): Write {
  const [inner, enter] = innerPlace(place, [], assignedNames(body));
  const write = compileBody(body, inner);
  return (frame) => {
    enter(frame);
    return write(frame);
  };
}

function storeName(name: string, place: Place): Store {
  place.assigned.add(name);
  const slot = place.scope.find(name, place.layout);
  if (slot === undefined || slot.depth !== 0) throw new Error(`bug: ${name} is set where it is not declared`);
  const { index } = slot;
  return (frame, value) => {
    frame[index] = value;
  };
}

function compileStore(target: Expression, place: Place): Store {
  if (target.typename === 'Symbol') return storeName(target.value, place);
  if (target.typename === 'NamespaceTarget') {
    const { name, attribute, start, end } = target;
    const read = compileExpression({ typename: 'Symbol', value: name, start, end }, place);
    return (frame, value) => {
      const namespace = read(frame);
      if (!(namespace instanceof Namespace))
        raise('TemplateRuntimeError', 'cannot assign attribute on non-namespace object');
      (namespace as Namespace).attributes.set(attribute, value);
    };
  }
  const stores = (target as Expression & { typename: 'Group' }).children.map((child) => compileStore(child, place));
  return (frame, value) => unpack(frame, value, stores);
}

function unpack(frame: Frame, value: unknown, stores: readonly Store[]): void {
  if (!isIterable(value)) raise('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
  const items = [...iterate(cleaned(value, guardOf(frame)))];
  if (items.length > stores.length) raise('ValueError', `too many values to unpack (expected ${stores.length})`);
  if (items.length < stores.length)
    raise('ValueError', `not enough values to unpack (expected ${stores.length}, got ${items.length})`);
  for (const [at, store] of stores.entries()) store(frame, items[at]);
}

function compileCapture(node: Statement & { typename: 'Capture' }, place: Place): Write {
  const body = compileScope(node.body, place);
  const text: Evaluate = (frame) => captured(body(frame), guardOf(frame));
  const value =
    node.filter === null ? text : compileFilter(node.filter as Expression & { typename: 'Filter' }, place, text);
  const store = compileStore(node.target, place);
  return (frame) => {
    store(frame, value(frame));
    return '';
  };
}

function compileWith(node: Statement & { typename: 'With' }, place: Place): Write {
  const names = new Set<string>();
  for (const target of node.targets) targetNames(target, names);
  const inherited = [...assignedNames(node.body)].filter((name) => !names.has(name));
  const values = node.values.map((value) => compileExpression(value, place));
  const [inner, enter] = innerPlace(place, names, inherited);
  const stores = node.targets.map((target) => compileStore(target, inner));
  const body = compileBody(node.body, inner);
  return (frame) => {
    enter(frame);
    const given = values.map((value) => value(frame));
    for (const [at, store] of stores.entries()) store(frame, given[at]);
    return body(frame);
  };
}

function compileFor(node: Statement & { typename: 'For' }, place: Place): Write {
  if (node.recursive) return compileRecursive(node, place);
  const iterated = compileExpression(node.iterated, place);
  const run = compileLoop(node, place, null);
  return (frame) => run(frame, evaluateItems(frame, iterated, node), 0);
}

function evaluateItems(frame: Frame, iterated: Evaluate, node: Statement & { typename: 'For' }): readonly unknown[] {
  try {
    const value = cleaned(iterated(frame), guardOf(frame));
    return Array.isArray(value) ? value : [...iterate(value)];
  } catch (error) {
    throw located(error, node.iterated);
  }
}

type Run = (frame: Frame, items: readonly unknown[], depth0: number) => string;

/** A loop that calls itself runs in frames of its own. */
function compileRecursive(node: Statement & { typename: 'For' }, place: Place): Write {
  const iterated = compileExpression(node.iterated, place);
  const layout: FrameLayout = { depth: place.layout.depth + 1, size: firstSlot };
  const inner = { ...place, layout, scope: new Scope(place.scope, layout) };
  const holder: { run: Run | null } = { run: null };
  const start = (outside: Frame, items: readonly unknown[], depth0: number): string => {
    const frame: Frame = new Array(layout.size).fill(undefined);
    frame[0] = outside;
    frame[1] = outside[1];
    return (holder.run as Run)(frame, items, depth0);
  };
  holder.run = compileLoop(node, inner, (frame, depth0) => (args) => {
    const items = [...iterate(cleaned(args[0], guardOf(frame)))];
    return captured(start(frame[0] as Frame, items, depth0 + 1), guardOf(frame));
  });
  return (frame) => start(frame, evaluateItems(frame, iterated, node), 0);
}

function compileLoop(
  node: Statement & { typename: 'For' },
  place: Place,
  recurse: ((frame: Frame, depth0: number) => (args: readonly unknown[]) => unknown) | null,
): Run {
  const names = targetsOf(node.target);
  const hasLoop = mentions([node.body, node.test], 'loop') || node.recursive;
  const test = node.test === null ? null : compileLoopTest(node, place);
  const own = hasLoop ? new Set([...names, 'loop']) : names;
  const inherited = [...assignedNames(node.body)].filter((name) => !own.has(name));
  const [inner, enter] = innerPlace(place, own, inherited);
  const store = compileStore(node.target, inner);
  const storeLoop = hasLoop ? storeName('loop', inner) : null;
  const body = compileBody(node.body, inner);
  const else_ = compileScope(node.else_, place);
  const { strict } = place;
  return (frame, given, depth0) => {
    const items = test === null ? given : given.filter((item) => test(frame, item));
    if (items.length === 0) return else_(frame);
    const loop =
      storeLoop === null
        ? null
        : new LoopContext(items, depth0, strict, recurse === null ? null : recurse(frame, depth0));
    let text = '';
    for (let at = 0; at < items.length; at++) {
      enter(frame);
      if (loop !== null) {
        loop.at = at;
        storeLoop?.(frame, loop);
      }
      try {
        store(frame, items[at]);
      } catch (error) {
        throw located(error, node.target);
      }
      text += body(frame);
    }
    return text;
  };
}

function targetsOf(target: Expression): Set<string> {
  const names = new Set<string>();
  targetNames(target, names);
  return names;
}

function compileLoopTest(
  node: Statement & { typename: 'For' },
  place: Place,
): (frame: Frame, item: unknown) => boolean {
  const [inner] = innerPlace(place, targetsOf(node.target), []);
  const store = compileStore(node.target, inner);
  const test = compileExpression(node.test as Expression, inner);
  return (frame, item) => {
    try {
      store(frame, item);
      return truth(test(frame));
    } catch (error) {
      throw located(error, node.test as Expression);
    }
  };
}

function compileMacro(
  name: string,
  parameters: Parameters,
  body: readonly Statement[],
  place: Place,
): (frame: Frame) => PyFunction {
  const layout: FrameLayout = { depth: place.layout.depth + 1, size: firstSlot };
  const scope = new Scope(place.scope, layout);
  const inner = { ...place, layout, scope, soft: false };
  const slots = parameters.names.map((parameter) => scope.declare(parameter));
  const special = (one: string): number | null =>
    !parameters.names.includes(one) && mentions(body, one) ? scope.declare(one) : null;
  const [caller, keywordSlot, varargs] = [special('caller'), special('kwargs'), special('varargs')];
  const inherited = [...assignedNames(body)].filter((one) => !scope.names.has(one));
  const entries = inherited.map((one) => {
    const node = { typename: 'Symbol', value: one, start: -1, end: -1 } as const;
    return [compileExpression(node, inner), scope.declare(one)] as const;
  });
  const firstDefault = parameters.names.length - parameters.defaults.length;
  const defaults = parameters.defaults.map((value) => compileExpression(value, inner));
  const write = compileBody(body, inner);
  const { strict } = place;
  const shown = name === 'caller' ? 'None' : pythonRepr(name);
  const acceptsCaller = caller !== null || parameters.names.includes('caller');

  const call = (outside: Frame, args: readonly unknown[], keywords: Keywords): string => {
    const frame: Frame = new Array(layout.size).fill(undefined);
    frame[0] = outside;
    frame[1] = outside[1];
    const rest: Record<string, unknown> = { ...keywords };
    for (const [at, slot] of slots.entries()) {
      const parameter = parameters.names[at] ?? '';
      if (at < args.length) frame[slot] = args[at];
      else if (Object.hasOwn(rest, parameter)) {
        frame[slot] = rest[parameter];
        delete rest[parameter];
      } else frame[slot] = new Undefined(`parameter '${parameter}' was not provided`, strict);
    }
    if (caller !== null) {
      frame[caller] = Object.hasOwn(rest, 'caller') ? rest['caller'] : new Undefined('No caller defined', strict);
      delete rest['caller'];
    }
    if (keywordSlot !== null) frame[keywordSlot] = PyDict.from(Object.entries(rest));
    else refuseKeywords(rest, shown);
    if (varargs !== null) frame[varargs] = tuple(args.slice(slots.length));
    else if (args.length > slots.length)
      raise('TypeError', `macro ${shown} takes not more than ${slots.length} argument(s)`);
    for (const [at, value] of defaults.entries()) {
      const slot = slots[firstDefault + at] ?? 0;
      const given =
        firstDefault + at < args.length || Object.hasOwn(keywords, parameters.names[firstDefault + at] ?? '');
      if (!given) frame[slot] = value(frame);
    }
    for (const [outsideValue, slot] of entries) frame[slot] = outsideValue(frame) ?? frame[slot];
    return captured(write(frame), guardOf(frame));
  };
  const attributes = { name: name === 'caller' ? null : name, arguments: tuple(parameters.names) };
  return (outside) =>
    new PyFunction(
      name,
      (args, keywords) => call(outside, args, keywords),
      'Macro',
      name === 'caller' ? '<Macro anonymous>' : `<Macro ${shown}>`,
      { ...attributes, catch_kwargs: keywordSlot !== null, catch_varargs: varargs !== null, caller: acceptsCaller },
    );
}

function refuseKeywords(rest: Keywords, shown: string): void {
  const [unexpected] = Object.keys(rest);
  if (unexpected === undefined) return;
  if (unexpected === 'caller')
    raise(
      'TypeError',
      `macro ${shown} was invoked with two values for the special caller argument. This is most likely a bug.`,
    );
  raise('TypeError', `macro ${shown} takes no keyword argument '${unexpected}'`);
}

function compileBlock(node: Statement & { typename: 'Block' }, place: Place): Write {
  const outside = node.scoped ? place.scope : rootOf(place.scope);
  const layout: FrameLayout = { depth: (node.scoped ? place.layout.depth : 0) + 1, size: firstSlot };
  const scope = new Scope(outside, layout);
  const inner = { ...place, layout, scope, soft: false };
  const superSlot = mentions(node.body, 'super') ? scope.declare('super') : null;
  const entries = [...assignedNames(node.body)].map((name) => {
    const symbol = { typename: 'Symbol', value: name, start: -1, end: -1 } as const;
    const read = compileExpression(symbol, { ...inner, scope: outside });
    return [read, scope.declare(name)] as const;
  });
  const write = compileBody(node.body, inner);
  const levels = node.scoped ? 0 : place.layout.depth;
  const { strict } = place;
  const run = (from: Frame): string => {
    const frame: Frame = new Array(layout.size).fill(undefined);
    frame[0] = from;
    frame[1] = from[1];
    if (superSlot !== null)
      frame[superSlot] = new Undefined(`there is no parent block called ${pythonRepr(node.name)}.`, strict);
    for (const [read, slot] of entries) frame[slot] = read(frame);
    return write(frame);
  };
  place.blocks.set(node.name, run);
  return (frame) => {
    let from = frame;
    for (let up = 0; up < levels; up++) from = from[0] as Frame;
    if (node.required) raise('TemplateRuntimeError', `Required block ${pythonRepr(node.name)} not found`);
    return run(from);
  };
}

function rootOf(scope: Scope): Scope {
  return scope.parent === null ? scope : rootOf(scope.parent);
}

/** `self`: its attributes call the blocks of the template. */
export function selfObject(blocks: ReadonlyMap<string, (frame: Frame) => string>, root: Frame): PyObject {
  return new PyObject(
    'TemplateReference',
    (name) => {
      const block = blocks.get(name);
      if (block === undefined) return undefined;
      return new PyFunction(name, () => captured(block(root), guardOf(root)), 'BlockReference');
    },
    () => '<TemplateReference None>',
  );
}
