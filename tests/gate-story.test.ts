import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalResult } from '@unroll/evals';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../packages/cli/src/testing/test-io.ts';

const project = join(import.meta.dirname, '..');
const evaluation = 'evals/privacy-agent';

/** The privacy agent with its evaluation and accepted baseline, to be broken. */
function worldWith(edit?: { readonly file: string; readonly change: (text: string) => string }): TestWorld {
  const world = createTestWorld();
  symlinkSync(join(project, 'node_modules'), join(world.folder, 'node_modules'));
  for (const folder of ['flows/privacy-agent', evaluation]) {
    cpSync(join(project, folder), join(world.folder, folder), { recursive: true });
  }
  if (edit !== undefined) {
    const path = join(world.folder, 'flows/privacy-agent', edit.file);
    const text = readFileSync(path, 'utf8');
    const changed = edit.change(text);
    if (changed === text) throw new Error(`bug: nothing of ${edit.file} was changed`);
    writeFileSync(path, changed);
  }
  return world;
}

/** Every entry of the index answers under another's id. */
function shuffledIds(text: string): string {
  const entries = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly id: string });
  const ids = entries.map(({ id }) => id);
  return `${entries.map((entry, at) => JSON.stringify({ ...entry, id: ids[(at + 7) % ids.length] })).join('\n')}\n`;
}

test('an unchanged flow passes its gates', async () => {
  using world = worldWith();
  const { code, stdout } = await world.flow('gate', evaluation, '--quiet');
  expect(stdout).toContain('All 6 gates pass.\nOf 11 metrics compared with the baseline: 11 the same in every row.\n');
  expect(code).toBe(0);
});

test('with a turn less the questions that need the guideline end unfinished: they are counted, and answered in no turn', async () => {
  using world = worldWith({ file: 'flow.dag.yaml', change: (text) => text.replace('times: 3', 'times: 2') });
  const { stdout } = await world.flow('eval', evaluation, '--quiet', '--json');
  const { rows, metrics, families } = JSON.parse(stdout) as EvalResult;
  const [answeredAt, status] = ['answered_at', 'status'].map((name) => metrics.find((metric) => metric.name === name));
  expect(rows).toMatchObject({ total: 96, unfinished: 49, failed: 0 });
  expect(answeredAt?.summary.unscored).toEqual([{ reason: 'never finished', count: 49 }]);
  expect(status?.scores.lines.filter((_, at) => status.scores.values[at] === 0).slice(-5)).toEqual([
    91, 92, 93, 94, 95,
  ]);
  expect(families[0]?.stopped?.never).toBe(49);
});

test('the sample tells something: questions asked as people talk are answered less often', async () => {
  using world = worldWith();
  const { stdout } = await world.flow('eval', evaluation, '--quiet', '--json');
  const { metrics } = JSON.parse(stdout) as EvalResult;
  const cited = metrics.find(({ name }) => name === 'cited');
  const share = (isHard: boolean): number => {
    const scores = cited?.scores.values.filter((_, at) => (cited.scores.lines[at] as number) >= 60 === isHard) ?? [];
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  };
  expect(share(false)).toBeGreaterThan(0.9);
  expect(share(true)).toBeLessThan(0.75);
});

test('a broken index fails the gate: the search is the first bad node, its data the cause', async () => {
  using world = worldWith({ file: 'knowledge/faq.jsonl', change: shuffledIds });
  const { code, stdout } = await world.flow(
    'gate',
    evaluation,
    '--quiet',
    '--junit',
    'gate.xml',
    '--markdown',
    'gate.md',
  );
  expect(code).toBe(1);
  expect(stdout).toContain('2 of 6 gates fail: faq_recall and cited.');
  expect(stdout).toContain('First bad node: function_1 (faq_recall is worse in 49 rows).');
  expect(stdout).toContain('Cause: function (data knowledge/faq.jsonl changed).');
  expect(readFileSync(join(world.folder, 'gate.xml'), 'utf8')).toContain('<failure message="the mean of 52 scores is');
  expect(readFileSync(join(world.folder, 'gate.md'), 'utf8')).toContain('❌ privacy-agent');
});

test('the oracle sweep gives the score back that a broken index took, at the search', {
  timeout: 180_000,
}, async () => {
  using world = worldWith();
  const rows = ['--rows', '0-9'];
  const right = await world.flow('eval', evaluation, '--quiet', '--json', '--name', 'right', ...rows);
  const path = join(world.folder, 'flows/privacy-agent/knowledge/faq.jsonl');
  writeFileSync(path, shuffledIds(readFileSync(path, 'utf8')));
  const sweep = ['--oracle-sweep', '--oracle-from', 'right', '--metric', 'cited', '--json', '--quiet'];
  const { gains } = JSON.parse((await world.flow('eval', evaluation, ...rows, ...sweep)).stdout);
  const cited = (JSON.parse(right.stdout) as EvalResult).metrics.find(({ name }) => name === 'cited');
  expect(gains[0]).toMatchObject({
    node: 'function_1',
    metric: 'cited',
    after: cited?.summary.mean,
    significant: true,
  });
  expect(gains[0].before).toBeLessThan(0.2);
});

test('a worse prompt is told apart from it: the agent is the first bad node and the cause', async () => {
  using world = worldWith({
    file: 'agent.jinja2',
    change: (text) =>
      text
        .replaceAll('faq_search', 'SEARCH')
        .replaceAll('guideline_search', 'faq_search')
        .replaceAll('SEARCH', 'guideline_search'),
  });
  const { code, stdout } = await world.flow('gate', evaluation, '--quiet', '--json');
  const { comparison, metrics } = JSON.parse(stdout) as EvalResult;
  expect(code).toBe(1);
  expect(metrics.filter(({ gate }) => gate?.passed === false).map(({ name }) => name)).toContain('first_function');
  expect(comparison?.changes).toEqual([
    { node: 'agent', change: 'changed', parts: [{ part: 'template agent.jinja2' }] },
  ]);
  expect(comparison?.firstWorse[0]).toMatchObject({ node: 'agent_1', metric: 'first_function', causes: ['agent'] });
});
