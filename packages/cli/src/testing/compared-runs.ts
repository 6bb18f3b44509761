import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSqliteRunLog, type NodeRun, type RowRun, type RunInfo, type RunNode } from '@unroll/engine';
import { testNow } from './test-io.ts';

const nodes: readonly RunNode[] = [
  { name: 'start', kind: 'python', reads: [], readsInputs: ['query'] },
  { name: 'agent_1', kind: 'llm', ...instance('agent', 1), reads: ['start'], place: 'flow.dag.yaml:23' },
  { name: 'function_1', kind: 'python', ...instance('function', 1), reads: ['agent_1', 'start'] },
  { name: 'agent_2', kind: 'llm', ...instance('agent', 2), reads: ['function_1'], place: 'flow.dag.yaml:23' },
  { name: 'function_2', kind: 'python', ...instance('function', 2), reads: ['agent_2', 'function_1'] },
  { name: 'answer', kind: 'python', loop: 'answer', family: 'answer', iteration: 0, reads: ['function_2'] },
];

function instance(family: string, iteration: number): Partial<RunNode> {
  return { loop: 'answer', family, iteration, readsInputs: [] };
}

/** What a row of such a run gives: the search, what it found and the answer; an answer of undefined is a failed model call. */
export interface ComparedRow {
  readonly query: string;
  readonly search: string;
  readonly found: string;
  readonly answer: string | undefined;
}

/**
 * Records `<id>.run` of an agent that searches once and answers.
 *
 * @param prompt the agents' template; undefined: a run that tells no definitions
 */
export async function recordComparedRun(
  folder: string,
  id: string,
  prompt: string | undefined,
  rows: readonly ComparedRow[],
  madeWith?: RunInfo['madeWith'],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const definition = (name: string): Readonly<Record<string, string>> =>
    name.startsWith('agent') ? { type: 'llm', 'template agent.jinja2': textDigest(prompt ?? '') } : { type: 'python' };
  const info: RunInfo = {
    id,
    flowPath: 'agent/flow.dag.yaml',
    flowName: 'agent',
    flowDigest: prompt ?? '',
    startedAt: testNow,
    nodes,
    outputs: [{ name: 'answer', reads: 'answer' }],
    ...(madeWith === undefined ? {} : { madeWith }),
    ...(prompt === undefined
      ? {}
      : { nodeDefinitions: Object.fromEntries(nodes.map(({ name }) => [name, definition(name)])) }),
  };
  await using store = createSqliteRunLog(join(folder, `${id}.run`), info);
  for (const [line, row] of rows.entries()) await store.append(nodeRuns(line, row, prompt), rowRun(line, row));
}

function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function nodeRuns(
  line: number,
  { query, search, found, answer }: ComparedRow,
  prompt: string | undefined,
): readonly NodeRun[] {
  const state = { query };
  const call = { function_call: { name: search, arguments: JSON.stringify({ query }) } };
  const result = { query, function_results: [{ name: search, content: found }] };
  const run = (node: string, kind: string, rest: Partial<NodeRun>): NodeRun => {
    return { line, node, kind, status: 'Completed', startedAt: testNow, durationMs: 1, ...rest };
  };
  const before = [
    run('start', 'python', { inputs: { query }, output: state }),
    run('agent_1', 'llm', { inputs: { input: state }, output: call, ...sent(prompt) }),
    run('function_1', 'python', { inputs: { state, call }, output: result }),
  ];
  const error = { code: 'RateLimitError', message: 'slow down', retryable: true };
  if (answer === undefined) {
    const notRun = ['function_2', 'answer'].map((node) => ({ line, node, kind: 'python', status: 'NotRun' }) as const);
    return [...before, run('agent_2', 'llm', { inputs: { input: result }, status: 'Failed', error }), ...notRun];
  }
  return [
    ...before,
    run('agent_2', 'llm', { inputs: { input: result }, output: { content: answer } }),
    run('function_2', 'python', {
      inputs: { state: result, message: answer },
      output: { finished: true, content: answer },
    }),
    run('answer', 'python', { inputs: { state: answer }, output: answer }),
  ];
}

function sent(prompt: string | undefined): Pick<NodeRun, 'promptMessages'> {
  return prompt === undefined ? {} : { promptMessages: [{ role: 'system', content: prompt }] };
}

function rowRun(line: number, { query, answer }: ComparedRow): RowRun {
  const ended = { line, inputs: { query }, startedAt: testNow, durationMs: 5 };
  if (answer !== undefined) return { ...ended, status: 'Completed', outputs: { answer } };
  const error = { code: 'RateLimitError', message: 'slow down', retryable: true, node: 'agent_2' };
  return { ...ended, status: 'Failed', outputs: {}, error };
}
