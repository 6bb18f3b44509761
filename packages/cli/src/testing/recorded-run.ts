import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createSqliteRunLog, type NodeRun, type RowRun, type RunNode } from '@unroll/engine';
import { testNow } from './test-io.ts';

/** Writes the record of an agent's run: two searches' room, one used, then the answer; the last agent bypassed. */
export async function recordAgentRun(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await using store = createSqliteRunLog(path, {
    id: '20261121-064500-agent-0000',
    flowPath: 'agent/flow.dag.yaml',
    flowName: 'agent',
    flowDigest: 'd',
    startedAt: testNow,
    nodes: agentNodes,
    options: {},
  });
  await store.append(agentRuns, agentRow);
}

const instance = (family: string, kind: string, iteration: number): RunNode => ({
  name: `${family}_${iteration}`,
  kind,
  loop: 'answer',
  family,
  iteration,
});

const agentNodes: readonly RunNode[] = [
  { name: 'start', kind: 'python' },
  ...[1, 2, 3].flatMap((iteration) => [instance('agent', 'llm', iteration), instance('function', 'python', iteration)]),
  { name: 'answer', kind: 'python', loop: 'answer', family: 'answer', iteration: 0 },
];

const first = { finished: false, query: '同意は要りますか', function_results: [] };
const found = { name: 'search', arguments: { query: '同意' }, content: ['[1] 要りません。'] };
const second = { ...first, function_results: [found] };
const last = { finished: true, content: '要りません。 [1]' };

const ran = { line: 0, status: 'Completed', startedAt: testNow } as const;

const agentRuns: readonly NodeRun[] = [
  { ...ran, node: 'start', kind: 'python', inputs: { query: '同意は要りますか' }, output: first, durationMs: 0.4 },
  {
    ...ran,
    node: 'agent_1',
    kind: 'llm',
    inputs: { input: first },
    output: { role: 'assistant', content: null, function_call: { name: 'search', arguments: '{"query": "同意"}' } },
    durationMs: 812,
    usage: { promptTokens: 400, completionTokens: 12, totalTokens: 412 },
    promptMessages: [
      { role: 'system', content: 'You answer.' },
      { role: 'user', content: '同意は要りますか' },
    ],
  },
  { ...ran, node: 'function_1', kind: 'python', inputs: { state: first }, output: second, durationMs: 3 },
  {
    ...ran,
    node: 'agent_2',
    kind: 'llm',
    inputs: { input: second },
    output: { role: 'assistant', content: '要りません。 [1]', function_call: null },
    durationMs: 1200,
    usage: { promptTokens: 500, completionTokens: 20, totalTokens: 520 },
    attempts: [
      { error: { code: 'RateLimitError', message: 'slow down', retryable: true }, waitedMs: 0, durationMs: 100 },
      { waitedMs: 500, durationMs: 600 },
    ],
  },
  { ...ran, node: 'function_2', kind: 'python', inputs: { state: second }, output: last, durationMs: 1 },
  { line: 0, node: 'agent_3', kind: 'llm', status: 'Bypassed' },
  { ...ran, node: 'function_3', kind: 'python', inputs: { state: last }, output: last, durationMs: 1 },
  {
    ...ran,
    node: 'answer',
    kind: 'python',
    inputs: { state: last },
    output: { status: 'answered', answer: '要りません。 [1]' },
    durationMs: 0.1,
  },
];

const agentRow: RowRun = {
  line: 0,
  status: 'Completed',
  inputs: { query: '同意は要りますか' },
  outputs: { answer: '要りません。 [1]' },
  startedAt: testNow,
  durationMs: 2021,
};
