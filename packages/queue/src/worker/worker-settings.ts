export interface WorkerSettings {
  /** What whoever follows a run sees of it. */
  readonly name: string;
  /** Rows at the same time. */
  readonly concurrency: number;
  /** Looked into before all other places of connections. */
  readonly connectionsFile?: string | undefined;
  /** Folder of flows and Python environments, absolute; workers of a machine may share it. */
  readonly cache: string;
  /** Aborted: rows in flight end, the others are handed back. */
  readonly signal: AbortSignal;
  /** Told what it does, a line each. */
  readonly onLine: (line: string) => void;
}
