import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BulkResult,
  completeMapping,
  createMemoryRunStore,
  type DataRow,
  type JsonObject,
  joinSets,
  type NodeRun,
  noData,
  openData,
  openFlow,
  type RowRun,
  runBulk,
} from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { readCases } from './case-file.ts';

interface BulkCase {
  readonly id: string;
  readonly why: string;
  readonly flow_inputs?: Readonly<Record<string, { readonly default?: string }>>;
  readonly data?: readonly JsonObject[];
  readonly data_text?: string;
  readonly column_mapping?: JsonObject;
  readonly run_outputs?: readonly JsonObject[];
  readonly lines?: readonly { readonly ok: boolean }[];
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
};

test.for(cases)('$id: $why', async (given) => {
  const checks = [checkInputs, checkDataText, checkEvaluation, checkFailingLine, checkLineMetric];
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
  if (!joined.ok) expect(errorNames[joined.error.code]).toBe(given.required_error);
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

async function checkDataText({ data_text: text, required_inputs: wanted }: BulkCase): Promise<boolean> {
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
    expect(rows).toEqual(wanted?.map((values, line) => ({ line, values })));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return true;
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
  if (lines === undefined) return false;
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

interface Evaluated {
  readonly result: BulkResult;
  readonly rows: readonly RowRun[];
  readonly nodes: readonly NodeRun[];
}

/** Runs the evaluation flow of `bulk/` over rows. */
async function evaluate(rows: readonly DataRow[]): Promise<Evaluated> {
  const folder = join(import.meta.dirname, 'bulk');
  const opened = await openFlow(
    { folder, file: join(folder, 'flow.dag.yaml') },
    { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections: { find: () => undefined, names: () => [] } },
  );
  if (opened.flow === undefined) throw new Error('bug: the flow of the test is wrong');
  await using flow = opened.flow;
  await using store = createMemoryRunStore({
    id: 'r',
    flowPath: 'bulk',
    flowName: 'bulk',
    flowDigest: '',
    startedAt: 0,
    nodes: [],
  });
  const result = await runBulk(flow, rows, store, { runId: 'r', concurrency: 2 });
  return { result, rows: [...store.rows()], nodes: store.nodes(0) };
}
