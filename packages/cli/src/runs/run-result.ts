import {
  answeringFallback,
  errorJson,
  type JsonObject,
  type JsonValue,
  type NodeError,
  type NodeRun,
  type NodeStatus,
  type RowRun,
  stringifyJson,
  type Usage,
  usageJson,
} from '@unroll/engine';

/** What `flow run --json` and `flow show --json` print. Stable: other tools read it; described in docs/run-json.md. */
export type RunResult = {
  readonly status: 'Completed' | 'Failed' | 'Canceled' | 'Unfinished';
  readonly outputs: JsonObject;
  readonly nodes: Readonly<Record<string, NodeResult>>;
  readonly metrics: JsonObject;
  readonly error: ErrorResult | null;
  readonly run_id: string | null;
  /** Path of the record. */
  readonly record: string | null;
};

export type NodeResult = {
  readonly status: NodeStatus;
  readonly inputs: JsonObject | null;
  readonly output: JsonValue;
  readonly error: ErrorResult | null;
  readonly duration_ms: number | null;
  readonly tokens: TokensResult | null;
  /** Where another connection than the node's own answered. */
  readonly answered_by?: { readonly connection: string; readonly model: string };
};

/** Of what failed while it ran also whether trying again can help, and what is known of the cause. */
export type ErrorResult = {
  readonly code: string;
  readonly message: string;
  readonly node: string | null;
  readonly retryable?: boolean;
} & JsonObject;

/** With the parts that the service told: `cached_tokens`, `reasoning_tokens` … */
export type TokensResult = Readonly<Record<'prompt_tokens' | 'completion_tokens' | 'total_tokens', number>> &
  JsonObject;

/**
 * The result of one row from its records.
 *
 * @param record undefined where it could not be recorded
 */
export function runResult(
  row: RowRun,
  nodes: readonly NodeRun[],
  metrics: JsonObject,
  record: { readonly id: string; readonly path: string } | undefined,
): RunResult {
  const isUnfinished = row.status === 'Completed' && (row.unfinished ?? []).length > 0;
  return {
    status: isUnfinished ? 'Unfinished' : row.status,
    outputs: row.outputs,
    nodes: Object.fromEntries(nodes.map((node) => [node.node, nodeResult(node)])),
    metrics,
    error: row.error === undefined ? null : failureResult(row.error, row.error.node),
    run_id: record?.id ?? null,
    record: record?.path ?? null,
  };
}

export function nodeResult(node: NodeRun): NodeResult {
  const answering = answeringFallback(node);
  return {
    status: node.status,
    inputs: node.inputs ?? null,
    output: node.output ?? null,
    error: node.error === undefined ? null : failureResult(node.error, node.node),
    duration_ms: node.durationMs === undefined ? null : Math.round(node.durationMs * 1000) / 1000,
    tokens: node.usage === undefined ? null : tokensResult(node.usage),
    ...(answering === undefined ? {} : { answered_by: answering }),
  };
}

/** Of a mistake that kept the flow from running: class and message alone. */
export function errorResult(
  { code, message }: { readonly code: string; readonly message: string },
  node: string | undefined,
): ErrorResult {
  return { code, message, node: node ?? null };
}

/** Why a node, or the row that it belongs to, failed. */
export function failureResult(error: NodeError, node: string | undefined): ErrorResult {
  return { ...errorResult(error, node), ...errorJson(error) };
}

/** Of a flow that could not run at all. */
export function unrunResult(error: ErrorResult): RunResult {
  return { status: 'Failed', outputs: {}, nodes: {}, metrics: {}, error, run_id: null, record: null };
}

/** Any object of a machine's, on one line or indented. */
export function stringifyJsonLine(value: JsonObject, indent?: number): string {
  return `${stringifyJson(value, indent)}\n`;
}

export function stringifyResult(result: RunResult & JsonObject): string {
  return `${stringifyJson(result, 2)}\n`;
}

export function tokensResult(usage: Usage): TokensResult {
  return usageJson(usage) as TokensResult;
}
