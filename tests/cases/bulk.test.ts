import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  allOf,
  type BulkResult,
  checkFlow,
  completeMapping,
  createMemoryRunLog,
  type DataRow,
  exportRows,
  type FlowFiles,
  type JsonObject,
  type NodeError,
  type NodeRun,
  noData,
  openData,
  openFlow,
  preventsRun,
  type RowRun,
  runBulk,
  writeRows,
} from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { readCases } from './case-file.ts';
import { joinSets } from './promptflow/join-sets.ts';

interface BulkCase {
  readonly id: string;
  readonly why: string;
  readonly flow_inputs?: Readonly<Record<string, { readonly default?: string }>>;
  readonly data?: readonly JsonObject[];
  readonly data_text?: string;
  readonly column_mapping?: JsonObject;
  readonly run_outputs?: readonly JsonObject[];
  readonly lines?: number | readonly { readonly ok: boolean }[];
  readonly concurrency?: readonly number[];
  readonly required_inputs?: readonly JsonObject[];
  readonly required_error?: string;
  readonly required_grades?: readonly string[];
  readonly required_metrics?: JsonObject;
  readonly required?: JsonObject;
}

const cases = readCases<BulkCase>('s1_bulk.jsonl');

/** The cases' names of refusals, by ours. */
const errorNames: Readonly<Record<string, string>> = {
  ApplyInputMappingError: 'MAPPING_COLUMN_MISSING',
  EmptyInputsData: 'EMPTY_DATA',
  InputMappingError: 'EMPTY_DATA',
  FLOW_AGGREGATION: 'INVALID_NODE_REFERENCE',
};

test.for(cases)('$id: $why', async (given) => {
  const checks = [
    checkInputs,
    checkDataText,
    checkEvaluation,
    checkFailingLine,
    checkLineMetric,
    checkSameFile,
    checkAggregationRead,
  ];
  const held = [];
  for (const check of checks) held.push(await check(given));
  expect(held.filter(Boolean), 'every case is checked').not.toHaveLength(0);
});

async function checkInputs({ data, flow_inputs: inputs = {}, ...given }: BulkCase): Promise<boolean> {
  if (data === undefined || given.run_outputs !== undefined) return false;
  const specs = Object.entries(inputs).map(([name, input]) => ({ name, ...input }));
  if (data.length === 0) {
    expect(errorNames[noData({ data: 'data.jsonl' }).code]).toBe(given.required_error);
    return true;
  }
  const joined = joinSets({ data }, completeMapping(specs, given.column_mapping));
  if (!joined.ok) expect(unmappedName(joined.error, given.column_mapping)).toBe(given.required_error);
  else {
    expect(given.required_error).toBeUndefined();
    const defaults = Object.fromEntries(
      specs.flatMap((input) => ('default' in input ? [[input.name, input.default]] : [])),
    );
    const filled = joined.rows.map((row) => ({ ...defaults, ...('values' in row ? row.values : {}) }));
    expect(filled).toEqual(given.required_inputs);
  }
  return true;
}

/** The cases tell a column that is mapped and not there from an input that nothing is written for. */
function unmappedName({ code, message }: NodeError, written: JsonObject = {}): string | undefined {
  const isWritten = Object.values(written).some((source) => message.includes(String(source)));
  return code === 'ApplyInputMappingError' && !isWritten ? 'INPUT_MISSING' : errorNames[code];
}

async function checkDataText({ data_text: text, required_inputs: wanted, ...given }: BulkCase): Promise<boolean> {
  if (text === undefined) return false;
  const folder = mkdtempSync(join(tmpdir(), 'unroll-cases-'));
  try {
    const [header = ''] = text.split('\n');
    const table = header.includes('\t') ? 'data.tsv' : 'data.csv';
    const [first = ''] = text.trimStart();
    const path = join(folder, first === '{' ? 'data.jsonl' : first === '[' ? 'data.json' : table);
    writeFileSync(path, text);
    const opened = await openData(path);
    const rows = opened.ok ? await Array.fromAsync(opened.data.rows()) : [];
    if (given.required_error === undefined) expect(rows).toEqual(wanted?.map((values, line) => ({ line, values })));
    else expect(dataProblem(rows, basename(path))).toEqual({ error: given.required_error, ...given.required });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return true;
}

/** The first row that cannot be read, by the place its problem begins with. */
function dataProblem(rows: readonly DataRow[], file: string): JsonObject | undefined {
  const [problem] = rows.flatMap((row) => ('problem' in row ? [row.problem] : []));
  const line = problem?.startsWith(`${file}:`) === true ? /^\d+/.exec(problem.slice(file.length + 1)) : null;
  return problem === undefined
    ? undefined
    : { error: 'DATA_PARSE', ...(line === null ? {} : { line: Number(line[0]) }) };
}

async function checkEvaluation(given: BulkCase): Promise<boolean> {
  const { data, run_outputs: outputs, column_mapping: mapping = {} } = given;
  if (data === undefined || outputs === undefined) return false;
  const numbered = outputs.map(({ line, ...rest }) => ({ ...rest, line_number: line ?? null }));
  const joined = joinSets({ data, 'run.outputs': numbered }, mapping);
  const { rows, result } = await evaluate(joined.ok ? joined.rows : []);
  expect(rows.map((row) => row.outputs['grade'])).toEqual(given.required_grades);
  expect(result.metrics).toEqual(given.required_metrics);
  return true;
}

async function checkFailingLine({ lines, required }: BulkCase): Promise<boolean> {
  if (!Array.isArray(lines)) return false;
  const { result } = await evaluate(
    lines.map(({ ok }, line) => ({ line, values: { groundtruth: 'a', prediction: ok ? 'a' : 'raise' } })),
  );
  expect({ completed: result.completed, failed: result.failed }).toEqual({
    completed: required?.['completed'],
    failed: required?.['failed'],
  });
  return true;
}

async function checkLineMetric({ required }: BulkCase): Promise<boolean> {
  if (required?.['metric_from_line_node'] === undefined) return false;
  expect(required['metric_from_line_node']).toBe('ignored with a warning');
  const { result, nodes } = await evaluate([{ line: 0, values: { groundtruth: 'a', prediction: 'a' } }]);
  expect(result.metrics).toEqual({ accuracy: 1 });
  const grade = nodes.find(({ node }) => node === 'grade');
  expect(grade?.warnings?.join()).toContain('from_a_line');
  return true;
}

/** The file of a run's rows, where later rows are done before earlier ones. */
async function checkSameFile({ lines, concurrency = [], required }: BulkCase): Promise<boolean> {
  if (required?.['same_file'] === undefined) return false;
  const count = Number(lines);
  const rows = Array.from({ length: count }, (_, line) => {
    const groundtruth = `after ${10 * (count - line)} turns`;
    return { line, values: { groundtruth, prediction: `${groundtruth} of row ${line}` } };
  });
  const files = [];
  for (const atOnce of concurrency) files.push((await evaluate(rows, atOnce)).file);
  expect(new Set(files).size === 1).toBe(required['same_file']);
  const written = files[0]?.trim().split('\n') ?? [];
  expect(written.map((line) => (JSON.parse(line) as JsonObject)['line_number'])).toEqual(rows.map(({ line }) => line));
  return true;
}

/** A flow in which a node that runs once a line reads one that runs after all of them. */
function checkAggregationRead({ required_error: wanted, ...given }: BulkCase): boolean {
  if (given.data !== undefined || given.data_text !== undefined || wanted === undefined) return false;
  const text = readFileSync(join(import.meta.dirname, 'bulk/flow.dag.yaml'), 'utf8');
  const late =
    '  - { name: late, type: prompt, source: { type: code, path: late.jinja2 }, inputs: { x: "${accuracy.output}" } }';
  const files: FlowFiles = {
    folder: '',
    read: (path) => ({ path, text: '{{ x }}' }),
    resolve: (path) => path,
    list: () => [],
  };
  const checked = checkFlow(
    { path: 'flow.dag.yaml', text: `${text}${late}\n` },
    {
      nodeTypes: nodeTypes({ extensions: [promptFlow()] }),
      files,
      connections: { find: () => undefined, names: () => [] },
    },
  );
  const codes = checked.diagnostics.filter(preventsRun).map(({ code }) => code);
  expect(codes.map((code) => errorNames[code])).toEqual([wanted]);
  return true;
}

interface Evaluated {
  readonly result: BulkResult;
  readonly rows: readonly RowRun[];
  readonly nodes: readonly NodeRun[];
  /** The rows as JSON lines. */
  readonly file: string;
}

/** Runs the evaluation flow of `bulk/` over rows. */
async function evaluate(rows: readonly DataRow[], concurrency = 2): Promise<Evaluated> {
  const folder = join(import.meta.dirname, 'bulk');
  const opened = await openFlow(
    { folder, file: join(folder, 'flow.dag.yaml') },
    { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections: { find: () => undefined, names: () => [] } },
  );
  if (opened.flow === undefined) throw new Error('bug: the flow of the test is wrong');
  await using flow = opened.flow;
  await using store = createMemoryRunLog({
    id: 'r',
    flowPath: 'bulk',
    flowName: 'bulk',
    flowDigest: '',
    startedAt: 0,
    nodes: [],
  });
  const result = await runBulk(flow, rows, store, { runId: 'r', concurrency });
  const file = (await Array.fromAsync(writeRows(exportRows(store), 'jsonl'))).join('');
  return { result, rows: await allOf(store.rows()), nodes: await store.nodes(0), file };
}
