import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTools } from '@unroll/nodes/tool-catalogue';
import { fitRankWeights } from '../../packages/nodes/src/tool-catalogue/fit-rank-weights.ts';

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
