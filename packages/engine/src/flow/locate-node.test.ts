import { expect, test } from 'vitest';
import { type Document, isMap, parseDocument, type YAMLMap } from 'yaml';
import { createLocator } from './locate-node.ts';

/** How often the pairs of a mapping are looked through from here on. */
function countReads(map: YAMLMap): () => number {
  const { items } = map;
  let reads = 0;
  Object.defineProperty(map, 'items', {
    get() {
      reads += 1;
      return items;
    },
  });
  return () => reads;
}

function rootOf({ contents }: Document): YAMLMap {
  if (!isMap(contents)) throw new Error('no mapping');
  return contents;
}

test('a mapping is looked through once, however many of its places are asked for', () => {
  const text = Array.from({ length: 500 }, (_, index) => `key_${index}: ${index}`).join('\n');
  const document = parseDocument(text);
  const reads = countReads(rootOf(document));
  const locator = createLocator(document, { path: 'a.yaml', text });
  const places = Array.from({ length: 500 }, (_, index) => locator.locate([`key_${index}`], 'key'));
  expect(places.map((span) => text.slice(span?.start, span?.end))).toEqual(places.map((_, index) => `key_${index}`));
  expect([locator.locate(['other'], 'key'), locator.locate(['another'], 'key')]).toEqual([undefined, undefined]);
  expect(reads()).toBe(1);
});

test('what aliases stand for is looked for once for all of them', () => {
  const text = `a: &a {x: 1}\nb: &b {y: 2}\nc: {<<: [*a, *b]}\n${Array.from({ length: 300 }, (_, index) => `k${index}: *a\n`).join('')}`;
  const document = parseDocument(text, { schema: 'core' });
  const reads = countReads(rootOf(document));
  const locator = createLocator(document, { path: 'a.yaml', text });
  const places = Array.from({ length: 300 }, (_, index) => locator.locate([`k${index}`, 'x'], 'value'));
  expect(new Set(places.map((span) => span?.start))).toEqual(new Set([text.indexOf('1}')]));
  expect(locator.locate(['c', 'y'], 'value')?.start).toBe(text.indexOf('2}'));
  // Its pairs, and the one walk along the whole document.
  expect(reads()).toBeLessThan(3 * rootOf(document).items.length);
});

test('an alias takes what had its name last before it', () => {
  const text = 'a: &n {x: 1}\nb: *n\nc: &n {x: 2}\nd: *n\n';
  const locator = createLocator(parseDocument(text), { path: 'a.yaml', text });
  const at = (path: readonly string[]) => text.slice(0, locator.locate(path, 'value')?.start).split('\n').length;
  expect([at(['b', 'x']), at(['d', 'x'])]).toEqual([1, 3]);
});
