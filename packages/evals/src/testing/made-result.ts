import { meansByLine } from '../baseline/baseline-of.ts';
import type { EvalResult, MetricResult, RunMade } from '../eval-result/eval-result.ts';
import { meanInterval } from '../statistics/mean-interval.ts';

export interface MadeMetric extends Partial<Omit<MetricResult, 'name' | 'scores'>> {
  readonly name: string;
  /** Of line 0, 1, …: `1` passed, `0` failed, `-` no score; or numbers. */
  readonly scores: string | readonly (number | null)[];
}

/** An evaluation of the metrics given, for tests. */
export function madeResult(metrics: readonly MadeMetric[], more: Partial<EvalResult> = {}): EvalResult {
  const results = metrics.map(metricResult);
  const total = Math.max(0, ...metrics.map(({ scores }) => scores.length));
  return {
    version: 1,
    name: 'privacy-agent',
    run: { id: 'after', flow: 'privacy_agent', startedAt: Date.UTC(2026, 10, 21, 6, 45) },
    rows: { total, completed: total, failed: 0, unfinished: 0, repeats: 1 },
    metrics: results,
    lines: Array.from({ length: total }, (_, line) => line),
    firstBad: [],
    families: [],
    ...more,
  };
}

function metricResult({ scores: given, ...metric }: MadeMetric): MetricResult {
  const values = typeof given === 'string' ? Array.from(given, (one) => (one === '-' ? null : Number(one))) : given;
  const scored = values.flatMap((value, line) => (value === null ? [] : [{ line, value }]));
  const scores = {
    lines: scored.map(({ line }) => line),
    repeats: scored.map(() => 0),
    values: scored.map(({ value }) => value),
  };
  const means = [...meansByLine(scores).values()];
  const kind = metric.kind ?? (typeof given === 'string' ? 'pass' : 'number');
  const interval = meanInterval(means, kind === 'pass' ? [0, 1] : undefined);
  return {
    on: metric.node ?? 'outputs.answer',
    evaluator: 'equals',
    kind,
    better: 'higher',
    summary: {
      mean: means.length === 0 ? null : means.reduce((sum, value) => sum + value, 0) / means.length,
      ...(interval === undefined ? {} : { interval }),
      scored: scored.length,
      unscored:
        scored.length === values.length ? [] : [{ reason: 'no expectation', count: values.length - scored.length }],
      errors: 0,
    },
    scores,
    ...metric,
  };
}

/** An agent that searches twice at most: what its run is made of. `digests` replaces those of a file. */
export function agentMade(digests: Readonly<Record<string, string>> = {}): RunMade {
  const digest = (file: string): string => digests[file] ?? '0123456789abcdef0123456789abcdef';
  const instance = (family: string, kind: string, iteration: number, reads: readonly string[]) =>
    ({ name: `${family}_${iteration}`, kind, loop: 'search', family, iteration, reads, readsInputs: [] }) as const;
  const agent = (reads: string) => ({
    type: 'llm 2',
    'template agent.jinja2': digest('agent.jinja2'),
    'input input': `\${${reads}.output}`,
  });
  const called = (message: string) => ({
    type: 'python 1',
    'code functions.ts': digest('functions.ts'),
    'reads faq.jsonl': digest('faq.jsonl'),
    'input message': `\${${message}.output}`,
  });
  return {
    flowDigest: digest('flow.dag.yaml'),
    data: { path: 'data.jsonl', digest: digest('data.jsonl') },
    nodes: [
      { name: 'format_input', kind: 'python', reads: [], readsInputs: ['query'] },
      instance('agent', 'llm', 1, ['format_input']),
      instance('function', 'python', 1, ['agent_1', 'format_input']),
      instance('agent', 'llm', 2, ['function_1']),
      instance('function', 'python', 2, ['agent_2', 'function_1']),
      { name: 'search', kind: 'python', loop: 'search', family: 'search', iteration: 0, reads: ['function_2'] },
    ],
    outputs: [{ name: 'answer', reads: 'search' }],
    nodeDefinitions: {
      format_input: { type: 'python 1', 'code format_input.ts': digest('format_input.ts') },
      agent_1: agent('format_input'),
      function_1: called('agent_1'),
      agent_2: agent('function_1'),
      function_2: called('agent_2'),
      search: { type: 'unroll.loop_end 1', 'input state': `\${function_2.output}` },
    },
  };
}
