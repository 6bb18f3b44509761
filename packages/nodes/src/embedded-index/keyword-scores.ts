import type { SearchFilter } from '@unroll/engine';
import { filterQuery } from './filter-sql.ts';
import type { Scores } from './fuse-rankings.ts';
import type { DatabaseSync } from './index-database.ts';
import { searchWords } from './search-words.ts';

/** Beyond the number wanted, so that documents of the same score as the last are ordered by id and not by accident. */
const spare = 16;

/**
 * BM25 over title (counted twice), text and the texts of the other fields, as FTS5 works it out (k1 = 1.2, b = 0.75; a word
 * that stands in more than half of the documents counts next to nothing).
 *
 * @returns at least the best `count`, above 0; none where the query has no words
 */
export function keywordScores(
  database: DatabaseSync,
  query: string,
  count: number,
  filter: SearchFilter | undefined,
): Scores {
  const words = [...new Set(searchWords(query))];
  if (words.length === 0) return new Map();
  const match = words.map((word) => `"${word}"`).join(' OR ');
  const allowed = filter === undefined ? { sql: '', values: [] } : filterQuery(filter);
  // The plus keeps SQLite from asking the words of each allowed document one after the other.
  const condition = filter === undefined ? '' : `AND +rowid IN (${allowed.sql})`;
  const rows = database
    .prepare(
      `SELECT rowid AS document, -rank AS score FROM terms WHERE terms MATCH ? ${condition} ORDER BY rank LIMIT ?`,
    )
    .all(match, ...allowed.values, count + spare);
  return new Map(rows.map(({ document, score }) => [Number(document), Number(score)]));
}
