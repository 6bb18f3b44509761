import type { Expression, Statement } from './ast.ts';
import { compileBlock } from './compile-block.ts';
import { compileCall, compileExpression, compileFilter } from './compile-expression.ts';
import { compileFor } from './compile-loop.ts';
import { compileMacro } from './compile-macro.ts';
import { checkNamespaces, compileStore, storeName } from './compile-store.ts';
import { placed } from './placed.ts';
import { isText, truth } from './python-values.ts';
import { captured, type Evaluate, guardOf, located, printed, type Write } from './render-state.ts';
import { targetNames } from './scope-names.ts';
import { compileScope, innerPlace, type Place } from './statement-place.ts';
import { PythonError, raise } from './template-error.ts';
import { typeName } from './type-name.ts';

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
      const check = checkNamespaces(node.target, place);
      return (frame) => {
        try {
          check(frame);
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
      place.loads.push({ start: node.start, end: node.end });
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
  const names = new Set(node.targets.flatMap((target) => [...targetNames(target)]));
  const values = node.values.map((value) => compileExpression(value, place));
  const [inner, enter] = innerPlace(place, names, node.body);
  const stores = node.targets.map((target) => compileStore(target, inner));
  const body = compileBody(node.body, inner);
  return (frame) => {
    enter(frame);
    const given = values.map((value) => value(frame));
    for (const [at, store] of stores.entries()) store(frame, given[at]);
    return body(frame);
  };
}
