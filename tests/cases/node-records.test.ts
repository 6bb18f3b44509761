import { type JsonObject, type JsonValue, type NodeRun, recordJson } from '@unroll/engine';
import { compareRecords } from '@unroll/evals';
import { expect, test } from 'vitest';
import { readCases, readReferred } from './case-file.ts';
import { type CaseFlow, runCaseFlow } from './run-case-flow.ts';
import { answerMessage, callMessage, seedFlow } from './seed-flow.ts';

interface RecordCase {
  readonly id: string;
  readonly why: string;
  readonly flow?: string;
  readonly record_fields?: readonly string[];
  readonly status_values?: readonly string[];
  readonly required?: JsonObject;
  readonly addresses?: readonly string[];
}

const question = { query: '個人情報とは何ですか?' };
const search = callMessage('qanda_search', '個人情報 定義');
const functions = { qanda_search: { returns: 'QA' }, guideline_search: { returns: 'GL' } };

/** The flows that the cases name, for a folder of cases that does not hold them. */
const namedFlows: Readonly<Record<string, CaseFlow>> = {
  seed01_found_in_faq: seedFlow([search, answerMessage('回答'), answerMessage('UNREACHED')], functions),
  seed08_function_raises: seedFlow([search, answerMessage('UNREACHED'), answerMessage('UNREACHED')], {
    ...functions,
    qanda_search: { raises: { type: 'RuntimeError', message: '503 Service Unavailable' } },
  }),
};
const written = readReferred<{ readonly id: string; readonly flow: CaseFlow; readonly inputs: JsonObject }>(
  's1_dag.jsonl',
);

async function recordsOf(name: string): Promise<readonly NodeRun[]> {
  const found = written.find(({ id }) => id === name);
  const flow = found?.flow ?? namedFlows[name];
  if (flow === undefined) throw new Error(`the cases name a flow "${name}" that the harness does not know`);
  const run = await runCaseFlow(flow, found?.inputs ?? question);
  if (run.row === undefined) throw new Error(`${name} did not pass the check`);
  return run.nodes;
}

/** What stands at `agent_1.output.function_call.arguments.query`; JSON in a text is stepped into, `keys` are sorted. */
function readAddress(records: readonly NodeRun[], address: string): unknown {
  const [node = '', ...steps] = address.split(/[.[\]]+/u).filter((step) => step !== '');
  const record = records.find((run) => run.node === node);
  return steps.reduce<unknown>(stepInto, record === undefined ? undefined : recordJson(record));
}

function stepInto(value: unknown, step: string): unknown {
  const inside: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  if (typeof inside !== 'object' || inside === null) return undefined;
  return step === 'keys' ? Object.keys(inside).sort() : (inside as Readonly<Record<string, unknown>>)[step];
}

function readRequired(records: readonly NodeRun[], key: string, expected: JsonValue): unknown {
  if (key === 'records') return records.length;
  if (key !== 'statuses') return readAddress(records, key);
  const names = Object.keys(expected as JsonObject);
  return Object.fromEntries(names.map((name) => [name, readAddress(records, `${name}.status`)]));
}

const cases = readCases<RecordCase>('s1_node_records.jsonl');

test.for(cases.filter((one) => one.flow !== undefined && one.required !== undefined))('$id: $why', async (one) => {
  const records = await recordsOf(one.flow ?? '');
  const required = Object.entries(one.required ?? {});
  const read = required.map(([key, expected]) => [key, readRequired(records, key, expected)]);
  expect(Object.fromEntries(read)).toEqual(one.required);
});

test.for(cases.filter((one) => one.addresses !== undefined))('$id: $why', async ({ flow, addresses = [] }) => {
  const records = await recordsOf(flow ?? 'seed01_found_in_faq');
  const missing = addresses.filter((address) => readAddress(records, address) === undefined);
  expect(missing).toEqual([]);
});

test.for(cases.filter((one) => one.record_fields !== undefined))('$id: $why', async (one) => {
  const records = [...(await recordsOf('seed01_found_in_faq')), ...(await recordsOf('seed08_function_raises'))];
  for (const record of records) expect(Object.keys(recordJson(record))).toEqual(one.record_fields);
  const statuses = new Set(records.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([...(one.status_values ?? [])].sort());
});

test.for(cases.filter((one) => one.required !== undefined && 'classes' in one.required))(
  '$id: $why',
  ({ required }) => {
    const run = (node: string, rest: Partial<NodeRun> = {}): NodeRun => {
      return { line: 0, node, kind: 'python', status: 'Completed', output: node, startedAt: 1, durationMs: 1, ...rest };
    };
    const left = [run('same'), run('output'), run('status'), run('left')];
    const later = { startedAt: 2, durationMs: 3 };
    const right = [
      run('same', later),
      run('output', { output: 1 }),
      run('status', { status: 'Bypassed' }),
      run('right'),
    ];
    expect(compareRecords(left, right).map((difference) => difference.class)).toEqual(required?.['classes']);
    const [same] = compareRecords(left, right);
    const [one, other] = [same?.left, same?.right].map((record) => recordJson(record as NodeRun));
    const differing = Object.keys(one ?? {}).filter((key) => one?.[key] !== other?.[key]);
    expect(differing).toEqual(required?.['ignored_fields']);
  },
);

test('every case is of a form that is run here', () => {
  const known = cases.filter((one) => one.record_fields ?? one.addresses ?? one.required);
  expect(known).toHaveLength(cases.length);
});
