import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import {
  DepthError,
  type JsonObject,
  type JsonValue,
  type NodeRun,
  type NodeStatus,
  parseJson,
  type RowRun,
} from '@unroll/engine';
import { type FoundRecord, recordDoubts, unrecordedNodes } from './record-doubts.ts';
import { durationOf, errorOf, isMapping, mapping, outputsOf, printed, text, time, usageOf } from './recorded-fields.ts';
import { promptFlowValue } from './recorded-value.ts';
import { PromptFlowFolder, PromptFlowRunError } from './run-folder.ts';

/** A run that Prompt flow recorded in a folder (`flow_artifacts`, `node_artifacts`, `metrics.json` …). */
export interface PromptFlowRun {
  /** The run's own name, else that of the folder. */
  readonly id: string;
  readonly startedAt: number;
  /** Names of the nodes that have records, in order of name. */
  readonly nodes: readonly string[];
  readonly metrics: JsonObject;
  /** Rows in order of line. */
  readonly rows: readonly RowRun[];
  /** Records of one line in the order they started, then nodes that did not run; those of aggregation nodes are not among them. */
  nodesOf(line: number): readonly NodeRun[];
  readonly aggregation: readonly NodeRun[];
  /** What is missing in the folder, or stands in it otherwise than Prompt flow writes it: a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads a recorded run folder of Prompt flow.
 *
 * @param path absolute
 * @param kinds node types of the flow, by name, where it is known
 * @param aggregation names of its aggregation nodes
 * @throws PromptFlowRunError
 */
export function readPromptFlowRun(
  path: string,
  kinds: ReadonlyMap<string, string>,
  aggregation: ReadonlySet<string>,
): PromptFlowRun {
  if (!existsSync(path)) throw new PromptFlowRunError(`there is no folder ${path}`);
  const folder = new PromptFlowFolder(path);
  if (!folder.has(flowRecords)) {
    throw new PromptFlowRunError(`${path} is no run of Prompt flow: it has no ${flowRecords}`);
  }
  const records = recordsOf(folder, flowRecords);
  if (records.length === 0) {
    throw new PromptFlowRunError(`${path} holds no row: the run ended before its first one (its logs.txt may say why)`);
  }
  const first = mapping(mapping(records[0]?.value)['run_info']);
  const nodes = namesIn(folder);
  const { byLine, aggregated } = nodeRuns(folder, nodes, kinds, aggregation);
  const rows = rowsOf(records)
    .map((row) => withFailedNode(row, byLine.get(row.line) ?? []))
    .sort((one, other) => one.line - other.line);
  const perLine = [...kinds].filter(([name]) => !aggregation.has(name));
  return {
    id: text(first['root_run_id']) ?? text(first['flow_run_id'])?.replace(/_\d+$/, '') ?? basename(path),
    startedAt: rows[0]?.startedAt ?? 0,
    nodes,
    metrics: metricsOf(folder),
    rows,
    nodesOf: (line) => withNotRun(byStart(byLine.get(line) ?? []), line, perLine),
    aggregation: byStart(aggregated),
    warnings: [...missing(folder, rows, byLine, perLine), ...recordDoubts(records)],
  };
}

const flowRecords = 'flow_artifacts';
const nodeRecords = 'node_artifacts';

function missing(
  folder: PromptFlowFolder,
  rows: readonly RowRun[],
  byLine: ReadonlyMap<number, readonly NodeRun[]>,
  perLine: readonly (readonly [name: string, kind: string])[],
): readonly string[] {
  if (!folder.has(nodeRecords)) return [`it has no ${nodeRecords}: rows have no records of nodes`];
  const unrecorded = unrecordedNodes(rows, byLine, perLine);
  const lines = new Set(rows.map(({ line }) => line));
  const lost = [...byLine].flatMap(([line, runs]) => (lines.has(line) ? [] : runs)).length;
  if (lost === 0) return unrecorded;
  const what = lost === 1 ? 'a record of a node belongs' : `${lost} records of nodes belong`;
  return [
    `${what} to rows that ${flowRecords} does not hold, and ${lost === 1 ? 'is' : 'are'} left out`,
    ...unrecorded,
  ];
}

interface NodeRuns {
  readonly byLine: ReadonlyMap<number, readonly NodeRun[]>;
  readonly aggregated: readonly NodeRun[];
}

/** An aggregation node's records carry no index, also where the flow is not known. */
function nodeRuns(
  folder: PromptFlowFolder,
  nodes: readonly string[],
  kinds: ReadonlyMap<string, string>,
  aggregation: ReadonlySet<string>,
): NodeRuns {
  const byLine = new Map<number, NodeRun[]>();
  const aggregated: NodeRun[] = [];
  for (const name of nodes) {
    const once = new OnceEach();
    for (const record of recordsOf(folder, `${nodeRecords}/${name}`)) {
      const info = mapping(record.value['run_info']);
      const nodeAt = (line: number): NodeRun =>
        nodeOf(record.value, { line, node: name, kind: kinds.get(name) ?? 'python' });
      if (aggregation.has(name) || info['index'] === null) {
        aggregated.push(nodeAt(0));
        continue;
      }
      const line = once.lineOf(record, info['index']);
      byLine.set(line, [...(byLine.get(line) ?? []), nodeAt(line)]);
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

function namesIn(folder: PromptFlowFolder): readonly string[] {
  if (!folder.has(nodeRecords)) return [];
  return folder.list(nodeRecords).filter((name) => folder.isFolder(`${nodeRecords}/${name}`));
}

function recordsOf(folder: PromptFlowFolder, path: string): readonly FoundRecord[] {
  return folder
    .list(path)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => folder.lines(`${path}/${name}`))
    .map(({ text: line, where }) => {
      const value = promptFlowValue(parseRecord(line, where), folder, path);
      if (!isMapping(value)) throw new PromptFlowRunError(`${where}: no object`);
      return { value: mapping(value), where };
    });
}

function parseRecord(line: string, where: string): JsonValue {
  try {
    return parseJson(line);
  } catch (error) {
    throw new PromptFlowRunError(`${where}: ${error instanceof DepthError ? error.message : 'no JSON'}`);
  }
}

function metricsOf(folder: PromptFlowFolder): JsonObject {
  if (!folder.has('metrics.json')) return {};
  return mapping(parseRecord(folder.text('metrics.json'), 'metrics.json'));
}

const maxLine = 2 ** 32 - 1;

/** Line numbers of records, each of which is there once. */
class OnceEach {
  readonly #places = new Map<number, string>();

  /** @param given where the record itself says nothing @throws PromptFlowRunError */
  lineOf({ value, where }: FoundRecord, given?: JsonValue): number {
    const line = value['line_number'] ?? given;
    if (typeof line !== 'number' || !Number.isInteger(line) || line < 0 || line > maxLine) {
      throw new PromptFlowRunError(`${where}: its line_number is no whole number from 0 to ${maxLine}`);
    }
    const before = this.#places.get(line);
    if (before !== undefined) {
      throw new PromptFlowRunError(`${where}: row ${line} was recorded before, at ${before}`);
    }
    this.#places.set(line, where);
    return line;
  }
}

function rowsOf(records: readonly FoundRecord[]): readonly RowRun[] {
  const once = new OnceEach();
  return records.map((record) => rowOf(record.value, once.lineOf(record)));
}

function rowOf(record: JsonObject, line: number): RowRun {
  const run = mapping(record['run_info']);
  const status = run['status'];
  const error = errorOf(run['error']);
  return {
    line,
    status: status === 'Completed' || status === 'Canceled' ? status : 'Failed',
    inputs: withoutLine(mapping(run['inputs'])),
    outputs: withoutLine(outputsOf(run['output'])),
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
function withoutLine({ line_number: _line, ...rest }: JsonObject): JsonObject {
  return rest;
}

const statuses: readonly NodeStatus[] = ['Completed', 'Bypassed', 'Failed', 'Canceled'];

function nodeOf(record: JsonObject, is: Pick<NodeRun, 'line' | 'node' | 'kind'>): NodeRun {
  const run = mapping(record['run_info']);
  const status = statuses.find((one) => one === run['status']) ?? 'NotRun';
  const error = errorOf(run['error']);
  const usage = usageOf(mapping(run['system_metrics']));
  const startedAt = time(run['start_time']);
  const logs = mapping(run['logs']);
  const [stdout, stderr] = [printed(logs['stdout']), printed(logs['stderr'])];
  const hasRun = status !== 'Bypassed' && status !== 'NotRun';
  return {
    ...is,
    status,
    ...(hasRun ? { inputs: nodeInputs(mapping(run['inputs'])) } : {}),
    ...(error === undefined ? { output: run['output'] ?? null } : { error }),
    ...(startedAt === undefined || !hasRun ? {} : { startedAt, durationMs: durationOf(run) }),
    ...(usage === undefined ? {} : { usage }),
    ...(stdout === '' && stderr === '' ? {} : { logs: { stdout, stderr } }),
  };
}

/** Template nodes carry a note of Prompt flow's own on which inputs it escapes. */
function nodeInputs({ _inputs_to_escape: _noted, ...rest }: JsonObject): JsonObject {
  return rest;
}
