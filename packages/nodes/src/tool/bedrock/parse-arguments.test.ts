import { expect, test } from 'vitest';
import { parseArguments } from './parse-arguments.ts';

test.for([
  ['', {}],
  ['a=1', { a: '1' }],
  ['a="x", ', { a: 'x' }],
  ['a=[1, {"b": "]"}], c="2"', { a: '[1, {"b": "]"}]', c: '2' }],
  ['a={"b": "x, c=1"}, d=e f', { a: '{"b": "x, c=1"}', d: 'e f' }],
  ['a=""x""', { a: 'x' }],
  ['a="", b=""', { a: '', b: '' }],
  ['a="say \\"no\\", please"', { a: 'say "no", please' }],
  ['a="C:\\dir"', { a: 'C:\\dir' }],
  ['a=[not json', { a: '[not json' }],
  ['a=bare, b駅=2', { a: 'bare', b駅: '2' }],
  ['__proto__="x"', Object.fromEntries([['__proto__', 'x']])],
] as const)('%s', ([text, args]) => {
  expect(parseArguments(text)).toEqual({ ok: true, args });
});

test.for([
  ['quotes of a text without an end', `a=[${'\\"'.repeat(500_000)}`],
  ['a text without an end, and brackets behind it', `a=[1, "x ${'\\"'.repeat(500_000)} [2]`],
  ['blanks', `a=x${' '.repeat(500_000)}y`],
] as const)('%s: half a million of them are looked at once', ([, text]) => {
  expect(parseArguments(text)).toEqual({ ok: true, args: { a: text.slice(2) } });
});

test('brackets behind a text without an end are brackets', () => {
  expect(parseArguments('a=[1, "x]')).toEqual({ ok: true, args: { a: '[1, "x]' } });
});

test.for([
  ['"x"', 'MALFORMED_ARGUMENT'],
  ['a="1", a="2"', 'DUPLICATE_ARGUMENT'],
  ['a="x', 'UNTERMINATED_VALUE'],
  ['1a="x"', 'MALFORMED_ARGUMENT'],
] as const)('%s is refused: %s', ([text, reason]) => {
  expect(parseArguments(text)).toEqual({ ok: false, reason });
});
