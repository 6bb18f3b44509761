import { statSync } from 'node:fs';
import type { SearchIndex, SearchOptions, SearchResult } from '@unroll/engine';
import type { EmbeddedIndex } from '../embedded-index/embedded-index.ts';
import { type DatabaseSync, openIndexDatabase } from '../embedded-index/index-database.ts';
import { IndexError } from '../embedded-index/index-error.ts';
import { keptDigest } from '../embedded-index/kept-digest.ts';

/** An index as it was opened. */
export interface OpenIndex {
  readonly index: EmbeddedIndex;
  /** What its answers depend on. */
  readonly identity: string;
}

/**
 * An index in a file, opened again once another file stands in its place, as `flow index build --rebuild` or a copy puts one there. What
 * SQLite keeps beside a file belongs to its path: the one that was there before can be asked no more.
 */
export class IndexFile implements SearchIndex {
  readonly #path: string;
  readonly #open: (database: DatabaseSync) => OpenIndex;
  #file: number | undefined;
  #database: DatabaseSync;
  #opened: OpenIndex;

  /**
   * @param path absolute
   * @throws IndexError when it cannot be opened
   */
  constructor(path: string, open: (database: DatabaseSync) => OpenIndex) {
    this.#path = path;
    this.#open = open;
    this.#file = numberOf(path);
    this.#database = openIndexDatabase(path, 'read');
    this.#opened = open(this.#database);
  }

  /** Whether the build of what is opened came to its end. */
  get isWhole(): boolean {
    return keptDigest(this.#database) !== undefined;
  }

  get identity(): string {
    return this.#opened.identity;
  }

  search(query: string, options: SearchOptions): SearchResult | Promise<SearchResult> {
    const file = numberOf(this.#path);
    const refusal = file === undefined || file === this.#file ? undefined : this.#takeUp(file);
    if (refusal === undefined) return this.#opened.index.search(query, options);
    return { ok: false, error: { code: 'LookupError', message: refusal, retryable: false } };
  }

  close(): void {
    this.#database.close();
  }

  /** @returns why it cannot be asked */
  #takeUp(file: number): string | undefined {
    let database: DatabaseSync | undefined;
    try {
      database = openIndexDatabase(this.#path, 'read');
      if (keptDigest(database) === undefined) throw new IndexError('IndexInvalid', unfinished);
      const opened = this.#open(database);
      this.close();
      this.#database = database;
      this.#opened = opened;
    } catch (error) {
      database?.close();
      if (error instanceof IndexError) return error.message;
      throw error;
    }
    this.#file = file;
    return undefined;
  }
}

const unfinished =
  'the index is being made again, or its build failed or was stopped: flow index update goes on with it';

/** Tells one file from another that has its path, as long as the first is open; undefined where there is none. */
function numberOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
