/** What a code node is: called with its inputs by name and what it may want of the run. */
export type CodeFunction = (inputs: Record<string, unknown>, context: CodeContext) => unknown;

/** Second argument of a code node's function. */
export interface CodeContext {
  /** Fires when the node ran too long or the run is stopped. */
  readonly signal: AbortSignal;
  /** Number of the row, from 0. */
  readonly line: number;
  /** The flow's `environment_variables` and those given for the run; `process.env` does not have them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Adds a line to the node's recorded output. */
  readonly log: (text: string) => void;
  /** Records a metric of the run; counts in aggregation nodes only, and the last value of a key wins. */
  readonly logMetric: (key: string, value: unknown) => void;
}
