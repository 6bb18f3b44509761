// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestWorld } from '../packages/cli/src/testing/test-io.ts';
import { edit, expectShown, runsOf, sampleWorld } from './pages/sample-world.ts';
import type { ShownRun } from './pages/shown-runs.ts';

/** What guides show of the sample flows, run in the order of the page. */
const timeout = 600_000;
const agent = 'flows/privacy-agent';
const allRows = ['run', agent, '--data', `${agent}/data.jsonl`, '--quiet', '--name'] as const;

/** As many as the page is known to show: one that is not found would not be run. */
function shown(page: string, command: RegExp, count: number): readonly ShownRun[] {
  const runs = runsOf(page, command);
  expect(runs.map((run) => run.command)).toHaveLength(count);
  return runs;
}

async function expectAll(world: TestWorld, runs: readonly ShownRun[]): Promise<void> {
  for (const run of runs) await expectShown(world, run);
}

test('a loop with a budget lands as its guide shows it', { timeout }, async () => {
  using world = sampleWorld();
  edit(world, 'flow.dag.yaml', / {4}on_exhausted: unfinished\n/, '$&    budget: {tokens: 1200}\n');
  cpSync(join(world.folder, agent), join(world.folder, 'privacy-agent'), { recursive: true });
  await expectAll(world, shown('docs/guide/budgets.md', /^flow run privacy-agent --input/, 1));
});

test('a broken line and a column that is not there are told as the guide to bulk runs shows it', {
  timeout,
}, async () => {
  using world = sampleWorld();
  const lines = readFileSync(join(world.folder, agent, 'data.jsonl'), 'utf8')
    .split('\n')
    .slice(0, 11);
  writeFileSync(join(world.folder, 'questions.jsonl'), lines.with(5, '{"query": "').join('\n'));
  await expectAll(world, shown('docs/guide/bulk-runs.md', /questions\.jsonl/, 2));
});

test('calls are recorded, replayed and missed as the guide to cassettes shows it', { timeout }, async () => {
  using world = sampleWorld();
  const runs = shown('docs/guide/cassettes.md', /--re(?:cord|play)/, 3);
  await expectAll(world, runs.slice(0, 2));
  edit(world, 'agent.jinja2', 'say plainly that', 'say clearly that');
  await expectAll(world, runs.slice(2));
});

test('a plan is as its guide shows it', { timeout }, async () => {
  using world = sampleWorld();
  await world.flow(...allRows, '20261121-190302-privacy-agent-nr6u');
  await expectAll(world, shown('docs/guide/plan.md', /^flow plan/, 2));
});

test('two runs are compared as the guide to flow diff shows it', { timeout }, async () => {
  using world = sampleWorld();
  await world.flow(...allRows, 'faq-first');
  edit(world, 'agent.jinja2', 'まず faq_search を', 'まず guideline_search を');
  edit(world, 'agent.jinja2', 'use faq_search first', 'use guideline_search first');
  await world.flow(...allRows, 'guideline-first');
  await expectAll(world, shown('docs/guide/diff.md', /^flow diff faq-first/, 1));
});

test('evaluations are as their guide shows them', { timeout }, async () => {
  using world = sampleWorld();
  await expectAll(world, shown('docs/guide/eval.md', /^flow eval evals\/privacy-agent/, 2));
});

test.for([
  { page: 'docs/user-programs.md', count: 3, sample: 'user-programs' },
  { page: 'docs/tool-agent.md', count: 2, sample: 'tool-agent' },
  { page: 'docs/bedrock-agent.md', count: 2, sample: 'bedrock-agent' },
])(
  'the sample flow of $page answers and is evaluated as its page shows it',
  { timeout },
  async ({ page, count, sample }) => {
    using world = sampleWorld([`flows/${sample}`, `evals/${sample}`]);
    await expectAll(world, shown(page, /^flow (?:run|eval)/, count));
  },
);

test('the agent of tokens answers, is evaluated and is judged as its page shows it', { timeout }, async () => {
  using world = sampleWorld(['flows/toolgen-agent', 'flows/toolgen-judge', 'evals/toolgen-agent']);
  const [answer, evaluation, judge] = shown('docs/toolgen-agent.md', /^flow (?:run|eval)/, 3);
  if (answer === undefined || evaluation === undefined || judge === undefined) throw new Error('bug: too few runs');
  await expectAll(world, [answer, evaluation]);
  const data = 'flows/toolgen-agent/data.jsonl';
  await world.flow('run', 'flows/toolgen-agent', '--data', data, '--name', 'agent', '--quiet');
  await expectShown(world, judge);
});

test('why the stand-in took a hit is as the page of the privacy agent shows it', { timeout }, async () => {
  using world = sampleWorld();
  const [first] = shown('docs/privacy-agent.md', /^flow run .* --input "/, 4);
  const [why] = shown('docs/privacy-agent.md', /^flow show RUN/, 1);
  if (first === undefined || why === undefined) throw new Error('bug: too few runs');
  await expectShown(world, first);
  await expectShown(world, { ...why, command: why.command.replace('RUN', 'latest') });
});

test('a gate fails and names the cause as its guide shows it', { timeout }, async () => {
  using world = sampleWorld();
  const [gate, sweep] = shown('docs/guide/gate.md', /^flow (?:gate .*--quiet|eval )/, 2);
  if (gate === undefined || sweep === undefined) throw new Error('bug: too few runs');
  const right = '20200101-000000-privacy-agent-j9c9'; // the clock stands still: the newest is that of the last name
  await world.flow('eval', 'evals/privacy-agent', '--name', right, '--quiet');
  await world.flow('baseline', 'accept', 'evals/privacy-agent', '--run', right);
  const faq = join(world.folder, agent, 'knowledge/faq.jsonl');
  const entries = readFileSync(faq, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly id: string });
  const others = entries.map((entry, at) => ({
    ...entry,
    id: entries[(at + entries.length / 2) % entries.length]?.id,
  }));
  writeFileSync(faq, others.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  await expectAll(world, [gate, { ...sweep, command: sweep.command.replace('right', right) }]);
});

test('requests for tools are made as the guide to tools shows it', { timeout }, async () => {
  using world = sampleWorld(['flows/toolgen-agent']);
  cpSync(join(world.folder, 'flows/toolgen-agent/apis.jsonl'), join(world.folder, 'apis.jsonl'));
  await expectAll(world, shown('docs/guide/tools.md', /--queries-by offline/, 1));
});
