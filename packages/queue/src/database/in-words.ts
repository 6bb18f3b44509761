import type { Database } from './database.ts';

/** The same database, whose failures are told in words for people: for readers that do not know what it is. */
export function inWords(database: Database): Database {
  const inWordsOf = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw database.failureOf(error);
    }
  };
  return {
    schema: database.schema,
    shown: database.shown,
    query: (sql, values) => inWordsOf(() => database.query(sql, values)),
    lists: (sql, values) => inWordsOf(() => database.lists(sql, values)),
    transaction: (work, begin) => inWordsOf(() => database.transaction(work, begin)),
    failureOf: (error) => database.failureOf(error),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
