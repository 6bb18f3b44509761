import { formatValue } from './format-spec.ts';
import { pythonAscii, pythonRepr, pythonStr } from './python-text.ts';
import { spend } from './render-budget.ts';
import { raise } from './template-error.ts';

/** Reading a field takes several patterns. */
const stepsOfAField = 8;

type Lookup = (object: unknown, key: unknown, isAttribute: boolean, strict: boolean) => unknown;

let lookUp: Lookup = () => undefined;

/** `str.format` reads attributes and items; the module that knows how gives itself here. */
export function useLookup(given: Lookup): void {
  lookUp = given;
}

let isStrict = false;

/** What a field that is missing gives fails there, and prints as nothing elsewhere. */
export function withStrictFields<T>(format: () => T): T {
  const outside = isStrict;
  isStrict = true;
  try {
    return format();
  } finally {
    isStrict = outside;
  }
}

/** `str.format` of Jinja's sandbox. */
export function formatFields(template: string, args: readonly unknown[], named: (name: string) => unknown): string {
  let automatic = 0;
  let isManual = false;
  const numbered = (first: string): number => {
    if (first === '' ? isManual : automatic > 0)
      raise('ValueError', 'cannot switch from manual field specification to automatic field numbering');
    isManual = first !== '';
    return first === '' ? automatic++ : Number(first);
  };
  const fieldValue = (path: string): unknown => {
    const [, first = '', rest = ''] = /^([^.[]*)([\s\S]*)$/.exec(path) ?? [];
    let value: unknown;
    if (first === '' || /^\d+$/.test(first)) {
      const at = numbered(first);
      if (at >= args.length) return raise('IndexError', 'tuple index out of range');
      value = args[at];
    } else {
      value = named(first);
      if (value === undefined) return raise('KeyError', pythonRepr(first));
    }
    for (const step of stepsOf(rest)) {
      const item = step[2] !== undefined && /^\d+$/.test(step[2]) ? Number(step[2]) : step[2];
      value = step[1] === undefined ? lookUp(value, item, false, isStrict) : lookUp(value, step[1], true, isStrict);
    }
    return value;
  };
  const render = (source: string, depth: number): string => {
    if (depth > 2) return raise('ValueError', 'Max string recursion exceeded');
    let out = '';
    for (let at = 0; at < source.length; at++) {
      const character = source[at];
      if (character === '{' && source[at + 1] === '{') out += source[at++];
      else if (character === '}') {
        if (source[at + 1] !== '}') return raise('ValueError', "Single '}' encountered in format string");
        out += source[at++];
      } else if (character === '{') {
        const end = closing(source, at);
        out += field(source.slice(at + 1, end), depth);
        at = end;
      } else out += character;
    }
    return out;
  };
  const field = (body: string, depth: number): string => {
    spend(stepsOfAField);
    const [, path = '', conversion, spec = ''] =
      /^([^!:[]*(?:\[[^\]]*\][^!:[]*)*)(?:!([^:]))?(?::([\s\S]*))?$/.exec(body) ?? [];
    let value = fieldValue(path);
    if (conversion === 'r') value = pythonRepr(value);
    else if (conversion === 'a') value = pythonAscii(value);
    else if (conversion === 's') value = pythonStr(value);
    else if (conversion !== undefined) return raise('ValueError', `Unknown conversion specifier ${conversion}`);
    return formatValue(value, render(spec, depth + 1));
  };
  return render(template, 0);
}

/** The attributes and indexes after a field's name. */
function stepsOf(rest: string): readonly RegExpExecArray[] {
  const steps = [...rest.matchAll(/\.([^.[]+)|\[([^\]]+)\]/gy)];
  const read = steps.reduce((length, [step]) => length + step.length, 0);
  if (read === rest.length) return steps;
  const isOdd = rest[read] !== '.' && rest[read] !== '[';
  return raise(
    'ValueError',
    isOdd ? "Only '.' or '[' may follow ']' in format field specifier" : 'Empty attribute in format string',
  );
}

function closing(source: string, open: number): number {
  let depth = 0;
  let isName = true;
  for (let at = open; at < source.length; at++) {
    const character = source[at];
    if (character === '[' && isName) {
      // An index may hold any character but the bracket that ends it.
      at = source.indexOf(']', at);
      if (at < 0) break;
    } else if (character === ':' || character === '!') isName = false;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  const lonely = open === source.length - 1;
  return raise('ValueError', lonely ? "Single '{' encountered in format string" : "expected '}' before end of string");
}
