import { resourceUsage } from 'node:process';
import { openData, openSqliteRunReader } from '../packages/engine/src/index.ts';
import { evaluators, joinData, parseEval, scoreRun } from '../packages/evals/src/index.ts';

/** Scores a run once: `eval-once.ts RUN DATA`; prints what it cost as JSON. */
const [, , run = '', data = ''] = process.argv;

const text = `
run: ${run}
data: ${data}
metrics:
- {name: first, on: agent_1.function_call.name, evaluator: equals, expected: "\${row.expected.function}"}
- {name: found, on: "function_1.function_results[-1].content", evaluator: recall@5, expected: "\${row.expected.ids}"}
- {name: turn, on: "function[*]", evaluator: finished_at, expected: "\${row.expected.turn}"}
- {name: answer, on: outputs.answer, evaluator: contains, expected: "\${row.expected.word}"}
- {name: tokens, on: "agent[*]", evaluator: tokens}
`;
const start = performance.now();
const { spec } = parseEval({ path: 'eval.yaml', text }, { evaluators });
const opened = await openData(data);
if (spec === undefined || !opened.ok) throw new Error('bug: the benchmark is wrong');
await using store = openSqliteRunReader(run);
const join = joinData(opened.data.batches(), store.info, true);
const rows = { info: store.info, tokens: () => store.tokens(), readRows: store.readRows.bind(store) };
const result = await scoreRun(spec, rows, { name: 'bench', data: join });
const wallSeconds = (performance.now() - start) / 1000;
const { userCPUTime, systemCPUTime, maxRSS } = resourceUsage();
process.stdout.write(
  JSON.stringify({
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    wallSeconds,
    peakMegabytes: maxRSS / 1024,
    told: result.metrics.map(({ name, summary }) => [name, summary.mean, summary.scored]),
  }),
);
