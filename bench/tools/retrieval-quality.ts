import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ndcgAt } from '@unroll/evals';
import {
  FeatureRetriever,
  makeQueries,
  nameTools,
  okapiRanking,
  readTools,
  type ToolRetriever,
  trainRetriever,
} from '@unroll/nodes/tool-catalogue';
import { TrainedRetriever } from '../../packages/nodes/src/tool-catalogue/trained-retriever.ts';

/**
 * How well tools are found on StableToolBench's queries, none of which any retriever has learned from.
 *
 *     TOOLBENCH_DIR=… node bench/tools/retrieval-quality.ts
 */
const folder = process.env['TOOLBENCH_DIR'];
if (folder === undefined) throw new Error('TOOLBENCH_DIR names no folder with apis.jsonl and queries.jsonl');

interface Query {
  readonly set: string;
  readonly query: string;
  readonly relevant: readonly number[];
}

const linesOf = (name: string): readonly string[] => readFileSync(join(folder, name), 'utf8').trim().split('\n');
const queries = linesOf('queries.jsonl').map((line) => JSON.parse(line) as Query);
const { tools } = nameTools(readTools({ path: 'apis.jsonl', text: linesOf('apis.jsonl').join('\n') }).tools);
const names = tools.map(({ name }) => name);

const plain = okapiRanking(tools.map(({ own, group, description }) => `${group} ${own} ${description}`));
const plainJson = okapiRanking(linesOf('apis.jsonl'));
const found = (rank: typeof plain) => (query: string) => rank(query, 50).map(({ document }) => names[document] ?? '');
const namesOf = (retriever: ToolRetriever) => (query: string) => retriever.find(query, 50).map(({ tool }) => tool.name);

const started = performance.now();
const byHeart = new TrainedRetriever(tools, trainRetriever(tools, []));
const heartSeconds = (performance.now() - started) / 1000;
const both = new TrainedRetriever(tools, trainRetriever(tools, makeQueries(tools, 3000, 1)));
const bothSeconds = (performance.now() - started) / 1000 - heartSeconds;

const contenders: readonly (readonly [string, (query: string) => readonly string[]])[] = [
  ['BM25 over the raw JSON', found(plainJson)],
  ['BM25 over tool, name, description', found(plain)],
  ['BM25F', namesOf(new FeatureRetriever(tools, 'bm25f'))],
  ['BM25F and features', namesOf(new FeatureRetriever(tools))],
  [`trained, documents only (${heartSeconds.toFixed(0)} s)`, namesOf(byHeart)],
  [`trained, documents and made queries (${bothSeconds.toFixed(0)} s)`, namesOf(both)],
];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
process.stdout.write('| | I1 | I2 | I3 | recall@50 | ms a query |\n|---|---|---|---|---|---|\n');
for (const [name, find] of contenders) {
  for (const { query } of queries.slice(0, 50)) find(query);
  const before = performance.now();
  const hits = queries.map(({ query }) => find(query));
  const each = (performance.now() - before) / queries.length;
  const wanted = queries.map(({ relevant }) => new Set(relevant.map((at) => names[at] ?? '')));
  const ndcgOf = (set: string): string =>
    (
      100 *
      mean(
        queries.flatMap((query, at) =>
          query.set.startsWith(set) ? [ndcgAt(hits[at] ?? [], wanted[at] ?? new Set(), 5) ?? 0] : [],
        ),
      )
    ).toFixed(1);
  const recall = mean(wanted.map((ids, at) => [...ids].filter((id) => hits[at]?.includes(id)).length / ids.size));
  process.stdout.write(
    `| ${name} | ${ndcgOf('G1')} | ${ndcgOf('G2')} | ${ndcgOf('G3')} | ${(100 * recall).toFixed(1)} | ${each.toFixed(2)} |\n`,
  );
}
