import { Bm25fIndex, bestTools } from '../packages/nodes/src/tool-catalogue/bm25f-index.ts';
import type { CatalogueTool } from '../packages/nodes/src/tool-catalogue/catalogue-tool.ts';
import { splitWords } from '../packages/nodes/src/tool-catalogue/split-words.ts';
import { FeatureRetriever } from '../packages/nodes/src/tool-catalogue/tool-retriever.ts';
import { compare, printComparison } from './compare.ts';

/**
 * 47,000 made-up tools, the size of ToolBench's collection, seeded: how long the index takes to build, and a query beside a
 * plain scan over all documents (the floor).
 */
const count = 47_000;
let state = 12345;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
};

const syllables = 'ka lo mi ter sen dor vi ral pe shu not gar bel tos ani'.split(' ');
const vocabulary = Array.from({ length: 12_000 }, (_, at) => {
  const length = 2 + Math.floor(random() * 3);
  return `${Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join('')}${at % 7 === 0 ? at : ''}`;
});
/** Few words are often said and most hardly ever: the commonest stands in a quarter of the tools, as in ToolBench. */
const word = (): string => vocabulary[Math.floor(vocabulary.length * random() ** 2)] ?? '';
const words = (length: number): string => Array.from({ length }, word).join(' ');

const tools: readonly CatalogueTool[] = Array.from({ length: count }, (_, at) => ({
  name: `tool_${at}`,
  own: `${word()}${word().replace(/^./, (letter) => letter.toUpperCase())}`,
  group: `Owner ${Math.floor(at / 5)} ${word()}`,
  category: `Category ${at % 49}`,
  description: words(3 + Math.floor(random() * 12)),
  parameters: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 3 }, () => [word(), { type: 'string', description: words(1) }]),
    ),
  },
}));
const queries = Array.from({ length: 200 }, () => `${words(7)}. ${words(7)}? ${words(5)}.`);

/** Milliseconds of CPU: other work on the machine counts less than in wall time. */
function timed(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2);
  return `least ${at(0)} ms, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`;
}

const builds = Array.from({ length: 7 }, () => timed(() => new Bm25fIndex(tools)));
process.stdout.write(
  `build, ${count.toLocaleString('en')} tools: first ${(builds[0] ?? 0).toFixed(0)} ms, then ${percentiles(builds.slice(1))} of CPU\n`,
);

const index = new Bm25fIndex(tools);
const retriever = new FeatureRetriever(tools);
const byWords = (query: string): readonly number[] => bestTools(index.score(index.wordsOf(query)), 50);
for (const query of queries) byWords(query);
process.stdout.write(`query, best 50 by BM25F: ${percentiles(queries.map((query) => timed(() => byWords(query))))}\n`);
for (const query of queries) retriever.find(query, 10);
process.stdout.write(
  `query, put in order by features: ${percentiles(queries.map((query) => timed(() => retriever.find(query, 10))))}\n`,
);

/** A plain scan: the share of the query's words in the words of each document, counted one document after the other. */
const documents = tools.map(({ own, group, description }) => new Set(splitWords(`${own} ${group} ${description}`)));
const scan = (query: string): readonly number[] => {
  const wanted = [...new Set(splitWords(query))];
  const scores = documents.map((held) => wanted.filter((one) => held.has(one)).length);
  return [...scores.keys()].sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0)).slice(0, 50);
};
const sample = queries.slice(0, 20);
const each = (find: (query: string) => unknown) => () => timed(() => sample.forEach(find)) / sample.length;
printComparison(
  'query beside a plain scan',
  'ms',
  await compare(
    [
      { name: 'plain scan', measure: each(scan) },
      { name: 'BM25F', measure: each(byWords) },
      { name: 'BM25F and features', measure: each((query) => retriever.find(query, 10)) },
    ],
    7,
  ),
);
