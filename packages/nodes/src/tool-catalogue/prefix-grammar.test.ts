import { expect, test } from 'vitest';
import { prefixGrammar } from './prefix-grammar.ts';

/** Everything a grammar of literals, names of rules and choices takes; reads GBNF text and knows nothing of how it was made. */
function textsOf(grammar: string): readonly string[] {
  const rules = new Map(
    grammar
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', body = ''] = line.split(' ::= ');
        return [name, body] as const;
      }),
  );
  const expand = (body: string): readonly string[] =>
    (body.match(/(?:"(?:[^"\\]|\\.)*"|[^|"])+/g) ?? []).flatMap((part) => {
      const symbols = part.match(/"(?:[^"\\]|\\.)*"|[a-z]\w*/g) ?? [];
      return symbols.reduce<readonly string[]>(
        (heads, symbol) => {
          const tails = symbol.startsWith('"') ? [JSON.parse(symbol) as string] : expand(rules.get(symbol) ?? '');
          return heads.flatMap((head) => tails.map((tail) => head + tail));
        },
        [''],
      );
    });
  return expand(rules.get('root') ?? '');
}

test('common beginnings are written once', () => {
  expect(prefixGrammar(['list', 'get_order', 'get_orders', 'get_offer'])).toBe(
    'root ::= "get_o" r1 | "list"\nr1 ::= "ffer" | "rder" r2\nr2 ::= "" | "s"\n',
  );
});

test.for([
  { texts: ['a'] },
  { texts: ['', 'a', 'aa', 'ab'] },
  { texts: ['<<A&&b "c"\\>>', '<<A&&b\n>>', '在庫', '在処', '𠮟る', '𠮟り', '😀', '😁'] },
  { texts: ['x', 'x', 'xy'] },
])('takes exactly $texts', ({ texts }) => {
  expect(textsOf(prefixGrammar(texts)).toSorted()).toEqual([...new Set(texts)].toSorted());
});

test('thousands of names: all of them, and nothing else', () => {
  const names = Array.from({ length: 3000 }, (_, at) => `tool_${(at * 7919) % 10_007}_${at % 13}`);
  expect(textsOf(prefixGrammar(names)).toSorted()).toEqual([...new Set(names)].toSorted());
});

test('no texts make no grammar', () => {
  expect(() => prefixGrammar([])).toThrow('a grammar of no texts takes nothing');
});
