import { Callable, dictPairs, isDict, isInteger, Namespace, Range, Tuple, typeName } from './python-values.ts';
import { fail } from './template-error.ts';
import { listOf } from './text-format.ts';

const mostRange = 100_000;

function range(positional: readonly unknown[]): Range {
  const [first = 0, second, third = 1] = positional.map((value) =>
    isInteger(value)
      ? Number(value)
      : fail('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`),
  );
  if (positional.length === 0) fail('TypeError', 'range expected at least 1 argument, got 0');
  if (third === 0) fail('ValueError', 'range() arg 3 must not be zero');
  const made = second === undefined ? new Range(0, first, 1) : new Range(first, second, third);
  return made.length > mostRange
    ? fail('OverflowError', `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${mostRange}).`)
    : made;
}

function dict(positional: readonly unknown[], named: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const [first] = positional;
  const pairs = first === undefined ? [] : isDict(first) ? dictPairs(first) : listOf(first).map((pair) => listOf(pair));
  return Object.fromEntries([...(pairs as [string, unknown][]), ...named]);
}

function namespace(positional: readonly unknown[], named: ReadonlyMap<string, unknown>): Namespace {
  const made = new Namespace();
  for (const [key, value] of Object.entries(dict(positional, named))) made.members.set(key, value);
  return made;
}

function cycler(items: readonly unknown[]): Callable {
  if (items.length === 0) fail('RuntimeError', 'at least one item has to be provided');
  let at = 0;
  const members: Record<string, unknown> = { current: items[0] };
  const moveTo = (next: number): void => {
    at = next;
    members['current'] = items[at];
  };
  members['next'] = new Callable('next', () => {
    const item = items[at];
    moveTo((at + 1) % items.length);
    return item;
  });
  members['reset'] = new Callable('reset', () => {
    moveTo(0);
    return null;
  });
  return new Callable(
    'cycler',
    () => fail('TypeError', "'Cycler' object is not callable"),
    '<jinja2.utils.Cycler object at 0x7f0000000000>',
    members,
  );
}

function joiner(separator: unknown): Callable {
  let used = false;
  return new Callable('joiner', () => {
    if (used) return separator;
    used = true;
    return '';
  });
}

const words =
  'a ac accumsan ad adipiscing aenean aliquam aliquet amet ante aptent arcu at auctor augue bibendum blandit class commodo condimentum congue consectetuer consequat conubia convallis cras'.split(
    ' ',
  );

/** Placeholder text; which words is left to chance in Jinja2, here it is the same every time. */
function lipsum(positional: readonly unknown[], named: ReadonlyMap<string, unknown>): string {
  const count = Number(positional[0] ?? named.get('n') ?? 5);
  const html = (positional[1] ?? named.get('html') ?? true) === true;
  const paragraph = `${words.join(' ').replace(/^./, (letter) => letter.toUpperCase())}.`;
  const all = Array.from({ length: count }, () => (html ? `<p>${paragraph}</p>` : paragraph));
  return all.join(html ? '\n' : '\n\n');
}

export const globals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['range', new Callable('range', (positional) => range(positional), "<class 'range'>")],
  ['dict', new Callable('dict', dict, "<class 'dict'>")],
  ['namespace', new Callable('namespace', namespace, "<class 'jinja2.utils.Namespace'>")],
  ['cycler', new Callable('cycler', (positional) => cycler(positional), "<class 'jinja2.utils.Cycler'>")],
  [
    'joiner',
    new Callable(
      'joiner',
      ([separator = ', '], named) => joiner(named.get('sep') ?? separator),
      "<class 'jinja2.utils.Joiner'>",
    ),
  ],
  ['lipsum', new Callable('lipsum', lipsum)],
]);

export { Tuple };
