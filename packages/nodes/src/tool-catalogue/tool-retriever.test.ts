import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Bm25fIndex, bestTools } from './bm25f-index.ts';
import type { CatalogueTool, DescribedTool } from './catalogue-tool.ts';
import { readTools } from './read-tools.ts';
import { splitSentences, splitWords } from './split-words.ts';
import { nameTools } from './tool-catalogue.ts';
import { FeatureRetriever } from './tool-retriever.ts';

test.for([
  ['getUserByID for XMLHttpRequest2', ['user', 'id', 'xml', 'http', 'request2']],
  ['list_all-orders', ['list', 'order']],
  ['HTTP', ['http']],
  ['a1B', ['a1', 'b']],
  ['orderÄnderung geht', ['orderänderung', 'geht']],
  ['Companies and their addresses', ['company', 'addresse']],
  ['ﾒｰﾙを送信する', ['メール', '送信']],
  ['I want the news', ['new']],
] as const)('%s is %j', ([text, words]) => {
  expect(splitWords(text)).toEqual(words);
});

test('sentences', () => {
  expect(splitSentences('Find a song. And the weather in Ulm?  To me!\n天気は？歌も。')).toEqual([
    'Find a song.',
    'And the weather in Ulm?',
    '天気は？',
    '歌も。',
  ]);
});

function tool(own: string, group: string, description: string, members: readonly string[] = []): CatalogueTool {
  const properties = Object.fromEntries(members.map((name) => [name, { type: 'string' }]));
  return { name: own, own, group, category: '', description, parameters: { type: 'object', properties } };
}

const tools = [
  tool('getOrder', 'Shop', 'Tells the state of an order', ['order_number']),
  tool('cancelOrder', 'Shop', 'Cancels an order that was not sent', ['order_number']),
  tool('getWeather', 'Weather', 'The weather of a city today', ['city']),
  tool('getForecast', 'Weather', 'The weather of a city in the next days', ['city', 'days']),
  tool('在庫検索', '倉庫', '商品の在庫を検索します', ['商品名']),
];

test.for([
  ['Please cancel my order', 'cancelOrder'],
  ['What is the weather in Ulm today?', 'getWeather'],
  ['forecast for the next days', 'getForecast'],
  ['この商品の在庫はありますか', '在庫検索'],
] as const)('"%s" finds %s, either way', ([query, own]) => {
  for (const ranking of ['features', 'bm25f'] as const) {
    expect(new FeatureRetriever(tools, ranking).find(query, 2)[0]?.tool.own).toBe(own);
  }
});

test('nothing in common finds nothing; more are found than are put in order by features', () => {
  const many = Array.from({ length: 70 }, (_, at) => tool(`song${at}`, '', 'plays a song'));
  const retriever = new FeatureRetriever(many);
  expect(retriever.find('volcano', 5)).toEqual([]);
  const found = retriever.find('song', 60);
  expect(new Set(found.map(({ tool: { own } }) => own)).size).toBe(60);
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a));
});

/** The formula written out, field by field, with no index. */
function plainScore(all: readonly DescribedTool[], at: number, query: string): number {
  const fieldsOf = (one: DescribedTool) =>
    [
      one.own,
      one.group,
      one.category,
      one.description,
      Object.keys(one.parameters['properties'] as object).join(' '),
    ].map(splitWords);
  const read = all.map(fieldsOf);
  const mean = [0, 1, 2, 3, 4].map(
    (field) => read.reduce((sum, one) => sum + (one[field]?.length ?? 0), 0) / all.length,
  );
  let score = 0;
  for (const word of new Set(splitWords(query))) {
    const holders = read.filter((one) => one.some((field) => field.includes(word))).length;
    const weight = (read[at] ?? []).reduce((sum, words, field) => {
      const count = words.filter((one) => one === word).length;
      return sum + count / (1 - 0.75 + (0.75 * words.length) / (mean[field] || 1));
    }, 0);
    score += (Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5)) * weight * 2.2) / (1.2 + weight);
  }
  return score;
}

test('the index gives what the formula gives', () => {
  const index = new Bm25fIndex(tools);
  for (const query of ['cancel the order of the shop', 'weather city days order', '在庫 weather']) {
    const { scores, found } = index.score(index.wordsOf(query));
    for (const at of tools.keys()) expect(scores[at]).toBeCloseTo(plainScore(tools, at, query), 5);
    const best = bestTools({ scores, found }, 2);
    expect(best).toEqual([...found].toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, 2));
  }
});

test.for([0, 1, 7, 500, 9000])(
  'the best %i of many tools are the first of all in order, equal ones as in the catalogue',
  (k) => {
    const places = Array.from({ length: 5000 }, (_, at) => at);
    for (const scoreOf of [(at: number) => at % 13, (at: number) => (at * 7919) % 4999, (at: number) => at, () => 1]) {
      const scores = Float64Array.from(places, scoreOf);
      const found = places.toReversed().filter((at) => (scores[at] as number) > 0);
      const ordered = found.toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
      expect(bestTools({ scores, found }, k)).toEqual(ordered.slice(0, k));
    }
  },
);

const folder = process.env['TOOLBENCH_DIR'];
const given = folder !== undefined && existsSync(join(folder, 'queries.jsonl')) ? folder : undefined;

test.skipIf(given === undefined)('NDCG@5 on the queries of StableToolBench, none of which was learned from', () => {
  const text = readFileSync(join(given ?? '', 'apis.jsonl'), 'utf8');
  const retriever = new FeatureRetriever(nameTools(readTools({ path: 'apis.jsonl', text }).tools).tools);
  const ids = new Map(nameTools(readTools({ path: 'apis.jsonl', text }).tools).tools.map(({ name }, at) => [name, at]));
  const sums = new Map<string, { sum: number; count: number }>();
  for (const line of readFileSync(join(given ?? '', 'queries.jsonl'), 'utf8')
    .trim()
    .split('\n')) {
    const { set, query, relevant } = JSON.parse(line) as { set: string; query: string; relevant: readonly number[] };
    const gains = retriever.find(query, 5).map((hit) => (relevant.includes(ids.get(hit.tool.name) ?? -1) ? 1 : 0));
    const dcg = (values: readonly number[]): number =>
      values.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
    const ideal = dcg(Array.from({ length: Math.min(5, relevant.length) }, () => 1));
    const before = sums.get(set.slice(0, 2)) ?? { sum: 0, count: 0 };
    sums.set(set.slice(0, 2), { sum: before.sum + dcg(gains) / ideal, count: before.count + 1 });
  }
  const means = Object.fromEntries([...sums].map(([set, { sum, count }]) => [set, (100 * sum) / count]));
  expect(means['G1']).toBeGreaterThan(75);
  expect(means['G2']).toBeGreaterThan(71);
  expect(means['G3']).toBeGreaterThan(60);
});
