// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue, NodeRun } from '@unroll/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const project = join(import.meta.dirname, '../../../..');
const world = createTestWorld();
const faq = join(world.folder, 'agent/knowledge/faq.jsonl');

const evaluation = `
flow: ../agent/flow.python.dag.yaml
data: cases.jsonl
metrics:
- {name: right_source, on: outputs.answer, evaluator: contains, expected: "\${row.expected.source}"}
- {name: found, on: "function_1.function_results[-1].content", evaluator: recall@5, expected: "\${row.expected.source}"}
`;

/**
 * The agent's questions with what it gave while its FAQ was whole: the function that searched first, as `expected.function_1`.
 * Then the FAQ loses all but its first ten entries, and the run `broken` is made.
 */
beforeAll(async () => {
  cpSync(join(project, 'flows/privacy-agent'), join(world.folder, 'agent'), { recursive: true });
  await world.flow(
    'run',
    'agent/flow.python.dag.yaml',
    '--data',
    'agent/data.jsonl',
    '--rows',
    '0-35',
    '--name',
    'whole',
    '--quiet',
  );
  const { stdout } = await world.flow('export', 'whole', '--nodes');
  const outputs = new Map<number, JsonValue>();
  for (const run of stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as NodeRun)) {
    if (run.node === 'function_1') outputs.set(run.line, run.output ?? null);
  }
  const rows = readFileSync(join(project, 'flows/privacy-agent/data.jsonl'), 'utf8').trimEnd().split('\n').slice(0, 36);
  const cases = rows.map((text, line) => {
    const { query, expected } = JSON.parse(text);
    const source = expected.faq_id ?? expected.guideline_id;
    return { query, expected: { source, ...(line < 30 ? { function_1: outputs.get(line) } : {}) } };
  });
  writeFiles(world.folder, {
    'eval/eval.yaml': evaluation,
    'eval/cases.jsonl': cases.map((row) => `${JSON.stringify(row)}\n`).join(''),
  });
  const before = await world.flow('eval', 'eval', '--name', 'right', '--quiet', '--json');
  expect(scoreOf(before.stdout)).toBe(1);
  const entries = readFileSync(faq, 'utf8').trimEnd().split('\n');
  writeFileSync(faq, entries.slice(0, 10).join('\n'));
}, 60_000);
afterAll(() => world[Symbol.dispose]());

function scoreOf(json: string): number {
  return JSON.parse(json).metrics[0].summary.mean;
}

test('with a broken index the sweep shows that fixing function_1 gives the score back', async () => {
  const broken = await world.flow('eval', 'eval', '--name', 'broken', '--since', 'right', '--quiet', '--json');
  const result = JSON.parse(broken.stdout);
  const score = scoreOf(broken.stdout);
  expect(score).toBeLessThan(0.5);
  expect(result.firstBad[0]).toMatchObject({ node: 'function_1', kind: 'found' });
  const swept = await world.flow('eval', 'eval', '--run', 'broken', '--oracle-sweep', '--json');
  expect([swept.code, swept.stderr]).toEqual([0, '']);
  const report = JSON.parse(swept.stdout);
  const [best] = report.gains;
  expect(best).toMatchObject({ node: 'function_1', metric: 'right_source', rows: 30, after: 1, significant: true });
  expect(best.before).toBe(score);
  expect(best.gain).toBeCloseTo(1 - score);
  expect(best.interval.low).toBeGreaterThan(0.3);
  expect(report.left_out).toContainEqual({ node: 'agent_1', reason: 'nothing is expected of' });
  const run = best.run;
  const { stdout } = await world.flow('export', run, '--nodes');
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (node: string) => records.filter((record) => record.node === node);
  expect(of('function_1')).toHaveLength(30);
  expect(of('function_1').every(({ oracle }) => oracle === true)).toBe(true);
  expect(of('agent_1').every(({ cache, cached_from: from }) => cache === 'hit' && from === 'broken')).toBe(true);
}, 60_000);

test('as a table, and in one sentence', async () => {
  const { stdout } = await world.flow('eval', 'eval', '--run', 'broken', '--oracle', 'function_1', '--quiet');
  expect(stdout.replaceAll(/2026\S+/g, 'RUN')).toMatchInlineSnapshot(`
    "eval  broken  36 rows; given: expected.<node> of the data

    right_source on outputs.answer
    fixing      rows  before  after          gain  95 %            run
    function_1    30  38.9 %  100 %  +61.1 points  +44.9 to +75.2  RUN

    fixing function_1 raises right_source by 61.1 points [+44.9, +75.2]
    "
  `);
});

test('what a node gave in a run that was right stands for an expectation', async () => {
  const { stdout } = await world.flow(
    ...[
      'eval',
      'eval',
      '--run',
      'broken',
      '--oracle',
      'function_1',
      '--oracle',
      'agent_1',
      '--oracle-from',
      'right',
      '--json',
    ],
  );
  const { gains, left_out: leftOut, given } = JSON.parse(stdout);
  expect(given).toBe('run right');
  expect(gains).toMatchObject([{ node: 'function_1', after: 1 }]);
  expect(leftOut).toEqual([{ node: 'agent_1', reason: 'gave what was expected' }]);
});

test.for([
  [['--oracle', 'functon_1'], 'the flow has no node "functon_1" to give an output for\ndid you mean "function_1"?'],
  [
    ['--oracle', 'agent_1'],
    'nothing is given: expected.<node> of the data names no output of agent_1\nRows say what a node should have given as expected.<node>; or take it from a run that is right: --oracle-from RUN.',
  ],
  [['--oracle-sweep', '--metric', 'rite'], 'the evaluation has no metric "rite"\nIt has right_source, found.'],
] as const)('%o is refused', async ([argv, error]) => {
  const { code, stderr } = await world.flow('eval', 'eval', '--run', 'broken', ...argv);
  expect([code, stderr]).toEqual([2, `error: ${error}\n`]);
});

test('a run whose outputs were given cannot be gone on with, and is no baseline', async () => {
  const { stdout } = await world.flow('eval', 'eval', '--run', 'broken', '--oracle', 'function_1', '--json');
  const [{ run }] = JSON.parse(stdout).gains;
  const { code, stderr } = await world.flow('run', '--resume', run);
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    `error: outputs of run ${run} were given to it, which a record does not keep`,
  ]);
  const accepted = await world.flow('baseline', 'accept', 'eval', '--run', run);
  expect([accepted.code, accepted.stderr.split('\n')[0]]).toEqual([
    2,
    `error: run ${run} was given outputs of its nodes: it is no baseline`,
  ]);
});

test.each(['--metric', '--oracle-from'])('%s without an oracle run is refused before anything runs', async (flag) => {
  expect(await world.flow('eval', 'eval', flag, 'broken')).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${flag} says what an oracle run is to do, and none is asked for\nGive --oracle NODE or --oracle-sweep with it.\n`,
  });
});
