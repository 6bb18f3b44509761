import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { NodeError } from '../node/node-error.ts';
import type { Usage } from '../node/node-report.ts';
import { parseJson, type Value, type Values } from '../value/json.ts';
import type { NodeRun, NodeStatus, RowRun } from './node-run.ts';
import { promptFlowValue } from './promptflow-value.ts';

/** A run that Prompt flow recorded in a folder (`flow_artifacts`, `node_artifacts`, `metrics.json` …). */
export interface PromptFlowRun {
  /** The run's own name, else that of the folder. */
  readonly id: string;
  readonly startedAt: number;
  /** Names of the nodes that have records, in order of name. */
  readonly nodes: readonly string[];
  readonly metrics: Values;
  /** Rows in order of line. */
  readonly rows: readonly RowRun[];
  /** Records of one line in the order they started, then nodes that did not run; those of aggregation nodes are not among them. */
  nodesOf(line: number): readonly NodeRun[];
  readonly aggregation: readonly NodeRun[];
}

/** Raised where a folder holds no such run; the message says what is missing. */
export class PromptFlowRunError extends Error {}

/**
 * Reads a recorded run folder of Prompt flow.
 *
 * @param kinds node types of the flow, by name, where it is known
 * @param aggregation names of its aggregation nodes
 * @throws PromptFlowRunError
 */
export function readPromptFlowRun(
  folder: string,
  kinds: ReadonlyMap<string, string>,
  aggregation: ReadonlySet<string>,
): PromptFlowRun {
  const flowArtifacts = join(folder, 'flow_artifacts');
  if (!existsSync(flowArtifacts)) {
    throw new PromptFlowRunError(`${folder} is no run of Prompt flow: it has no flow_artifacts`);
  }
  const lines = recordsOf(flowArtifacts);
  const first = mapping(mapping(lines[0])['run_info']);
  const nodes = namesIn(join(folder, 'node_artifacts'));
  const { byLine, aggregated } = nodeRuns(join(folder, 'node_artifacts'), nodes, kinds, aggregation);
  const rows = lines
    .map(rowOf)
    .map((row) => withFailedNode(row, byLine.get(row.line) ?? []))
    .sort((one, other) => one.line - other.line);
  const perLine = [...kinds].filter(([name]) => !aggregation.has(name));
  return {
    id: text(first['root_run_id']) ?? text(first['flow_run_id'])?.replace(/_\d+$/, '') ?? basename(folder),
    startedAt: rows[0]?.startedAt ?? 0,
    nodes,
    metrics: metricsOf(join(folder, 'metrics.json')),
    rows,
    nodesOf: (line) => withNotRun(byStart(byLine.get(line) ?? []), line, perLine),
    aggregation: byStart(aggregated),
  };
}

interface NodeRuns {
  readonly byLine: ReadonlyMap<number, readonly NodeRun[]>;
  readonly aggregated: readonly NodeRun[];
}

/** An aggregation node's records carry no index, also where the flow is not known. */
function nodeRuns(
  folder: string,
  nodes: readonly string[],
  kinds: ReadonlyMap<string, string>,
  aggregation: ReadonlySet<string>,
): NodeRuns {
  const byLine = new Map<number, NodeRun[]>();
  const aggregated: NodeRun[] = [];
  for (const name of nodes) {
    for (const record of recordsOf(join(folder, name)).map(mapping)) {
      const run = nodeOf(record, name, kinds.get(name) ?? 'python');
      const hasIndex = mapping(record['run_info'])['index'] !== null;
      if (aggregation.has(name) || !hasIndex) aggregated.push(run);
      else byLine.set(run.line, [...(byLine.get(run.line) ?? []), run]);
    }
  }
  return { byLine, aggregated };
}

function byStart(runs: readonly NodeRun[]): readonly NodeRun[] {
  return [...runs].sort((one, other) => (one.startedAt ?? 0) - (other.startedAt ?? 0));
}

/** Prompt flow records nothing of a node that did not run; a record of ours says so. */
function withNotRun(
  runs: readonly NodeRun[],
  line: number,
  nodes: readonly (readonly [name: string, kind: string])[],
): readonly NodeRun[] {
  const recorded = new Set(runs.map(({ node }) => node));
  const missing = nodes.filter(([name]) => !recorded.has(name));
  return [...runs, ...missing.map(([node, kind]) => ({ line, node, kind, status: 'NotRun' as const }))];
}

function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function recordsOf(folder: string): readonly Value[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      return lines.flatMap((line, at) =>
        line.trim() === '' ? [] : [promptFlowValue(parseRecord(line, `${basename(folder)}/${name}:${at + 1}`), folder)],
      );
    });
}

function parseRecord(line: string, where: string): Value {
  try {
    return parseJson(line);
  } catch {
    throw new PromptFlowRunError(`${where} is no JSON`);
  }
}

function metricsOf(path: string): Values {
  return existsSync(path) ? mapping(parseRecord(readFileSync(path, 'utf8'), 'metrics.json')) : {};
}

function rowOf(record: Value): RowRun {
  const { line_number: line, run_info: info } = mapping(record);
  const run = mapping(info);
  const status = run['status'];
  const error = errorOf(run['error']);
  return {
    line: typeof line === 'number' ? line : 0,
    status: status === 'Completed' || status === 'Canceled' ? status : 'Failed',
    inputs: withoutLine(mapping(run['inputs'])),
    outputs: withoutLine(mapping(run['output'])),
    ...(error === undefined ? {} : { error }),
    startedAt: time(run['start_time']) ?? 0,
    durationMs: durationOf(run),
  };
}

function withFailedNode(row: RowRun, nodes: readonly NodeRun[]): RowRun {
  const failed = nodes.find(({ status }) => status === 'Failed');
  return row.error === undefined || failed === undefined ? row : { ...row, error: { ...row.error, node: failed.node } };
}

/** Prompt flow records the number of the line among its inputs. */
function withoutLine({ line_number: _line, ...rest }: Values): Values {
  return rest;
}

const statuses: readonly NodeStatus[] = ['Completed', 'Bypassed', 'Failed', 'Canceled'];

function nodeOf(record: Values, node: string, kind: string): NodeRun {
  const run = mapping(record['run_info']);
  const line = record['line_number'] ?? run['index'];
  const status = statuses.find((one) => one === run['status']) ?? 'NotRun';
  const error = errorOf(run['error']);
  const usage = usageOf(mapping(run['system_metrics']));
  const startedAt = time(run['start_time']);
  const logs = mapping(run['logs']);
  const [stdout, stderr] = [printed(logs['stdout']), printed(logs['stderr'])];
  const hasRun = status !== 'Bypassed' && status !== 'NotRun';
  return {
    line: typeof line === 'number' ? line : 0,
    node,
    kind,
    status,
    ...(hasRun ? { inputs: nodeInputs(mapping(run['inputs'])) } : {}),
    ...(error === undefined ? { output: run['output'] ?? null } : { error }),
    ...(startedAt === undefined || !hasRun ? {} : { startedAt, durationMs: durationOf(run) }),
    ...(usage === undefined ? {} : { usage }),
    ...(stdout === '' && stderr === '' ? {} : { logs: { stdout, stderr } }),
  };
}

/** Template nodes carry a note of Prompt flow's own on which inputs it escapes. */
function nodeInputs({ _inputs_to_escape: _noted, ...rest }: Values): Values {
  return rest;
}

/** Prompt flow puts the time before every piece that is written: `[2026-11-21T10:06:39+0000] text`. */
function printed(value: Value | undefined): string {
  return (text(value) ?? '').replaceAll(/\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}\] /g, '');
}

function usageOf(metrics: Values): Usage | undefined {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens } = metrics;
  if (typeof totalTokens !== 'number') return undefined;
  return {
    promptTokens: typeof promptTokens === 'number' ? promptTokens : 0,
    completionTokens: typeof completionTokens === 'number' ? completionTokens : 0,
    totalTokens,
  };
}

/** The class of an error is the innermost of its codes. */
function errorOf(value: Value | undefined): NodeError | undefined {
  if (value === undefined || value === null) return undefined;
  const error = mapping(value);
  const codes: string[] = [];
  for (let level = error; text(level['code']) !== undefined; level = mapping(level['innerError'])) {
    codes.push(text(level['code']) ?? '');
  }
  const details = mapping(listed(error['additionalInfo'])[0])['info'];
  const cause = text(mapping(details)['type']);
  return {
    code: codes.at(-1) ?? 'Error',
    message: text(error['message']) ?? '',
    retryable: false,
    ...(cause === undefined ? {} : { cause: { code: cause, message: text(mapping(details)['message']) ?? '' } }),
    codes,
  };
}

/** Milliseconds; from the measured duration in seconds, else from start and end. */
function durationOf(run: Values): number {
  const { duration } = mapping(run['system_metrics']);
  const seconds = typeof duration === 'number' || typeof duration === 'object' ? Number(duration) : Number.NaN;
  if (Number.isFinite(seconds)) return seconds * 1000;
  const [start, end] = [time(run['start_time']), time(run['end_time'])];
  return start === undefined || end === undefined ? 0 : end - start;
}

/** Times are written in UTC, with or without a Z. */
function time(value: Value | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed = Date.parse(/Z|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

function mapping(value: Value | undefined): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

function listed(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}

function text(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
