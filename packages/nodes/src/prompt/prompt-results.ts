/** What a prompt node rendered: its text, and the same with marks where values of the flow's inputs stand. */
export interface PromptResult {
  readonly text: string;
  readonly marked: string;
  readonly mark: string;
}

const resultsOfRows = new WeakMap<object, Map<string, PromptResult>>();

/**
 * Keeps what a prompt node rendered for the nodes of the same row that are given its output: in the output, a text, it can
 * no longer be seen which line is the template's and which came from a user.
 *
 * @param row the inputs of the flow, one object a row
 */
export function keepPromptResult(row: object, node: string, result: PromptResult): void {
  const results = resultsOfRows.get(row) ?? new Map<string, PromptResult>();
  resultsOfRows.set(row, results);
  results.set(node, result);
}

/** What `node` rendered in this row; undefined where it is no prompt node, or was not run in this process. */
export function promptResult(row: object, node: string): PromptResult | undefined {
  return resultsOfRows.get(row)?.get(node);
}
