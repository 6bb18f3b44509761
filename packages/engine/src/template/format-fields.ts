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
  return new FieldFormatter(args, named).render(template, 0);
}

/** One call of `format`: fields without a number count on through the whole of it. */
class FieldFormatter {
  readonly #args: readonly unknown[];
  readonly #named: (name: string) => unknown;
  #automatic = 0;
  #isManual = false;

  constructor(args: readonly unknown[], named: (name: string) => unknown) {
    this.#args = args;
    this.#named = named;
  }

  /** @param depth how many formats of fields it stands in */
  render(source: string, depth: number): string {
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
        out += this.#field(source.slice(at + 1, end), depth);
        at = end;
      } else out += character;
    }
    return out;
  }

  #field(body: string, depth: number): string {
    spend(stepsOfAField);
    const [, path = '', conversion, spec = ''] =
      /^([^!:[]*(?:\[[^\]]*\][^!:[]*)*)(?:!([^:]))?(?::([\s\S]*))?$/.exec(body) ?? [];
    let value = this.#valueAt(path);
    if (conversion === 'r') value = pythonRepr(value);
    else if (conversion === 'a') value = pythonAscii(value);
    else if (conversion === 's') value = pythonStr(value);
    else if (conversion !== undefined) return raise('ValueError', `Unknown conversion specifier ${conversion}`);
    return formatValue(value, this.render(spec, depth + 1));
  }

  #valueAt(path: string): unknown {
    const [, first = '', rest = ''] = /^([^.[]*)([\s\S]*)$/.exec(path) ?? [];
    let value = this.#argument(first);
    for (const step of stepsOf(rest)) {
      const item = step[2] !== undefined && /^\d+$/.test(step[2]) ? Number(step[2]) : step[2];
      value = step[1] === undefined ? lookUp(value, item, false, isStrict) : lookUp(value, step[1], true, isStrict);
    }
    return value;
  }

  #argument(first: string): unknown {
    if (first !== '' && !/^\d+$/.test(first)) {
      const value = this.#named(first);
      return value === undefined ? raise('KeyError', pythonRepr(first)) : value;
    }
    const at = this.#numbered(first);
    return at >= this.#args.length ? raise('IndexError', 'tuple index out of range') : this.#args[at];
  }

  #numbered(first: string): number {
    if (first === '' ? this.#isManual : this.#automatic > 0)
      raise('ValueError', 'cannot switch from manual field specification to automatic field numbering');
    this.#isManual = first !== '';
    return first === '' ? this.#automatic++ : Number(first);
  }
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
