import { order } from './operators.ts';
import { Dict, dictPairs, isDict, reprOf, Tuple } from './python-values.ts';

const width = 80;

/** Python's `pprint.pformat`: one line where it fits into 80 columns, else a member a line. */
export function prettyPrint(value: unknown): string {
  return format(value, 0, 0);
}

function format(value: unknown, indent: number, allowance: number): string {
  const line = reprOf(sortedKeys(value));
  if (line.length <= width - indent - allowance || typeof value !== 'object' || value === null) return line;
  if (isDict(value)) return formatDict(value, indent, allowance);
  if (!Array.isArray(value)) return line;
  const [open, close] = value instanceof Tuple ? ['(', ')'] : ['[', ']'];
  const items = Array.from(value, (item, index) =>
    format(item, indent + 1, index === value.length - 1 ? allowance + 1 : 1),
  );
  return open + items.join(`,\n${' '.repeat(indent + 1)}`) + close;
}

function formatDict(value: Dict | Record<string, unknown>, indent: number, allowance: number): string {
  const pairs = sortPairs(value);
  const members = pairs.map(([key, member], index) => {
    const name = reprOf(key);
    const last = index === pairs.length - 1;
    return `${name}: ${format(member, indent + name.length + 3, last ? allowance + 1 : 1)}`;
  });
  return `{${members.join(`,\n${' '.repeat(indent + 1)}`)}}`;
}

function sortPairs(value: Dict | Record<string, unknown>): (readonly [unknown, unknown])[] {
  return dictPairs(value).sort(([left], [right]) => order(left, right));
}

function sortedKeys(value: unknown): unknown {
  if (value instanceof Tuple) return Tuple.of2(...Array.from(value, sortedKeys));
  if (Array.isArray(value)) return Array.from(value, sortedKeys);
  if (!isDict(value)) return value;
  const sorted = new Dict();
  for (const [key, member] of sortPairs(value)) sorted.set(key, sortedKeys(member));
  return sorted;
}
