import { hash } from 'node:crypto';
import type { SearchClient } from '@azure/search-documents';
import { type Connection, type JsonObject, type JsonValue, type NodeError, parseJson } from '@unroll/engine';
import type { DatabaseSync } from '../embedded-index/index-database.ts';
import { textsIn } from '../embedded-index/index-document.ts';
import { longestAskedMs, withAskedWait } from '../llm/asked-wait.ts';
import { type Clock, systemClock } from '../llm/concurrency-limiter.ts';
import { type AzureDocument, openIndexClient, openSearchClient } from './azure-client.ts';
import { fieldsColumn } from './azure-columns.ts';
import { askedIndex, azureFailure } from './azure-failure.ts';
import {
  digestColumn,
  type FilterColumns,
  filterColumns,
  indexDefinition,
  keyColumn,
  wordsColumn,
} from './azure-index-definition.ts';

export interface UploadOptions {
  /** Name of the index; made when it is not there. */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  readonly clock?: Clock;
}

export type Uploaded =
  | {
      readonly ok: true;
      readonly uploaded: number;
      readonly removed: number;
      readonly unchanged: number;
      /** Fields that filters cannot ask for there; hits carry them all the same. */
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly error: NodeError };

/** Documents in one request; the service takes 1,000, and 16 MB. */
const batchSize = 500;

/**
 * Makes an index of Azure AI Search hold what a file of `flow index build` holds: documents whose content there is another
 * are sent, those that are gone are deleted, the others are left alone. Stopped at any point, the next call goes on.
 */
export async function uploadIndex(
  database: DatabaseSync,
  connection: Connection,
  options: UploadOptions,
): Promise<Uploaded> {
  try {
    const upload = new Upload(database, connection, options, await openSearchClient(connection, options.name));
    return await upload.run();
  } catch (error) {
    const failure = azureFailure(error, askedIndex(connection, options.name));
    return { ...failure, error: withAskedWait(failure.error, failure.retryAfterMs) };
  }
}

class Upload {
  private readonly database: DatabaseSync;
  private readonly connection: Connection;
  private readonly options: UploadOptions;
  private readonly client: SearchClient<AzureDocument>;

  constructor(
    database: DatabaseSync,
    connection: Connection,
    options: UploadOptions,
    client: SearchClient<AzureDocument>,
  ) {
    this.database = database;
    this.connection = connection;
    this.options = options;
    this.client = client;
  }

  async run(): Promise<Uploaded> {
    const columns = filterColumns(this.database);
    const definitions = await openIndexClient(this.connection);
    const definition = indexDefinition(this.options.name, this.database, columns);
    await this.patiently(() => definitions.createOrUpdateIndex(definition, { abortSignal: this.options.signal }));
    const there = await this.digestsThere();
    const wanted = this.digestsHere();
    const changed = [...wanted].filter(([key, { digest }]) => there.get(key) !== digest).map(([, { id }]) => id);
    const gone = [...there.keys()].filter((key) => !wanted.has(key));
    const total = changed.length + gone.length;
    for (const [at, ids] of batches(changed)) {
      this.options.onProgress?.(at, total);
      await this.send(
        ids.map((id) => this.documentOf(id, columns)),
        'upload',
      );
    }
    for (const [at, keys] of batches(gone)) {
      this.options.onProgress?.(changed.length + at, total);
      await this.send(
        keys.map((key) => ({ [keyColumn]: key })),
        'delete',
      );
    }
    this.options.onProgress?.(total, total);
    const unchanged = wanted.size - changed.length;
    return { ok: true, uploaded: changed.length, removed: gone.length, unchanged, leftOut: columns.leftOut };
  }

  /** Page by page in the order of keys: `$skip` ends at 100,000. */
  private async digestsThere(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const page = 1000;
    for (let last: string | undefined; ; ) {
      const request = {
        select: [keyColumn, digestColumn],
        orderBy: [`${keyColumn} asc`],
        top: page,
        abortSignal: this.options.signal,
        ...(last === undefined ? {} : { filter: `${keyColumn} gt '${last}'` }),
      };
      const rows = await this.patiently(async () => {
        const { results } = await this.client.search('*', request as object);
        return await Array.fromAsync(results, ({ document }) => document);
      });
      const before = found.size;
      for (const row of rows) found.set(String(row[keyColumn]), String(row[digestColumn]));
      if (rows.length < page) return found;
      // A service that gives one page again and again would be asked for ever.
      if (found.size === before) throw new Error('the pages do not go on');
      last = String(rows.at(-1)?.[keyColumn]);
    }
  }

  private digestsHere(): ReadonlyMap<string, { readonly id: number; readonly digest: string }> {
    const rows = this.database.prepare('SELECT id, name, digest, embedding FROM documents').all();
    return new Map(
      rows.map(({ id, name, digest, embedding }) => [
        keyOf(String(name)),
        {
          id: Number(id),
          digest: `${Buffer.from(digest as Uint8Array).toString('hex')}${embedding === null ? '' : ' v'}`,
        },
      ]),
    );
  }

  private documentOf(id: number, { types }: FilterColumns): AzureDocument {
    const row = this.database
      .prepare(`SELECT d.name, d.digest, d.title, d.text, d.fields, v.vector FROM documents d
        LEFT JOIN full_vectors v ON v.id = d.embedding WHERE d.id = ?`)
      .get(id);
    if (row === undefined) throw new Error(`bug: the index has no document ${id}`);
    const { name, digest, title, text, fields, vector } = row;
    const values = parseJson(String(fields)) as JsonObject;
    const columns = [...types.keys()].map((column) => [column, plainValue(values[column] ?? null)]);
    return {
      [keyColumn]: keyOf(String(name)),
      [digestColumn]: `${Buffer.from(digest as Uint8Array).toString('hex')}${vector === null ? '' : ' v'}`,
      [fieldsColumn]: String(fields),
      [wordsColumn]: textsIn(values).join('\n'),
      ...{ id: String(name), title: title === null ? null : String(title), text: String(text) },
      ...(vector === null ? {} : { vector: numbersOf(vector as Uint8Array) }),
      ...Object.fromEntries(columns),
    };
  }

  /** A request may be taken in part: what was refused for the moment is sent again, alone. */
  private async send(documents: readonly AzureDocument[], action: 'upload' | 'delete'): Promise<void> {
    let left = documents;
    for (let tries = 0; left.length > 0; tries += 1) {
      const sent = left.map((document) => ({ __actionType: action, ...document }));
      const { results } = await this.patiently(() => this.client.indexDocuments({ actions: sent } as never));
      const failed = results.filter(({ succeeded }) => !succeeded);
      const lasting = failed.find(({ statusCode }) => !passing.has(statusCode));
      if (lasting !== undefined || (failed.length > 0 && tries >= maxTries)) throw refusal(lasting ?? failed[0]);
      const keys = new Set(failed.map(({ key }) => key));
      left = left.filter((document) => keys.has(String(document[keyColumn])));
      if (left.length > 0) await this.wait(undefined, tries);
    }
  }

  /** Throttling is waited out as the service says. */
  private async patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        const failure = azureFailure(error, askedIndex(this.connection, this.options.name));
        const { retryAfterMs = 0, error: told } = failure;
        const isOver = !told.retryable || tries >= maxTries || retryAfterMs > longestAskedMs;
        if (isOver || this.options.signal.aborted) throw error;
        await this.wait(failure.retryAfterMs, tries);
      }
    }
  }

  private wait(ms: number | undefined, tries: number): Promise<void> {
    return (this.options.clock ?? systemClock).sleep(ms ?? Math.min(30_000, 1000 * 2 ** tries), this.options.signal);
  }
}

const maxTries = 6;
/** Of one document in a request: a conflict of versions, the index is busy (REST, "Documents - Index"). */
const passing: ReadonlySet<number> = new Set([409, 422, 503]);

function refusal(result: { readonly statusCode: number; readonly errorMessage?: string } | undefined): object {
  return { statusCode: result?.statusCode ?? 400, message: result?.errorMessage ?? 'a document was refused' };
}

/** Keys are letters, digits, `_`, `-` and `=`; ids may be anything. */
function keyOf(id: string): string {
  return hash('sha256', id, 'hex');
}

function numbersOf(blob: Uint8Array): readonly number[] {
  return [...new Float32Array(blob.slice().buffer)];
}

/** Numbers as they stand in JSON. */
function plainValue(value: JsonValue): unknown {
  if (value instanceof Number) return value.valueOf();
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(plainValue) : value;
}

function* batches<T>(items: readonly T[]): Generator<readonly [number, readonly T[]]> {
  for (let at = 0; at < items.length; at += batchSize) yield [at, items.slice(at, at + batchSize)];
}
