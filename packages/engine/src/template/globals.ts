import { bindArguments } from './bind-arguments.ts';
import { pairsOf } from './container-methods.ts';
import { PyRange } from './python-range.ts';
import { pythonStr } from './python-text.ts';
import { Namespace, PyDict, PyFunction, PyObject, tuple } from './python-types.ts';
import { index } from './python-values.ts';
import { raise } from './template-error.ts';

const largestRange = 100_000;

function makeRange(args: readonly unknown[]): PyRange {
  if (args.length === 0) return raise('TypeError', 'range expected at least 1 argument, got 0');
  if (args.length > 3) return raise('TypeError', `range expected at most 3 arguments, got ${args.length}`);
  const numbers = args.map((arg) => index(arg));
  const [start, stop] = numbers.length === 1 ? [0, numbers[0] ?? 0] : [numbers[0] ?? 0, numbers[1] ?? 0];
  const step = numbers[2] ?? 1;
  if (step === 0) return raise('ValueError', 'range() arg 3 must not be zero');
  const made = new PyRange(start, stop, step);
  if (made.length > largestRange)
    return raise('OverflowError', `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${largestRange}).`);
  return made;
}

function makeDict(args: readonly unknown[], keywords: Readonly<Record<string, unknown>>): PyDict {
  if (args.length > 1) return raise('TypeError', `dict expected at most 1 argument, got ${args.length}`);
  const dict = PyDict.from(args.length === 1 ? pairsOf(args[0]) : []);
  for (const [key, value] of Object.entries(keywords)) dict.set(key, value);
  return dict;
}

function makeCycler(items: readonly unknown[]): PyObject {
  if (items.length === 0) return raise('RuntimeError', 'at least one item has to be provided');
  let at = 0;
  const method = (name: string, body: () => unknown): PyFunction => new PyFunction(name, body, 'method');
  return new PyObject('Cycler', (name) => {
    if (name === 'current') return items[at];
    if (name === 'pos') return at;
    if (name === 'items') return tuple(items);
    if (name === 'reset')
      return method('reset', () => {
        at = 0;
        return null;
      });
    if (name === 'next' || name === '__next__')
      return method('next', () => {
        const item = items[at];
        at = (at + 1) % items.length;
        return item;
      });
    return undefined;
  });
}

function makeJoiner(args: readonly unknown[], keywords: Readonly<Record<string, unknown>>): PyObject {
  const [separator] = bindArguments('Joiner.__init__', ['sep'], 0, args, keywords);
  const text = separator === undefined ? ', ' : pythonStr(separator);
  let used = false;
  return new PyObject(
    'Joiner',
    (name) => (name === 'sep' ? text : name === 'used' ? used : undefined),
    null,
    () => {
      const first = !used;
      used = true;
      return first ? '' : text;
    },
  );
}

/** The names every template knows. */
export const globals: Readonly<Record<string, unknown>> = {
  range: new PyFunction('range', (args) => makeRange(args), 'function'),
  dict: new PyFunction('dict', makeDict, 'type', "<class 'dict'>"),
  namespace: new PyFunction(
    'namespace',
    (args, keywords) => new Namespace(makeDict(args, keywords)),
    'type',
    "<class 'jinja2.utils.Namespace'>",
  ),
  cycler: new PyFunction('cycler', (args) => makeCycler(args), 'type', "<class 'jinja2.utils.Cycler'>"),
  joiner: new PyFunction('joiner', makeJoiner, 'type', "<class 'jinja2.utils.Joiner'>"),
  lipsum: new PyFunction(
    'generate_lorem_ipsum',
    () => raise('NotSupportedError', 'lipsum gives another text every time'),
    'function',
  ),
};
