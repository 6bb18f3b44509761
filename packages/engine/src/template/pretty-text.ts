import { dictPairs, isPlainDict, PyDict, Tuple } from './python-types.ts';
import { compareOrder, pythonRepr } from './python-values.ts';
import { raise } from './template-error.ts';

const lineWidth = 80;

/** Python's `pprint.pformat`: dicts sorted by key; broken over lines when wider than 80. */
export function prettyText(value: unknown): string {
  return pretty(value, 0, 0);
}

function pretty(value: unknown, indent: number, allowance: number): string {
  const short = sortedRepr(value);
  if (short.length <= lineWidth - indent - allowance) return short;
  if (value instanceof PyDict || isPlainDict(value)) {
    const pairs = sortedPairs(value);
    const lines = pairs.map(([key, member], at) => {
      const name = `${pythonRepr(key)}: `;
      const last = at === pairs.length - 1;
      return name + pretty(member, indent + 1 + name.length, last ? allowance + 1 : 1);
    });
    return `{${lines.join(`,\n${' '.repeat(indent + 1)}`)}}`;
  }
  if (Array.isArray(value)) {
    const lines = Array.from(value, (item, at) =>
      pretty(item, indent + 1, at === value.length - 1 ? allowance + 1 : 1),
    );
    const [open, close] = value instanceof Tuple ? ['(', value.length === 1 ? ',)' : ')'] : ['[', ']'];
    return `${open}${lines.join(`,\n${' '.repeat(indent + 1)}`)}${close}`;
  }
  if (typeof value === 'string') return raise('NotSupportedError', 'pprint of a text wider than a line');
  return short;
}

function sortedPairs(value: object): [unknown, unknown][] {
  return dictPairs(value).sort(([a], [b]) => compareOrder(a, b, '<'));
}

function sortedRepr(value: unknown): string {
  if (value instanceof PyDict || isPlainDict(value))
    return `{${sortedPairs(value)
      .map(([key, member]) => `${pythonRepr(key)}: ${sortedRepr(member)}`)
      .join(', ')}}`;
  if (value instanceof Tuple) return `(${Array.from(value, sortedRepr).join(', ')}${value.length === 1 ? ',' : ''})`;
  return Array.isArray(value) ? `[${value.map(sortedRepr).join(', ')}]` : pythonRepr(value);
}
