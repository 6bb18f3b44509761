/** What carries out SQL: a pool, or one connection inside a transaction. */
export interface Queryable {
  /**
   * @param values of `$1`, `$2` …
   * @returns the rows of its answer
   */
  query<Row = Readonly<Record<string, unknown>>>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The same with each row as a list of its columns: of many rows a name for each value takes longer than all the rest. */
  lists<Row extends readonly unknown[]>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** One connection, inside a transaction. */
export interface Transaction extends Queryable {
  readonly schema: string;
}

/** The database in which runs are kept; it has several connections, which are opened as they are needed. */
export interface Database extends Queryable, AsyncDisposable {
  /** Everything is in this schema and in `<schema>_jobs`: a name that needs no quotes. */
  readonly schema: string;
  /** Its address without password, to be shown. */
  readonly shown: string;
  /**
   * Rolled back where `work` throws. It is not tried again.
   *
   * @param begin `briefly` where absent
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>, begin?: string): Promise<Result>;
  /** What one of its methods threw, in words for people (a ProjectFailure) where there are some, and without the password. */
  failureOf(error: unknown): unknown;
}
