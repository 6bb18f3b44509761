import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DescribedTool, makeQueries, readTools } from '@unroll/nodes/tool-catalogue';
import { Bm25fIndex } from '../../packages/nodes/src/tool-catalogue/bm25f-index.ts';
import { ownersOf, type RankFeatures, readCandidates } from '../../packages/nodes/src/tool-catalogue/rank-features.ts';
import { fitWeights } from './fit-weights.ts';

const queries = 3000;
const seed = 1;
/** Tools of one query that are learned from: those that are put in order later. */
const learnedFrom = 50;

/**
 * Fits the weights that put found tools in order and writes them into the project. They are learned from queries made of
 * the documentation of the APIs in TOOLBENCH_DIR alone; queries.jsonl there is never read here.
 *
 *     TOOLBENCH_DIR=… node bench/tools/fit-rank-weights.ts
 */
const folder = process.env['TOOLBENCH_DIR'];
if (folder === undefined) throw new Error('TOOLBENCH_DIR names no folder with apis.jsonl');
const path = join(folder, 'apis.jsonl');
const { tools } = readTools({ path, text: readFileSync(path, 'utf8') });
const weights = fitRankWeights(tools.map(({ tool }) => tool));
const lines = Object.entries(weights).map(([name, weight]) => `  ${name}: ${weight.toFixed(4)},`);
const out = join(import.meta.dirname, '../../packages/nodes/src/tool-catalogue/rank-weights.ts');
writeFileSync(
  out,
  `import type { RankFeatures } from './rank-features.ts';

/**
 * Learned by bench/tools/fit-rank-weights.ts from 3,000 queries made of the documentation of 2,490 APIs (\`makeQueries\`,
 * seed 1). No query that a person or a model wrote took part.
 */
export const rankWeights: Readonly<Record<keyof RankFeatures, number>> = {
${lines.join('\n')}
};
`,
);
process.stdout.write(`${lines.join('\n')}\n`);

/** Weights of `RankFeatures`, learned from queries made of the documentation of these tools and of nothing else. */
function fitRankWeights(tools: readonly DescribedTool[]): Readonly<Record<keyof RankFeatures, number>> {
  const index = new Bm25fIndex(tools);
  const owners = ownersOf(tools);
  const rows = makeQueries(tools, queries, seed).flatMap(({ query, relevant }) =>
    readCandidates(query, index, owners, learnedFrom).map(({ tool, features }) => ({
      features: { ...features },
      isRight: relevant.includes(tool),
    })),
  );
  return fitWeights(rows) as Readonly<Record<keyof RankFeatures, number>>;
}
