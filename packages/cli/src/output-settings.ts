/** What commands may be told of where runs are kept, and of how they print. */
export interface OutputSettings {
  readonly runsDir?: string | undefined;
  /** Address of the PostgreSQL where runs on workers are kept. */
  readonly engine?: string | undefined;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  /** Address of a receiver of spans. */
  readonly otlp?: string | undefined;
}
