import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ndcgAt } from '@unroll/evals';
import { type CatalogueTool, nameTools, readTools } from '@unroll/nodes/tool-catalogue';
import { type Scope, waysIn } from './retrieval-ways.ts';

/**
 * How well tools are found on StableToolBench's queries, by each way there is: NDCG@1, @3 and @5 of the three sets of queries,
 * among all tools and among those of the set's own domain (the tools of the owners that its queries ask for).
 *
 *     TOOLBENCH_DIR=… [CONNECTION=offline] [MODEL=…] [EMBEDDER=offline] [EMBEDDING_MODEL=…] node bench/tools/retrieval-quality.ts
 */
const folder = process.env['TOOLBENCH_DIR'];
if (folder === undefined) throw new Error('TOOLBENCH_DIR names no folder with apis.jsonl and queries.jsonl');

const linesOf = (name: string): readonly string[] => readFileSync(join(folder, name), 'utf8').trim().split('\n');
const { tools } = nameTools(readTools({ path: 'apis.jsonl', text: linesOf('apis.jsonl').join('\n') }).tools);

interface Query {
  readonly set: string;
  readonly query: string;
  readonly relevant: ReadonlySet<string>;
}

const queries = linesOf('queries.jsonl').map((line): Query => {
  const { set, query, relevant } = JSON.parse(line) as { set: string; query: string; relevant: readonly number[] };
  return { set: `I${set[1]}`, query, relevant: new Set(relevant.map((at) => tools[at]?.name ?? '')) };
});
const sets = ['I1', 'I2', 'I3'];

const ownerOf = ({ category, group }: CatalogueTool): string => `${category}\0${group}`;
const domains = new Map(
  sets.map((set) => {
    const wanted = new Set(queries.filter((one) => one.set === set).flatMap(({ relevant }) => [...relevant]));
    const owners = new Set(tools.filter(({ name }) => wanted.has(name)).map(ownerOf));
    return [set, tools.filter((tool) => owners.has(ownerOf(tool)))];
  }),
);

/** Hits of every query by each way, among some tools. */
async function rankedIn(among: readonly CatalogueTool[], asked: readonly Query[]): Promise<Map<string, Ranking>> {
  const scope: Scope = { tools: among, queries: asked.map(({ query, relevant }) => ({ query, relevant })) };
  const found = new Map<string, Ranking>();
  for (const { name, rank } of waysIn(scope)) {
    const hits = await rank();
    found.set(name, { asked, hits });
    process.stderr.write(`${among.length} tools: ${name}\n`);
  }
  return found;
}

interface Ranking {
  readonly asked: readonly Query[];
  /** Names of tools, best first, a list a query. */
  readonly hits: readonly (readonly string[])[];
}

function percent(
  { asked, hits }: Ranking,
  set: string,
  score: (hits: readonly string[], query: Query) => number,
): string {
  const scores = asked.flatMap((query, at) => (query.set === set ? [score(hits[at] ?? [], query)] : []));
  return (100 * (scores.reduce((sum, value) => sum + value, 0) / scores.length)).toFixed(1);
}

const depths = [1, 3, 5];

function row(name: string, rankingOf: (set: string) => Ranking): string {
  const cells = sets.flatMap((set) =>
    depths.map((depth) => percent(rankingOf(set), set, (hits, { relevant }) => ndcgAt(hits, relevant, depth) ?? 0)),
  );
  return `| ${name} | ${cells.join(' | ')} |`;
}

const head = `| | ${sets.flatMap((set) => depths.map((depth) => `${set} @${depth}`)).join(' | ')} |\n|---|${'---|'.repeat(9)}`;
const all = await rankedIn(tools, queries);
process.stdout.write(`NDCG among all ${tools.length} tools\n\n${head}\n`);
for (const [name, ranking] of all) process.stdout.write(`${row(name, () => ranking)}\n`);

const own = new Map<string, Map<string, Ranking>>();
for (const set of sets)
  own.set(
    set,
    await rankedIn(
      domains.get(set) ?? [],
      queries.filter((one) => one.set === set),
    ),
  );
const sizes = sets.map((set) => `${set} ${domains.get(set)?.length}`).join(', ');
process.stdout.write(`\nNDCG among the tools of the set's domain (${sizes})\n\n${head}\n`);
const none: Ranking = { asked: [], hits: [] };
for (const name of own.get('I1')?.keys() ?? [])
  process.stdout.write(`${row(name, (set) => own.get(set)?.get(name) ?? none)}\n`);
