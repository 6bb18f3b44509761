import { expect, test } from 'vitest';
import { canonicalNames, isCanonicalName } from './canonical-names.ts';
import type { DescribedTool } from './catalogue-tool.ts';
import { splitWords } from './split-words.ts';

function tool(own: string, group = '', category = ''): DescribedTool {
  return { own, group, category, description: '', parameters: { type: 'object', properties: {} } };
}

test.for([
  { tools: [tool('getOrder', 'Shop')], names: ['getOrder'] },
  { tools: [tool('get /orders/{id}', 'Shop')], names: ['get_orders_id'] },
  { tools: [tool('search', 'Shop'), tool('search', 'News')], names: ['search_for_Shop', 'search_for_News'] },
  { tools: [tool('Search', 'Shop'), tool('search', 'News')], names: ['Search_for_Shop', 'search_for_News'] },
  {
    tools: [tool('search', 'Shop', 'a'), tool('search', 'Shop', 'b')],
    names: ['search_for_Shop_bd4b3ec5', 'search_for_Shop_8d93006f'],
  },
  { tools: [tool('在庫を調べる', '店')], names: [expect.stringMatching(/^tool_[0-9a-f]{8}$/)] },
  { tools: [tool('注文order')], names: [expect.stringMatching(/^order_[0-9a-f]{8}$/)] },
  { tools: [tool('x'.repeat(80))], names: [expect.stringMatching(/^x{55}_[0-9a-f]{8}$/)] },
  {
    tools: [tool('search_for_News'), tool('search', 'News'), tool('search', 'Shop')],
    names: [
      expect.stringMatching(/^search_for_News_[0-9a-f]{8}$/),
      expect.stringMatching(/^search_for_News_[0-9a-f]{8}$/),
      'search_for_Shop',
    ],
  },
])('$names', ({ tools, names }) => {
  expect(canonicalNames(tools)).toEqual(names);
});

test('the same tools in another order have the same names', () => {
  const tools = [tool('a', 'x'), tool('a', 'y'), tool('b'), tool('A', 'x', 'z'), tool('検索', 'x')];
  const names = canonicalNames(tools);
  expect(canonicalNames(tools.toReversed()).toReversed()).toEqual(names);
});

test('no two of many like-named tools share a name, and all may be told to a model', () => {
  const tails = ['', ' ', '!', '_', '-', 'ß', '1', 'あ'];
  const tools = tails.flatMap((tail) =>
    ['', 'Shop', 'shop', 'SHOP '].flatMap((group) =>
      ['', 'c'].map((category) => tool(`Get x${tail}`, group, category)),
    ),
  );
  const names = canonicalNames(tools);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(tools.length);
  expect(names.filter((name) => !isCanonicalName(name))).toEqual([]);
});

test.for([
  ['é parseHTTPAnswer', ['é', 'parse', 'http', 'answer']],
  [`é parse${'A'.repeat(200_000)}`, ['é', 'parse', 'a'.repeat(200_000)]],
] as const)('words of a name, however long: case %$', ([name, words]) => {
  expect(splitWords(name)).toEqual(words);
});
