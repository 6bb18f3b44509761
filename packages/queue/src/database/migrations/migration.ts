/** One step of the schema. A migration that was published is never changed: what comes later is another one. */
export interface Migration {
  readonly name: string;
  /** Statements; names without a schema are in ours. */
  readonly sql: string;
}
