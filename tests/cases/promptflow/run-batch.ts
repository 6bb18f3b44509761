import { join } from 'node:path';
import {
  allOf,
  completeMapping,
  createMemoryRunLog,
  type DataRow,
  type JsonObject,
  type NodeError,
  type NodeRun,
  noData,
  openData,
  type RunnableFlow,
  runBulk,
} from '@unroll/engine';
import type { PromptFlowCase } from './case.ts';
import { caseError, nodeResult } from './case-error.ts';
import { asDataFrame } from './data-frame.ts';
import { invalidData, joinSets } from './join-sets.ts';

/** Seconds a line may take where the case does not say, as in the original. */
const lineTimeoutSeconds = 600;

/** The lines of the case's data, then the aggregation nodes: what the original's batch engine tells of a run. */
export async function runBatch(flow: RunnableFlow, folder: string, one: PromptFlowCase): Promise<JsonObject> {
  const rows = await readRows(flow, folder, one);
  if ('error' in rows) return { error: { stage: 'batch', ...caseError(rows.error) } };
  const info = { id: 'case', flowPath: folder, flowName: one.flow, flowDigest: '', startedAt: 0, nodes: [] };
  await using store = createMemoryRunLog(info);
  const seconds = Number(one.batch_options?.['line_timeout_sec'] ?? lineTimeoutSeconds);
  const runSeconds = one.batch_options?.['batch_timeout_sec'];
  const timeoutMs = runSeconds === undefined ? undefined : Number(runSeconds) * 1000;
  const options = { runId: 'case', concurrency: 4, rowTimeoutMs: seconds * 1000, timeoutMs };
  const result = await runBulk(flow, rows.rows, store, options);
  const ended = await allOf(store.rows());
  const isCode = flow.plan.answersBy !== undefined;
  const told = isCode ? [] : flow.plan.nodes;
  const perLine = new Set(told.flatMap(({ name, aggregation }) => (aggregation ? [] : [name])));
  const nodes = await Promise.all(
    ended.map(async ({ line }) => {
      const runs = ranNodes(await store.nodes(line));
      return [line, runs.filter(({ node }) => perLine.has(node))] as const;
    }),
  );
  const aggregation = isCode ? [] : ranNodes(result.aggregation);
  return {
    status: result.timedOut ? 'Failed' : 'Completed',
    total_lines: ended.length,
    completed_lines: result.completed,
    failed_lines: ended.length - result.completed,
    node_status: countStatuses(
      nodes.flatMap(([, runs]) => runs),
      aggregation,
    ),
    metrics: result.metrics,
    outputs: ended.flatMap(({ line, status, outputs }) =>
      status === 'Completed' ? [{ line_number: line, ...outputs }] : [],
    ),
    line_errors: ended.flatMap(({ line, error }) =>
      error === undefined ? [] : [{ line_number: line, ...caseError(error) }],
    ),
    aggregation_errors: Object.fromEntries(
      aggregation.flatMap(({ node, error }) => (error === undefined ? [] : [[node, caseError(error)]])),
    ),
    aggregation: Object.fromEntries(aggregation.map((run) => [run.node, nodeResult(run)])),
    line_node_status: Object.fromEntries(
      nodes
        .filter(([, runs]) => runs.length > 0)
        .map(([line, runs]) => [String(line), Object.fromEntries(runs.map(({ node, status }) => [node, status]))]),
    ),
  };
}

type Rows = { readonly rows: readonly DataRow[] } | { readonly error: NodeError };

async function readRows(flow: RunnableFlow, folder: string, one: PromptFlowCase): Promise<Rows> {
  const sets: Record<string, readonly JsonObject[]> = {};
  for (const [name, path] of Object.entries(one.data ?? {})) {
    const read = await readSet(join(folder, path));
    if (read === undefined) return { error: invalidData };
    const max = Number(one.run_options?.['max_lines_count'] ?? Number.POSITIVE_INFINITY);
    const rows = (/\.jsonl?$/.test(path) ? asDataFrame(read) : read).slice(0, max);
    if (rows.length === 0) return { error: noData({ [name]: join(folder, path) }) };
    sets[name] = rows;
  }
  const joined = joinSets(sets, completeMapping(flow.plan.inputs, one.column_mapping ?? {}));
  return joined.ok ? { rows: joined.rows } : { error: joined.error };
}

/** A file that is not there has no rows; undefined for JSON that cannot be read. */
async function readSet(path: string): Promise<readonly JsonObject[] | undefined> {
  const opened = await openData(path);
  const rows: JsonObject[] = [];
  if (!opened.ok) return rows;
  for await (const row of opened.data.rows()) {
    if ('values' in row) rows.push(row.values);
    else if (/\.jsonl?$/.test(path)) return undefined;
  }
  return rows;
}

function ranNodes(runs: readonly NodeRun[]): readonly NodeRun[] {
  return runs.filter(({ status }) => status !== 'NotRun');
}

function countStatuses(lines: readonly NodeRun[], aggregation: readonly NodeRun[]): JsonObject {
  const counts: Record<string, number> = {};
  for (const { node, status } of lines) {
    const key = `${node}.${status.toLowerCase()}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  for (const { node, status } of aggregation) counts[`${node}.${status.toLowerCase()}`] = 1;
  return counts;
}
