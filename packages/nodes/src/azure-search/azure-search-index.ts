import type { SearchClient } from '@azure/search-documents';
import {
  type Connection,
  type Fusion,
  type JsonObject,
  type JsonValue,
  parseJson,
  type SearchHit,
  type SearchIndex,
  type SearchOptions,
  type SearchResult,
  stringifyJson,
} from '@unroll/engine';
import type { FailedSearch, OpenEmbedder } from '../embedded-index/embedded-index.ts';
import { type AzureDocument, openSearchClient } from './azure-client.ts';
import { type Columns, columnsOf, fieldsColumn, type IndexColumns, readColumns } from './azure-columns.ts';
import { type AzureFailure, askedIndex, azureFailure } from './azure-failure.ts';
import { odataFilter } from './odata-filter.ts';

export interface AzureIndexOptions {
  /** Name of the index. */
  readonly name: string;
  /** Names of its columns, where `flow index build` did not make it. */
  readonly columns?: Readonly<Record<string, string>>;
  /** A semantic configuration by which the best 50 hits are ranked again. */
  readonly semantic?: string;
  /** Vectors of queries. Absent: the service makes them itself, where the index has a vectorizer. */
  readonly openEmbedder?: OpenEmbedder;
}

/**
 * An index of Azure AI Search. Scores are those of the service: BM25 for words, a similarity for vectors, reciprocal ranks
 * for both; with a semantic configuration 0 to 4 from its ranker.
 */
export async function azureSearchIndex(connection: Connection, options: AzureIndexOptions): Promise<SearchIndex> {
  const client = await openSearchClient(connection, options.name);
  const searcher = new AzureSearcher(client, connection, options);
  return { search: (query, searchOptions) => searcher.search(query, searchOptions) };
}

/** Rows the service gives in one answer. */
const maxInAnswer = 1000;
/** The service may split an answer, and a part may be empty; so many in all are believed. */
const mostEmptyPages = 10;
/** Neighbours asked of the vectors for a fusion: what the semantic ranker takes. */
const fewestNeighbours = 50;

class AzureSearcher {
  private readonly client: SearchClient<AzureDocument>;
  private readonly connection: Connection;
  private readonly options: AzureIndexOptions;
  private readonly columns: Columns;
  private embedder: ReturnType<OpenEmbedder> | undefined;
  private definition: Promise<IndexColumns | undefined> | undefined;

  constructor(client: SearchClient<AzureDocument>, connection: Connection, options: AzureIndexOptions) {
    this.client = client;
    this.connection = connection;
    this.options = options;
    this.columns = columnsOf(options.columns);
  }

  async search(query: string, options: SearchOptions): Promise<SearchResult> {
    const mode = options.mode ?? (this.options.openEmbedder === undefined ? 'keyword' : 'hybrid');
    if (mode === 'hybrid' && options.fusion !== undefined && options.fusion.method !== 'rrf')
      return failedSearch('Azure AI Search fuses by reciprocal ranks alone: fusion {method: rrf, weights: …}');
    try {
      const vectorQuery = mode === 'keyword' ? undefined : await this.vectorQuery(query, mode, options);
      if (vectorQuery !== undefined && 'error' in vectorQuery) return vectorQuery;
      const filter = await this.filter(options);
      return { ok: true, hits: await this.ask(mode === 'vector' ? undefined : query, vectorQuery, filter, options) };
    } catch (error) {
      if (error instanceof RangeError) return failedSearch(rangeProblem(error));
      return this.failure(error);
    }
  }

  private async ask(
    query: string | undefined,
    vectorQuery: VectorQuery | undefined,
    filter: string | undefined,
    { topK, minimumScore = Number.NEGATIVE_INFINITY, fields, signal }: SearchOptions,
  ): Promise<readonly SearchHit[]> {
    const semantic = query === undefined ? undefined : this.options.semantic;
    const hits: SearchHit[] = [];
    let answers = 0;
    const onResponse = (): void => {
      answers += 1;
      if (answers > hits.length + mostEmptyPages) throw new RangeError('the index gives page after page without hits');
    };
    const request = { ...requestOf(vectorQuery, filter, semantic, signal), onResponse };
    for (let skip = 0; hits.length < topK; skip += maxInAnswer) {
      const top = Math.min(topK - hits.length, maxInAnswer);
      const answer = await this.client.search(query, { ...request, top, skip });
      const before = hits.length;
      for await (const { document, score, rerankerScore } of answer.results) {
        hits.push(toHit(document, rerankerScore ?? score, this.columns, fields));
        if (hits.length === topK) break;
      }
      if (hits.length - before < top || semantic !== undefined) break;
    }
    return hits.filter((hit) => hit.score >= minimumScore);
  }

  private async vectorQuery(
    query: string,
    mode: 'vector' | 'hybrid',
    { topK, fusion, signal }: SearchOptions,
  ): Promise<VectorQuery | FailedSearch> {
    const weight = weightOf(fusion);
    const shared = {
      fields: [this.columns.vector],
      kNearestNeighborsCount: mode === 'vector' ? topK : Math.max(topK, fewestNeighbours),
      ...(weight === undefined ? {} : { weight }),
    };
    if (this.options.openEmbedder === undefined) return this.textQuery(query, shared);
    this.embedder ??= this.options.openEmbedder();
    const embedder = await this.embedder;
    if ('error' in embedder) return embedder;
    const result = await embedder.embed([query], 'query', signal ?? new AbortController().signal);
    if (!result.ok) return result;
    const vector: VectorQuery & { vector: number[] } = {
      kind: 'vector',
      vector: [...(result.vectors[0] ?? [])],
      ...shared,
    };
    return vector;
  }

  private textQuery(text: string, shared: Omit<VectorQuery, 'kind'>): VectorQuery & { readonly text: string } {
    return { kind: 'text', text, ...shared };
  }

  /** The definition tells which columns are lists; a key that may only query does not get it, and does without. */
  private async filter({ filter }: SearchOptions): Promise<string | undefined> {
    if (filter === undefined) return undefined;
    const definition = await this.readDefinition();
    const { columns } = this;
    return odataFilter(filter, {
      key: definition?.key ?? columns.id,
      nameOf: (field) => (field in columns ? columns[field as keyof Columns] : field),
      columnOf: (name) => definition?.columns.get(name),
    });
  }

  /** Read once; after a failure again by the next search. */
  private async readDefinition(): Promise<IndexColumns | undefined> {
    this.definition ??= readColumns(this.connection, this.options.name);
    try {
      return await this.definition;
    } catch (error) {
      this.definition = undefined;
      throw error;
    }
  }

  private failure(error: unknown): AzureFailure {
    return azureFailure(error, askedIndex(this.connection, this.options.name));
  }
}

interface VectorQuery {
  readonly kind: 'vector' | 'text';
  readonly fields: readonly string[];
  readonly kNearestNeighborsCount: number;
}

function requestOf(
  vectorQuery: VectorQuery | undefined,
  filter: string | undefined,
  semantic: string | undefined,
  signal: AbortSignal | undefined,
): object {
  return {
    ...(semantic === undefined
      ? {}
      : { queryType: 'semantic', semanticSearchOptions: { configurationName: semantic } }),
    ...(vectorQuery === undefined ? {} : { vectorSearchOptions: { queries: [vectorQuery], filterMode: 'preFilter' } }),
    ...(filter === undefined ? {} : { filter }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
}

/** Of the vectors beside the words, whose weight is 1. */
function weightOf(fusion: Fusion | undefined): number | undefined {
  if (fusion === undefined) return undefined;
  const { keyword, vector } = fusion.weights;
  return keyword === 0 || vector === 0 ? undefined : vector / keyword;
}

/** @throws Error where the service told no score, RangeError where a column is not there */
function toHit(
  document: AzureDocument,
  score: number,
  columns: Columns,
  wanted: readonly string[] | undefined,
): SearchHit {
  const own = new Set<string>([...Object.values(columns), fieldsColumn, 'unroll_key', 'unroll_digest']);
  const kept = document[fieldsColumn];
  const all =
    typeof kept === 'string'
      ? Object.entries(parseJson(kept) as JsonObject)
      : Object.entries(document as JsonObject).filter(([name]) => !own.has(name));
  if (!Number.isFinite(score)) throw new Error('a hit has no score');
  const title = document[columns.title];
  const id: unknown = document[columns.id];
  if (typeof id !== 'string' && typeof id !== 'number') throw missing('id', `no text in the column "${columns.id}"`);
  return {
    id: String(id),
    ...(typeof title === 'string' ? { title } : {}),
    text: textIn(document, columns.text),
    score: Number(score.toPrecision(6)),
    fields: Object.fromEntries(all.filter(([name]) => wanted?.includes(name) ?? true)) as Readonly<
      Record<string, JsonValue>
    >,
  };
}

function textIn(document: AzureDocument, column: string): string {
  const value = (document as Readonly<Record<string, JsonValue | undefined>>)[column];
  if (value === undefined) throw missing('text', `no column "${column}"`);
  return typeof value === 'string' ? value : value === null ? '' : stringifyJson(value);
}

function missing(key: keyof Columns, what: string): RangeError {
  return new RangeError(`a hit has ${what}: columns names another (columns: {${key}: …})`);
}

/** What the engine says where the client looks at an answer level by level is of no use to anybody. */
function rangeProblem({ message }: RangeError): string {
  return message.includes('call stack') ? 'the answer of the index is nested too deep' : message;
}

function failedSearch(message: string): FailedSearch {
  return { ok: false, error: { code: 'LookupError', message, retryable: false } };
}
