import { bindArguments } from './bind-arguments.ts';
import { formatFields } from './format-fields.ts';
import * as letters from './letter-case.ts';
import { pythonStr } from './python-text.ts';
import { dictGet, isDict, type Keywords, plainOf, tuple } from './python-types.ts';
import { characters, index, isText, iterate, textLength, truth } from './python-values.ts';
import { raise } from './template-error.ts';
import * as text from './text-functions.ts';
import { typeName } from './type-name.ts';

export type Method<Self> = (self: Self, args: readonly unknown[], keywords: Keywords) => unknown;

/** The methods whose arguments Python takes by name. */
const named: ReadonlySet<string> = new Set(['split', 'rsplit', 'splitlines', 'expandtabs']);

function bind(
  name: string,
  parameters: readonly string[],
  required: number,
  body: (self: string, values: readonly unknown[]) => unknown,
): Method<string> {
  return (self, args, keywords) => {
    if (!named.has(name) && Object.keys(keywords).length > 0)
      return raise('TypeError', `str.${name}() takes no keyword arguments`);
    return body(self, bindArguments(`str.${name}`, parameters, required, args, keywords));
  };
}

function requireText(value: unknown, what = 'must be str'): string {
  if (isText(plainOf(value))) return pythonStr(plainOf(value));
  return raise('TypeError', `${what}, not ${typeName(value)}`);
}

function separatorOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const separator = requireText(value, 'must be str or None');
  return separator === '' ? raise('ValueError', 'empty separator') : separator;
}

const stripper = (name: string, side: -1 | 0 | 1): Method<string> =>
  bind(name, ['chars'], 0, (self, [chars]) => text.strip(self, text.optionalText(chars, name), side));

const splitter = (name: string, split: typeof text.split): Method<string> =>
  bind(name, ['sep', 'maxsplit'], 0, (self, [separator, limit]) =>
    split(self, separatorOf(separator), limit === undefined ? -1 : index(limit)),
  );

const padder = (name: string, place: (self: string, width: number, fill: string) => string): Method<string> =>
  bind(name, ['width', 'fillchar'], 1, (self, [width, fill]) => {
    const filler = fill === undefined ? ' ' : requireText(fill, 'The fill character must be a unicode character');
    if (textLength(filler) !== 1) raise('TypeError', 'The fill character must be exactly one character long');
    return place(self, index(width), filler);
  });

const predicate = (name: string, test: (self: string) => boolean): Method<string> => bind(name, [], 0, test);
const mapper = (name: string, map: (self: string) => string): Method<string> => bind(name, [], 0, map);

const finder = (name: string, last: boolean, fails: boolean): Method<string> =>
  bind(name, ['sub', 'start', 'end'], 1, (self, [sub, start, end]) => {
    const all = characters(self);
    const [from, to] = range(all.length, start, end);
    const part = all.slice(from, to).join('');
    const sought = requireText(sub);
    const at = from > all.length ? -1 : last ? part.lastIndexOf(sought) : part.indexOf(sought);
    if (at < 0) return fails ? raise('ValueError', 'substring not found') : -1;
    return from + textLength(part.slice(0, at));
  });

function range(size: number, start: unknown, end: unknown): [number, number] {
  const clamp = (value: unknown, fallback: number): number => {
    if (value === undefined || value === null) return fallback;
    const at = index(value);
    return at < 0 ? Math.max(0, at + size) : at;
  };
  return [clamp(start, 0), Math.min(size, clamp(end, size))];
}

const affix = (name: string, has: (part: string, fix: string) => boolean): Method<string> =>
  bind(name, ['prefix', 'start', 'end'], 1, (self, [fixes, start, end]) => {
    const [from, to] = range(textLength(self), start, end);
    const part = start === undefined ? self : characters(self).slice(from, to).join('');
    if (isText(plainOf(fixes))) return has(part, requireText(fixes));
    if (!Array.isArray(fixes) || typeName(fixes) !== 'tuple')
      return raise('TypeError', `${name} first arg must be str or a tuple of str, not ${typeName(fixes)}`);
    return fixes.some((fix) => has(part, requireText(fix)));
  });

/** Python's digits: decimals, and those of Unicode's type Digit, as in superscripts and circles. */
const digits =
  /^[\p{Nd}\u00b2-\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]+$/u;
/** Python's numerals: the ideographs that Unicode gives a number too. */
const numerals =
  /^[\p{N}㐅㒃㠪㭍一七万三九二五亖亿什仟仨伍佰億兆兩八六十千卄卅卌叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒漆玖百肆萬貮貳贰阡陆陌陸零\uf96b\uf973\uf978\uf9b2\uf9d1\uf9d3\uf9fd]+$/u;

/** The methods of Python's `str`. */
export const stringMethods: Readonly<Record<string, Method<string>>> = {
  upper: mapper('upper', (self) => self.toUpperCase()),
  lower: mapper('lower', (self) => self.toLowerCase()),
  casefold: mapper('casefold', letters.foldCase),
  capitalize: mapper('capitalize', letters.capitalize),
  title: mapper('title', letters.title),
  swapcase: mapper('swapcase', letters.swapCase),
  strip: stripper('strip', 0),
  lstrip: stripper('lstrip', -1),
  rstrip: stripper('rstrip', 1),
  split: splitter('split', text.split),
  rsplit: splitter('rsplit', text.splitRight),
  splitlines: bind('splitlines', ['keepends'], 0, (self, [keep]) => text.splitLines(self, truth(keep))),
  replace: bind('replace', ['old', 'new', 'count'], 2, (self, [old, replacement, count]) =>
    text.replaceText(
      self,
      requireText(old, 'replace() argument 1 must be str'),
      requireText(replacement, 'replace() argument 2 must be str'),
      count === undefined ? -1 : index(count),
    ),
  ),
  join: bind('join', ['iterable'], 1, (self, [items]) => joinTexts(self, items)),
  center: padder('center', text.center),
  ljust: padder('ljust', (self, width, fill) => self + fill.repeat(Math.max(0, width - textLength(self)))),
  rjust: padder('rjust', (self, width, fill) => fill.repeat(Math.max(0, width - textLength(self))) + self),
  zfill: bind('zfill', ['width'], 1, (self, [width]) => {
    const missing = Math.max(0, index(width) - textLength(self));
    const sign = /^[+-]/.exec(self)?.[0] ?? '';
    return sign + '0'.repeat(missing) + self.slice(sign.length);
  }),
  expandtabs: bind('expandtabs', ['tabsize'], 0, (self, [size]) =>
    expandTabs(self, size === undefined ? 8 : index(size)),
  ),
  find: finder('find', false, false),
  rfind: finder('rfind', true, false),
  index: finder('index', false, true),
  rindex: finder('rindex', true, true),
  count: bind('count', ['sub', 'start', 'end'], 1, (self, [sub, start, end]) => {
    const all = characters(self);
    const [from, to] = range(all.length, start, end);
    const sought = requireText(sub);
    if (from > to) return 0;
    return sought === '' ? to - from + 1 : all.slice(from, to).join('').split(sought).length - 1;
  }),
  startswith: affix('startswith', (part, fix) => part.startsWith(fix)),
  endswith: affix('endswith', (part, fix) => part.endsWith(fix)),
  removeprefix: bind('removeprefix', ['prefix'], 1, (self, [prefix]) =>
    self.startsWith(requireText(prefix)) ? self.slice(requireText(prefix).length) : self,
  ),
  removesuffix: bind('removesuffix', ['suffix'], 1, (self, [suffix]) =>
    requireText(suffix) !== '' && self.endsWith(requireText(suffix))
      ? self.slice(0, -requireText(suffix).length)
      : self,
  ),
  partition: bind('partition', ['sep'], 1, (self, [given]) => {
    const separator = separatorOf(given) ?? raise('TypeError', 'must be str, not NoneType');
    const at = self.indexOf(separator);
    return tuple(at < 0 ? [self, '', ''] : [self.slice(0, at), separator, self.slice(at + separator.length)]);
  }),
  rpartition: bind('rpartition', ['sep'], 1, (self, [given]) => {
    const separator = separatorOf(given) ?? raise('TypeError', 'must be str, not NoneType');
    const at = self.lastIndexOf(separator);
    return tuple(at < 0 ? ['', '', self] : [self.slice(0, at), separator, self.slice(at + separator.length)]);
  }),
  isdigit: predicate('isdigit', (self) => digits.test(self)),
  isdecimal: predicate('isdecimal', (self) => /^\p{Nd}+$/u.test(self)),
  isnumeric: predicate('isnumeric', (self) => numerals.test(self)),
  isalpha: predicate('isalpha', (self) => /^\p{L}+$/u.test(self)),
  isalnum: predicate('isalnum', (self) => /^[\p{L}\p{N}]+$/u.test(self)),
  isspace: predicate('isspace', (self) => text.isSpace.test(self)),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII starts at NUL
  isascii: predicate('isascii', (self) => /^[\x00-\x7f]*$/.test(self)),
  isidentifier: predicate('isidentifier', (self) => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(self)),
  isprintable: predicate('isprintable', (self) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(self)),
  islower: predicate('islower', letters.isLower),
  isupper: predicate('isupper', letters.isUpper),
  istitle: predicate('istitle', letters.isTitle),
  format: (self, args, keywords) => formatFields(self, args, (name) => keywords[name]),
  format_map: bind('format_map', ['mapping'], 1, (self, [mapping]) =>
    formatFields(self, [], (name) => (isDict(mapping) ? dictGet(mapping, name) : undefined)),
  ),
  translate: bind('translate', ['table'], 1, (self, [table]) =>
    characters(self)
      .map((one) => {
        const found = isDict(table) ? dictGet(table, one.codePointAt(0)) : undefined;
        if (found === undefined) return one;
        return found === null ? '' : isText(found) ? pythonStr(found) : String.fromCodePoint(index(found));
      })
      .join(''),
  ),
};

function joinTexts(separator: string, items: unknown): string {
  const parts: string[] = [];
  if (!Array.isArray(items) && !isIterableText(items)) raise('TypeError', 'can only join an iterable');
  for (const item of iterate(items)) {
    const part = plainOf(item);
    if (!isText(part))
      raise('TypeError', `sequence item ${parts.length}: expected str instance, ${typeName(item)} found`);
    parts.push(pythonStr(part));
  }
  return parts.join(separator);
}

function isIterableText(items: unknown): boolean {
  return items !== null && typeof items !== 'number' && typeof items !== 'boolean' && typeof items !== 'bigint';
}

function expandTabs(self: string, size: number): string {
  let column = 0;
  let out = '';
  for (const character of self) {
    if (character === '\t') {
      const count = size > 0 ? size - (column % size) : 0;
      out += ' '.repeat(count);
      column += count;
    } else {
      out += character;
      column = character === '\n' || character === '\r' ? 0 : column + 1;
    }
  }
  return out;
}
