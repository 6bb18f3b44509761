import { type DatabaseSync, readSetting } from '../embedded-index/index-database.ts';
import { type IndexSettings, readIndexSettings } from '../embedded-index/index-settings.ts';
import { keptDigest } from '../embedded-index/kept-digest.ts';

/** What an index holds and what it was made with. */
export interface IndexDescription extends IndexSettings {
  readonly documents: number;
  readonly files: number;
  readonly vectors: number;
  /** Of a vector; undefined without vectors. */
  readonly dimensions?: number;
  /** By which model vectors were made. */
  readonly model?: string;
  readonly tokenizer: string;
  /** Not where a build is under way, or was killed. */
  readonly isFinished: boolean;
  /** Of all documents; empty while there is no finished build. */
  readonly digest: string;
  /** Names of the fields that a filter may ask for, and how many documents have each. */
  readonly fields: Readonly<Record<string, number>>;
}

export function describeIndex(database: DatabaseSync): IndexDescription {
  const count = (sql: string): number => Number(database.prepare(sql).get()?.['n'] ?? 0);
  const model = readSetting(database, 'embedder');
  const dimensions = readSetting(database, 'dimensions');
  const fields = database
    .prepare('SELECT field, count(DISTINCT document) AS n FROM attributes GROUP BY field ORDER BY field')
    .all();
  return {
    ...readIndexSettings(database),
    documents: count('SELECT count(*) AS n FROM documents'),
    files: count('SELECT count(*) AS n FROM sources'),
    vectors: count('SELECT count(*) AS n FROM documents WHERE embedding IS NOT NULL'),
    ...(dimensions === undefined ? {} : { dimensions: Number(dimensions) }),
    ...(model === undefined ? {} : { model }),
    tokenizer: readSetting(database, 'tokenizer') ?? '',
    isFinished: keptDigest(database) !== undefined,
    digest: keptDigest(database) ?? '',
    fields: Object.fromEntries(fields.map(({ field, n }) => [String(field), Number(n)])),
  };
}
