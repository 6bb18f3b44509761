// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ComparedRow, recordComparedRun } from '../testing/compared-runs.ts';
import { readExport, readExportedEvaluation } from '../testing/read-export.ts';
import { createTestWorld } from '../testing/test-io.ts';

const world = createTestWorld();
const rows = Array.from({ length: 8 }, (_, row): ComparedRow => {
  return { query: `質問${row}`, search: 'faq_search', found: `faq-${row}`, answer: `答え${row}` };
});

beforeAll(async () => {
  const runs = join(world.folder, '.flow/runs');
  const wrong = (row: ComparedRow): ComparedRow => ({ ...row, search: 'guideline_search', answer: '不明' });
  await recordComparedRun(runs, 'good', 'Search first.', rows);
  await recordComparedRun(runs, 'worse', 'Search last.', [...rows.slice(0, 1), ...rows.slice(1).map(wrong)]);
  await recordComparedRun(runs, 'untold', undefined, rows.map(wrong));
  const data = rows.map((row) => JSON.stringify({ query: row.query, expected: { answer: row.answer } })).join('\n');
  writeFileSync(join(world.folder, 'cases.jsonl'), data);
});
afterAll(() => world[Symbol.dispose]());

const tool =
  '{name: tool, on: agent_1.function_call.name, evaluator: equals, expected: faq_search, gate: {no_worse_than: baseline}}';
const answer = '{name: answer, on: outputs.answer, evaluator: equals, expected: "${row.expected.answer}"}';

function writeEval(name: string, metrics: readonly string[]): string {
  mkdirSync(join(world.folder, name), { recursive: true });
  const text = ['data: ../cases.jsonl', 'run: good', 'metrics:', ...metrics.map((metric) => `- ${metric}`)].join('\n');
  writeFileSync(join(world.folder, name, 'eval.yaml'), text);
  return name;
}

test('a baseline is accepted, then runs are held to it', async () => {
  const folder = writeEval('held', [tool, answer]);
  const path = join(world.folder, folder, 'baseline.json');
  expect(await world.flow('gate', folder)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: metric "tool" is held to a baseline, and none was accepted yet\nflow baseline accept held writes one.\n',
  });
  expect(await world.flow('baseline', 'accept', folder, '--run', 'good')).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'held/baseline.json written: 2 metrics of 8 rows of run good\nPut it under version control: a diff of it shows what is accepted.\n',
  });
  expect(readFileSync(path, 'utf8')).toContain('"scores": "11111111"}');
  expect((await world.flow('gate', folder)).code).toBe(0);
  expect(await world.flow('gate', folder, '--run', 'worse')).toEqual({
    code: 1,
    stderr: '',
    stdout: `held  worse, 8 rows, compared with good
✗ tool  agent_1.function_call.name  no worse than baseline
    significantly worse: 100 % → 12.5 % over 8 rows (−87.5 points, 95 % interval −97.8 points to −26.7 points, p = 0.02; 0 fixed, 7 broken)

The gate fails: tool.
Of 2 metrics compared with the baseline: 2 worse.
First bad node: agent_1 (tool is worse in 7 rows).
Cause: agent (prompt agent.jinja2 changed).
`,
  });
  expect((await world.flow('gate', folder, '--run', 'untold')).stdout).toContain(
    'First bad node: agent_1 (tool is worse in 8 rows).\nThe cause is not known: a run does not tell its definitions.\n',
  );
  expect((await world.flow('baseline', 'accept', folder, '--run', 'worse')).stdout).toContain('replaced: 2 metrics');
  writeFileSync(path, '{}');
  const { code, stderr } = await world.flow('gate', folder);
  expect([code, stderr]).toEqual([
    2,
    'error: held/baseline.json is no baseline: version: must be 1\nflow baseline accept held writes one.\n',
  ]);
});

test('without any gate there is nothing to fail', async () => {
  const folder = writeEval('free', [answer]);
  expect(await world.flow('gate', folder)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: no metric of free/eval.yaml has a gate\nGive one: gate: {min: 0.9}, or gate: {no_worse_than: baseline}.\n',
  });
});

test('a margin needs something to be worse than', async () => {
  const folder = writeEval('margin', [answer.replace('}"}', '}", gate: {min: 0.5, margin: 0.1}}')]);
  const { code, stderr } = await world.flow('gate', folder);
  expect(code).toBe(2);
  expect(stderr).toContain('the gate of metric "answer" has a margin and nothing to be worse than');
});

test('another run stands in for the baseline; reports are written where asked', async () => {
  const folder = writeEval('against', [tool, answer]);
  const files = ['--html', 'out/eval.html', '--junit', 'out/eval.xml', '--markdown', 'out/eval.md', '--out', 'out'];
  const { code, stdout, stderr } = await world.flow('eval', folder, '--run', 'worse', '--against', 'good', ...files);
  expect(code).toBe(1);
  expect(stderr).toBe('out/eval.html written\nout/eval.xml written\nout/eval.md written\nout/eval.json written\n');
  expect(stdout).toContain('−87.5 points, worse');
  expect(stdout).toContain('compared with good\n  Of 2 metrics compared with the baseline: 2 worse.\n');
  expect(['html', 'xml', 'md', 'json'].filter((end) => existsSync(join(world.folder, `out/eval.${end}`)))).toHaveLength(
    4,
  );
  const page = readExportedEvaluation(join(world.folder, 'out/eval.html'));
  expect(page.runs.map(({ run, since }) => [run.id, since?.before])).toEqual([
    ['good', undefined],
    ['worse', 'good'],
  ]);
  expect(page.runs[1]?.since).toMatchObject({ paired: 8, worse: [{ node: 'agent_1', rows: 7 }] });
  expect(page.metrics[0]?.runs[1]).toMatchObject({
    bins: [{ text: 'failed', rows: 7 }, { rows: 1 }],
    difference: { before: { value: 1 }, flips: { broken: 7 }, p: 'p = 0.02' },
  });
  const nowhere = await world.flow('eval', folder, '--html', 'cases.jsonl/eval.html');
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toContain('error: cases.jsonl/eval.html cannot be written');
});

test('a run that is named by its file is on the page, though it is not among the runs of the folder', async () => {
  const folder = writeEval('by-path', [tool, answer]);
  cpSync(join(world.folder, '.flow/runs/worse.run'), join(world.folder, 'elsewhere/copy.run'));
  const { stderr } = await world.flow('eval', folder, '--run', 'elsewhere/copy.run', '--html', 'copy.html');
  expect(stderr).toBe(
    'warning: no baseline was accepted yet, so that tool is held to none. flow baseline accept by-path writes one.\ncopy.html written\n',
  );
  const { answers } = readExport(join(world.folder, 'copy.html'));
  expect(readExportedEvaluation(join(world.folder, 'copy.html')).runs.map(({ run }) => run.id)).toEqual(['copy']);
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(['runs/copy', 'runs/copy/rows/7/0']));
});
