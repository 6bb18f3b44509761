import { compareOrder } from './python-comparison.ts';
import { pythonRepr } from './python-text.ts';
import { dictPairs, isPlainDict, PyDict, Tuple } from './python-types.ts';
import { textLength } from './python-values.ts';
import { spendOn } from './render-budget.ts';
import { PythonError } from './template-error.ts';
import { splitLines } from './text-functions.ts';
import { typeName } from './type-name.ts';

const lineWidth = 80;

/** Where a value is written: how far in, how much room what follows it needs, how deep. */
interface Place {
  readonly indent: number;
  readonly allowance: number;
  readonly level: number;
}

/** Python's `pprint.pformat`: dicts sorted by key; broken over lines when wider than 80. */
export function prettyText(value: unknown): string {
  return pretty(value, { indent: 0, allowance: 0, level: 1 });
}

function pretty(value: unknown, place: Place): string {
  const { indent, allowance } = place;
  const short = sortedRepr(value);
  if (textLength(short) <= lineWidth - indent - allowance) return short;
  if (typeof value === 'string') return prettyWords(value, place);
  const inside = (member: unknown, isLast: boolean, before = 0): string =>
    pretty(member, {
      indent: indent + 1 + before,
      allowance: isLast ? allowance + 1 : 1,
      level: place.level + 1,
    });
  const separator = `,\n${' '.repeat(indent + 1)}`;
  if (value instanceof PyDict || isPlainDict(value)) {
    const pairs = sortedPairs(value);
    const lines = pairs.map(([key, member], at) => {
      const name = `${pythonRepr(key)}: `;
      return name + inside(member, at === pairs.length - 1, textLength(name));
    });
    return `{${lines.join(separator)}}`;
  }
  if (!Array.isArray(value)) return short;
  const lines = Array.from(value, (item, at) => inside(item, at === value.length - 1));
  const [open, close] = value instanceof Tuple ? ['(', value.length === 1 ? ',)' : ')'] : ['[', ']'];
  return `${open}${lines.join(separator)}${close}`;
}

/** A long text as several literals, broken at its line ends and behind its spaces; in brackets where it stands alone. */
function prettyWords(text: string, { indent, allowance, level }: Place): string {
  const isAlone = level === 1;
  const start = isAlone ? indent + 1 : indent;
  const reserved = isAlone ? allowance + 1 : allowance;
  const lines = splitLines(text, true);
  const chunks = lines.flatMap((line, at) => lineChunks(line, lineWidth - start, at < lines.length - 1 ? 0 : reserved));
  if (chunks.length === 1) return pythonRepr(text);
  const literals = chunks.join(`\n${' '.repeat(start)}`);
  return isAlone ? `(${literals})` : literals;
}

/** The literals of one line, each at most `width` long, the last with `reserved` to spare. */
function lineChunks(line: string, width: number, reserved: number): string[] {
  const whole = pythonRepr(line);
  if (textLength(whole) <= width - reserved) return [whole];
  const parts = line.match(/\S+\s*|\s+/gu) ?? [];
  const chunks: string[] = [];
  let current = '';
  for (const [at, part] of parts.entries()) {
    const room = at === parts.length - 1 ? width - reserved : width;
    if (textLength(pythonRepr(current + part)) <= room) current += part;
    else {
      if (current !== '') chunks.push(pythonRepr(current));
      current = part;
    }
  }
  return current === '' ? chunks : [...chunks, pythonRepr(current)];
}

/** Keys that Python does not order are ordered by their types. */
function sortedPairs(value: object): [unknown, unknown][] {
  return dictPairs(value).sort(([a], [b]) => {
    try {
      return compareOrder(a, b, '<');
    } catch (error) {
      if (!(error instanceof PythonError)) throw error;
      return typeName(a) < typeName(b) ? -1 : 1;
    }
  });
}

function sortedRepr(value: unknown): string {
  spendOn(value);
  if (value instanceof PyDict || isPlainDict(value))
    return `{${sortedPairs(value)
      .map(([key, member]) => `${pythonRepr(key)}: ${sortedRepr(member)}`)
      .join(', ')}}`;
  if (value instanceof Tuple) return `(${Array.from(value, sortedRepr).join(', ')}${value.length === 1 ? ',' : ''})`;
  return Array.isArray(value) ? `[${value.map(sortedRepr).join(', ')}]` : pythonRepr(value);
}
