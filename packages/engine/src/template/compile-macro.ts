import type { Parameters, Statement } from './ast.ts';
import { compileExpression } from './compile-expression.ts';
import { pythonRepr } from './python-text.ts';
import { type Keywords, PyDict, PyFunction, tuple, Undefined } from './python-types.ts';
import { spend } from './render-budget.ts';
import { captured, type Frame, guardOf } from './render-state.ts';
import { type FrameLayout, firstSlot, Scope } from './scope.ts';
import { scopeNames, symbolsOf } from './scope-names.ts';
import { type Place, valueBefore } from './statement-place.ts';
import { raise } from './template-error.ts';

/** What a call with a frame of its own costs. */
const stepsOfCall = 4;

export function compileMacro(
  name: string,
  parameters: Parameters,
  body: readonly Statement[],
  place: Place,
): (frame: Frame) => PyFunction {
  const layout: FrameLayout = { depth: place.layout.depth + 1, size: firstSlot };
  const names = scopeNames(body, [...parameters.names, ...symbolsOf(parameters.defaults)]);
  const scope = new Scope(place.scope, layout, names);
  const inner = { ...place, layout, scope, soft: false };
  const slots = parameters.names.map((parameter) => scope.declare(parameter));
  const mentioned = new Set(symbolsOf(body));
  const special = (one: string): number | null =>
    !parameters.names.includes(one) && mentioned.has(one) ? scope.declare(one) : null;
  const [caller, keywordSlot, varargs] = [special('caller'), special('kwargs'), special('varargs')];
  const entries = [...names.stored]
    .filter((one) => !scope.names.has(one))
    .map((one) => [valueBefore(one, names, { ...inner, scope: place.scope }), scope.declare(one)] as const);
  const firstDefault = parameters.names.length - parameters.defaults.length;
  const defaults = parameters.defaults.map((value) => compileExpression(value, inner));
  const write = inner.compileBody(body, inner);
  const { strict } = place;
  const shown = name === 'caller' ? 'None' : pythonRepr(name);
  const acceptsCaller = caller !== null || parameters.names.includes('caller');

  const call = (outside: Frame, args: readonly unknown[], keywords: Keywords): string => {
    spend(stepsOfCall);
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
    for (const [outsideValue, slot] of entries) frame[slot] = outsideValue(frame);
    for (const [at, value] of defaults.entries()) {
      const slot = slots[firstDefault + at] ?? 0;
      const given =
        firstDefault + at < args.length || Object.hasOwn(keywords, parameters.names[firstDefault + at] ?? '');
      if (!given) frame[slot] = value(frame);
    }
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
