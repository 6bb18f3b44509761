import {
  type Embedder,
  type NodeError,
  parseJson,
  type SearchFilter,
  type SearchHit,
  type SearchIndex,
  type SearchOptions,
  type SearchResult,
  type Values,
} from '@unroll/engine';
import { filterQuery } from './filter-sql.ts';
import { fuseRankings, fusionWith, type Scores } from './fuse-rankings.ts';
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
export type OpenEmbedder = () => Promise<Embedder | Refusal>;

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

/** How many times as many hits as wanted are looked at before their order is settled. */
const candidatesPerHit = 3;
/** Of each ranking, at least, before both are fused. */
const fewestFused = 100;

class Searcher {
  private readonly database: DatabaseSync;
  private readonly openEmbedder: OpenEmbedder | undefined;
  private embedder: ReturnType<OpenEmbedder> | undefined;
  private loaded: { readonly matrix: VectorMatrix | undefined } | undefined;

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
      return refused('this index holds no vectors: build it with --embedder, or search it by mode: keyword');
    if (this.openEmbedder === undefined) return refused('the index is searched by meaning, and no embedder was given');
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
    return { ok: true, hits: this.hits(fuseRankings(words, both, options.fusion ?? fusionWith(embedder)), options) };
  }

  private matrix(): VectorMatrix | undefined {
    this.loaded ??= { matrix: loadVectorMatrix(this.database) };
    return this.loaded.matrix;
  }

  private allowed(filter: SearchFilter | undefined): ReadonlySet<number> | undefined {
    if (filter === undefined) return undefined;
    const { sql, values } = filterQuery(filter);
    return new Set(
      this.database
        .prepare(sql)
        .all(...values)
        .map(({ document }) => Number(document)),
    );
  }

  /** The nearest by small vectors, three times as many as wanted, put in order by the full ones. */
  private vectorScores(
    matrix: VectorMatrix,
    query: Float32Array,
    count: number,
    allowed: ReadonlySet<number> | undefined,
  ): Scores {
    const near = matrix.nearest(query, count * candidatesPerHit, allowed);
    const scores = near.map((document): readonly [number, number] => [document, this.cosine(document, query) ?? 0]);
    return new Map(scores.sort(([, left], [, right]) => right - left).slice(0, count));
  }

  /** Documents found by their words have an angle to the query too. */
  private withCosines(near: Scores, words: Scores, query: Float32Array): Scores {
    const all = new Map(near);
    for (const document of words.keys()) {
      const cosine = all.has(document) ? undefined : this.cosine(document, query);
      if (cosine !== undefined) all.set(document, cosine);
    }
    return all;
  }

  private cosine(document: number, query: Float32Array): number | undefined {
    const blob = this.fullVector.get(document)?.['vector'] as Uint8Array | undefined;
    return blob === undefined ? undefined : dot(floatsOf(blob), query);
  }

  private get fullVector(): ReturnType<DatabaseSync['prepare']> {
    this.fullVectorQuery ??= this.database.prepare(
      'SELECT v.vector AS vector FROM documents d JOIN full_vectors v ON v.id = d.embedding WHERE d.id = ?',
    );
    return this.fullVectorQuery;
  }
  private fullVectorQuery: ReturnType<DatabaseSync['prepare']> | undefined;

  /** Equal scores are ordered by id, so that the same question gives the same answer everywhere. */
  private hits(scores: Scores, { topK, minimumScore, fields }: SearchOptions): readonly SearchHit[] {
    const kept = [...scores].filter(([, score]) => score >= (minimumScore ?? Number.NEGATIVE_INFINITY));
    const worst =
      kept.map(([, score]) => score).sort((left, right) => right - left)[topK - 1] ?? Number.NEGATIVE_INFINITY;
    return kept
      .filter(([, score]) => score >= worst)
      .map(([document, score]) => this.hit(document, score, fields))
      .sort((left, right) => right.score - left.score || compareText(left.id, right.id))
      .slice(0, topK);
  }

  private hit(document: number, score: number, wanted: readonly string[] | undefined): SearchHit {
    this.documentQuery ??= this.database.prepare('SELECT name, title, text, fields FROM documents WHERE id = ?');
    const row = this.documentQuery.get(document);
    if (row === undefined) throw new Error(`bug: the index has no document ${document}`);
    const fields = Object.entries(parseJson(String(row['fields'])) as Values).filter(
      ([name]) => wanted?.includes(name) ?? true,
    );
    const title = row['title'] === null ? {} : { title: String(row['title']) };
    const rounded = Number(score.toPrecision(6));
    return {
      id: String(row['name']),
      ...title,
      text: String(row['text']),
      fields: Object.fromEntries(fields),
      score: rounded,
    };
  }
  private documentQuery: ReturnType<DatabaseSync['prepare']> | undefined;
}

async function vectorOf(
  query: string,
  embedder: Embedder,
  dimensions: number,
  signal = new AbortController().signal,
): Promise<Float32Array | Refusal> {
  const result = await embedder.embed([query], 'query', signal);
  if (!result.ok) return result;
  const [vector] = result.vectors;
  if (vector?.length === dimensions) return normalized(vector);
  return refused(
    `the index holds vectors of ${dimensions} numbers, ${embedder.model} gave ${vector?.length ?? 'none'}`,
  );
}

/** Why an index does not answer. */
export interface Refusal {
  readonly ok: false;
  readonly error: NodeError;
}

function refused(message: string): Refusal {
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
