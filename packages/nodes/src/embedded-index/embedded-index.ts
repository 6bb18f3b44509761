import type {
  Embedder,
  JsonObject,
  NodeError,
  SearchFilter,
  SearchHit,
  SearchIndex,
  SearchOptions,
  SearchResult,
} from '@unroll/engine';
import { parseJson } from '@unroll/engine/values';
import { filterQuery } from './filter-sql.ts';
import { fuseRankings, type Scores } from './fuse-rankings.ts';
import type { DatabaseSync } from './index-database.ts';
import { keywordScores } from './keyword-scores.ts';
import { dot, normalized } from './quantize.ts';
import { loadVectorMatrix, type VectorMatrix } from './vector-matrix.ts';

/** A search index in a SQLite database. */
export interface EmbeddedIndex extends SearchIndex {
  /** Number of documents. */
  readonly size: number;
  /** Searches by words, at once. */
  searchWords(query: string, options: Omit<SearchOptions, 'mode' | 'fusion' | 'signal'>): readonly SearchHit[];
}

/** Never rejects. */
export type OpenEmbedder = () => Promise<Embedder | FailedSearch>;

/**
 * @param openEmbedder gives vectors of queries; asked once, when first needed. Absent: the index is searched by words only
 */
export function embeddedIndex(database: DatabaseSync, openEmbedder?: OpenEmbedder): EmbeddedIndex {
  const size = Number(database.prepare('SELECT count(*) AS n FROM documents').get()?.['n']);
  const searcher = new Searcher(database, openEmbedder);
  return {
    size,
    search: (query, options) => searcher.search(query, options),
    searchWords: (query, options) => searcher.searchWords(query, options),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

/** Of each ranking, at least, before both are fused. */
const fewestFused = 100;

class Searcher {
  private readonly database: DatabaseSync;
  private readonly openEmbedder: OpenEmbedder | undefined;
  private embedder: ReturnType<OpenEmbedder> | undefined;
  private loaded: { readonly version: number; readonly matrix: VectorMatrix | undefined } | undefined;

  constructor(database: DatabaseSync, openEmbedder: OpenEmbedder | undefined) {
    this.database = database;
    this.openEmbedder = openEmbedder;
  }

  searchWords(query: string, options: Omit<SearchOptions, 'mode' | 'fusion'>): readonly SearchHit[] {
    return this.hits(keywordScores(this.database, query, options.topK, options.filter), options);
  }

  search(query: string, options: SearchOptions): SearchResult | Promise<SearchResult> {
    const mode =
      options.mode ?? (this.matrix() === undefined || this.openEmbedder === undefined ? 'keyword' : 'hybrid');
    if (mode === 'keyword') return { ok: true, hits: this.searchWords(query, options) };
    return this.searchByMeaning(query, options, mode);
  }

  private async searchByMeaning(
    query: string,
    options: SearchOptions,
    mode: 'vector' | 'hybrid',
  ): Promise<SearchResult> {
    const matrix = this.matrix();
    if (matrix === undefined)
      return failedSearch('this index holds no vectors: build it with --embedder, or search it by mode: keyword');
    if (this.openEmbedder === undefined)
      return failedSearch('the index is searched by meaning, and no embedder was given');
    this.embedder ??= this.openEmbedder();
    const embedder = await this.embedder;
    if ('error' in embedder) return embedder;
    const vector = await vectorOf(query, embedder, matrix.dimensions, options.signal);
    if ('error' in vector) return vector;
    const allowed = this.allowed(options.filter);
    const count = mode === 'vector' ? options.topK : Math.max(fewestFused, options.topK);
    const near = this.vectorScores(matrix, vector, count, allowed);
    if (mode === 'vector') return { ok: true, hits: this.hits(near, options) };
    const words = keywordScores(this.database, query, count, options.filter);
    const both = this.withCosines(near, words, vector);
    return { ok: true, hits: this.hits(fuseRankings(words, both, options.fusion ?? embedder.fusion), options) };
  }

  /** Read again when another process has written to the file. */
  private matrix(): VectorMatrix | undefined {
    this.versionQuery ??= this.database.prepare('PRAGMA data_version');
    const version = Number(this.versionQuery.get()?.['data_version']);
    if (this.loaded?.version !== version) this.loaded = { version, matrix: loadVectorMatrix(this.database) };
    return this.loaded.matrix;
  }
  private versionQuery: ReturnType<DatabaseSync['prepare']> | undefined;

  private allowed(filter: SearchFilter | undefined): readonly number[] | undefined {
    if (filter === undefined) return undefined;
    const { sql, values } = filterQuery(filter);
    // One text for all: a row of SQLite costs Node more than finding it.
    const found = this.database.prepare(`SELECT json_group_array(document) AS documents FROM (${sql})`).get(...values);
    return JSON.parse(String(found?.['documents'])) as readonly number[];
  }

  /** The nearest by small vectors, put in order by the full ones. */
  private vectorScores(
    matrix: VectorMatrix,
    query: Float32Array,
    count: number,
    allowed: readonly number[] | undefined,
  ): Scores {
    const near = matrix.nearest(query, count, allowed);
    const cosines = new Map<number, number>();
    const wanted = JSON.stringify([...new Set(near.map(({ embedding }) => embedding))]);
    for (const { id, vector } of this.nearVectorsQuery.all(wanted))
      cosines.set(Number(id), dot(floatsOf(vector as Uint8Array), query));
    const scores = near.map(({ document, embedding }) => [document, cosines.get(embedding) ?? 0] as const);
    return new Map(scores.sort(([, left], [, right]) => right - left).slice(0, count));
  }

  private get nearVectorsQuery(): ReturnType<DatabaseSync['prepare']> {
    this.preparedNearVectors ??= this.database.prepare(`SELECT v.id AS id, v.vector AS vector
      FROM json_each(?) AS wanted JOIN full_vectors v ON v.id = wanted.value`);
    return this.preparedNearVectors;
  }
  private preparedNearVectors: ReturnType<DatabaseSync['prepare']> | undefined;

  /** Documents found by their words have an angle to the query too. */
  private withCosines(near: Scores, words: Scores, query: Float32Array): Scores {
    const others = [...words.keys()].filter((document) => !near.has(document));
    return new Map([...near, ...this.cosines(others, query)]);
  }

  /** By the full vectors, of the documents that have one. */
  private cosines(documents: readonly number[], query: Float32Array): Scores {
    const rows = this.vectorsQuery.all(JSON.stringify(documents));
    return new Map(rows.map(({ id, vector }) => [Number(id), dot(floatsOf(vector as Uint8Array), query)]));
  }

  /** One question for many documents: each costs a third of one for each. */
  private get vectorsQuery(): ReturnType<DatabaseSync['prepare']> {
    this.preparedVectors ??= this.database.prepare(`SELECT d.id AS id, v.vector AS vector
      FROM json_each(?) AS wanted JOIN documents d ON d.id = wanted.value JOIN full_vectors v ON v.id = d.embedding`);
    return this.preparedVectors;
  }
  private preparedVectors: ReturnType<DatabaseSync['prepare']> | undefined;

  /** Equal scores are ordered by id, so that the same question gives the same answer everywhere. */
  private hits(scores: Scores, { topK, minimumScore, fields }: SearchOptions): readonly SearchHit[] {
    const kept = [...scores].filter(([, score]) => score >= (minimumScore ?? Number.NEGATIVE_INFINITY));
    const worst =
      kept.map(([, score]) => score).sort((left, right) => right - left)[topK - 1] ?? Number.NEGATIVE_INFINITY;
    const best = new Map(kept.filter(([, score]) => score >= worst));
    return this.documentsQuery
      .all(JSON.stringify([...best.keys()]))
      .map((row) => hitOf(row, best.get(Number(row['id'])) ?? 0, fields))
      .sort((left, right) => right.score - left.score || compareText(left.id, right.id))
      .slice(0, topK);
  }

  private get documentsQuery(): ReturnType<DatabaseSync['prepare']> {
    this.preparedDocuments ??= this.database.prepare(`SELECT d.id AS id, d.name, d.title, d.text, d.fields
      FROM json_each(?) AS wanted JOIN documents d ON d.id = wanted.value`);
    return this.preparedDocuments;
  }
  private preparedDocuments: ReturnType<DatabaseSync['prepare']> | undefined;
}

function hitOf(
  row: Readonly<Record<string, unknown>>,
  score: number,
  wanted: readonly string[] | undefined,
): SearchHit {
  const fields = parseJson(String(row['fields'])) as JsonObject;
  const title = row['title'] === null ? {} : { title: String(row['title']) };
  return {
    id: String(row['name']),
    ...title,
    text: String(row['text']),
    fields:
      wanted === undefined
        ? fields
        : Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.includes(name))),
    score: Number(score.toPrecision(6)),
  };
}

async function vectorOf(
  query: string,
  embedder: Embedder,
  dimensions: number,
  signal = new AbortController().signal,
): Promise<Float32Array | FailedSearch> {
  const result = await embedder.embed([query], 'query', signal);
  if (!result.ok) return result;
  const [vector] = result.vectors;
  if (vector?.length === dimensions) return normalized(vector);
  return failedSearch(
    `the index holds vectors of ${dimensions} numbers, ${embedder.model} gave ${vector?.length ?? 'none'}`,
  );
}

/** Why an index does not answer. */
export interface FailedSearch {
  readonly ok: false;
  readonly error: NodeError;
}

function failedSearch(message: string): FailedSearch {
  return { ok: false, error: { code: 'LookupError', message, retryable: false } };
}

function floatsOf(blob: Uint8Array): Float32Array {
  const isAligned = blob.byteOffset % 4 === 0;
  const bytes = isAligned ? blob : blob.slice();
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
