import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CatalogueTool,
  FeatureRetriever,
  makeQueries,
  stringifyCatalogue,
  type ToolRetriever,
  trainRetriever,
} from '@unroll/nodes/tool-catalogue';
import { openProject } from '@unroll/project';
import { TrainedRetriever } from '../../packages/nodes/src/tool-catalogue/trained-retriever.ts';
import { okapiRanking } from './okapi-ranking.ts';

/** The tools to find, and what is asked for. */
export interface Scope {
  readonly tools: readonly CatalogueTool[];
  readonly queries: readonly { readonly query: string; readonly relevant: ReadonlySet<string> }[];
}

/** A way to find tools. */
export interface Way {
  readonly name: string;
  /** Names of tools, best first, a list a query. */
  readonly rank: () => Promise<readonly (readonly string[])[]>;
}

const { CONNECTION: connection = 'offline', MODEL: model, EMBEDDER: embedder = 'offline' } = process.env;
const { EMBEDDING_MODEL: embeddingModel } = process.env;
const maxFound = 10;
const folds = 5;

export function waysIn(scope: Scope): readonly Way[] {
  const { tools } = scope;
  const texts = tools.map(({ own, group, description }) => `${group} ${own} ${description}`);
  const rankPlain = okapiRanking(texts);
  const nameAt = (at: number): string => tools[at]?.name ?? '';
  const plain = (query: string): readonly string[] =>
    rankPlain(query, maxFound).map(({ document }) => nameAt(document));
  const folder = new FlowFolder(scope);
  const made = model === undefined ? connection : `${connection}, ${model}`;
  return [
    { name: 'BM25', rank: byQuery(scope, plain) },
    { name: 'BM25F', rank: byRetriever(scope, () => new FeatureRetriever(tools, 'bm25f')) },
    { name: 'BM25F and features', rank: byRetriever(scope, () => new FeatureRetriever(tools)) },
    { name: `embedding similarity (${embeddingModel ?? embedder})`, rank: () => folder.byVectors('plain') },
    { name: `made queries, embedding similarity (${made})`, rank: () => folder.byVectors('made') },
    { name: `Re-Invoke: made queries, intents (${made})`, rank: () => folder.byFlow('reinvoke.dag.yaml', 'made') },
    { name: `IterFeedback (${made})`, rank: () => folder.byFlow('feedback.dag.yaml', 'plain') },
    { name: 'trained, documents only', rank: byRetriever(scope, () => trained(tools, [])) },
    {
      name: 'trained, documents and made requests',
      rank: byRetriever(scope, () => trained(tools, makeQueries(tools, 3000, 1))),
    },
    { name: 'trained, four fifths of the requests', rank: () => byFolds(scope, false) },
    { name: 'the same, the tools of the asked kept out', rank: () => byFolds(scope, true) },
  ];
}

function byQuery({ queries }: Scope, find: (query: string) => readonly string[]): Way['rank'] {
  return async () => queries.map(({ query }) => find(query));
}

function byRetriever(scope: Scope, open: () => ToolRetriever): Way['rank'] {
  return async () => {
    const retriever = open();
    return await byQuery(scope, (query) => retriever.find(query, maxFound).map(({ tool }) => tool.name))();
  };
}

type Requests = Parameters<typeof trainRetriever>[1];

function trained(tools: readonly CatalogueTool[], requests: Requests, unseen = new Set<number>()): ToolRetriever {
  return new TrainedRetriever(tools, trainRetriever(tools, requests, { unseen }));
}

/** Each fifth is asked of a retriever that learned the other four; the tools it asks for may be kept out as well. */
async function byFolds({ tools, queries }: Scope, areKeptOut: boolean): Promise<readonly (readonly string[])[]> {
  const places = new Map(tools.map(({ name }, at) => [name, at]));
  const placesOf = (names: ReadonlySet<string>): readonly number[] => [...names].map((name) => places.get(name) ?? 0);
  const hits: (readonly string[])[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const isAsked = (at: number): boolean => at % folds === fold;
    const learned = queries.filter((_, at) => !isAsked(at));
    const unseen = new Set(queries.flatMap(({ relevant }, at) => (isAsked(at) ? placesOf(relevant) : [])));
    const requests = learned.map(({ query, relevant }) => ({ query, relevant: placesOf(relevant) }));
    const retriever = trained(tools, requests, areKeptOut ? unseen : new Set());
    for (const [at, { query }] of queries.entries())
      if (isAsked(at)) hits[at] = retriever.find(query, maxFound).map(({ tool }) => tool.name);
  }
  return hits;
}

const sample = join(import.meta.dirname, '../../flows/toolgen-agent');

/** A folder with the catalogue, its index and the flows that search them. */
class FlowFolder {
  private readonly scope: Scope;
  private readonly folder = mkdtempSync(join(tmpdir(), 'retrieval-'));
  private readonly project = openProject(this.folder);

  constructor(scope: Scope) {
    this.scope = scope;
    const lines = scope.queries.map(({ query }) => JSON.stringify({ query }));
    writeFileSync(join(this.folder, 'queries.jsonl'), lines.join('\n'));
    cpSync(sample, join(this.folder, 'flow'), { recursive: true });
  }

  /** A `lookup` node over an index of the catalogue. */
  async byVectors(catalogue: 'plain' | 'made'): Promise<readonly (readonly string[])[]> {
    await this.write(catalogue);
    const index = `flow/${catalogue}.index`;
    const kept = { connection: embedder, ...(embeddingModel === undefined ? {} : { model: embeddingModel }) };
    await this.project.indexes.build(index, [`flow/${catalogue}.tools`], { embedder: kept }).result;
    const flow = `inputs: { query: { type: string } }
outputs: { ids: { type: list, reference: "\${find.output.ids}" } }
nodes:
  - { name: near, type: lookup, index: ${catalogue}.index, mode: vector, top_k: ${maxFound}, inputs: { query: "\${inputs.query}" } }
  - { name: find, type: tool_lookup, catalogue: ${catalogue}.tools, top_k: ${maxFound}, inputs: { found: "\${near.output}" } }
`;
    writeFileSync(join(this.folder, `flow/vectors-${catalogue}.dag.yaml`), flow);
    return await this.run(`vectors-${catalogue}.dag.yaml`);
  }

  /** A flow of the sample over this catalogue. */
  async byFlow(file: string, catalogue: 'plain' | 'made'): Promise<readonly (readonly string[])[]> {
    await this.write(catalogue);
    const written = readFileSync(join(sample, file), 'utf8').replace('apis.jsonl', `${catalogue}.tools`);
    const asking = `connection: ${connection}`;
    const flow = written
      .replace('connection: offline', asking)
      .replace('model: offline', `model: ${model ?? 'offline'}`);
    writeFileSync(join(this.folder, 'flow', file), flow);
    return await this.run(file);
  }

  private async run(file: string): Promise<readonly (readonly string[])[]> {
    const run = this.project.runDataset(`flow/${file}`, { data: 'queries.jsonl' });
    const found: (readonly string[])[] = [];
    for await (const event of run)
      if (event.type === 'row-ended') found[event.row.line] = (event.row.outputs['ids'] ?? []) as readonly string[];
    const { status } = await run.result;
    if (status !== 'Completed') throw new Error(`${file}: ${status}`);
    return found;
  }

  private async write(catalogue: 'plain' | 'made'): Promise<void> {
    const tools = catalogue === 'plain' ? this.scope.tools : await this.withQueries();
    writeFileSync(join(this.folder, `flow/${catalogue}.tools`), stringifyCatalogue(tools));
  }

  private async withQueries(): Promise<readonly CatalogueTool[]> {
    const { makeToolQueries } = await import('@unroll/project/tool-catalogues');
    const { Redactor } = await import('@unroll/engine');
    const system = {
      folder: tmpdir(),
      environment: process.env,
      redactor: new Redactor(),
      now: () => Date.now(),
      steadyNow: () => performance.now(),
      randomText: () => 'a',
    };
    const settings = { connection, model, count: 10, kept: 'retrieval-quality.queries' };
    const following = { signal: new AbortController().signal, onProgress: () => undefined };
    const { queries } = await makeToolQueries(this.scope.tools, settings, following, system);
    return this.scope.tools.map((tool, at) => ({ ...tool, queries: queries[at] ?? [] }));
  }
}
