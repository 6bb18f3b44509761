import type { Database } from './database.ts';

/** What fails within is told in words for people. */
export async function toldInWords<T>(database: Pick<Database, 'failureOf'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw database.failureOf(error);
  }
}

/** The same database, whose failures are told in words for people: for readers that do not know what it is. */
export function inWords(database: Database): Database {
  const inWordsOf = <T>(work: () => Promise<T>): Promise<T> => toldInWords(database, work);
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
