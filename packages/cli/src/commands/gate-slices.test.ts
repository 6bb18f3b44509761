// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const world = createTestWorld();
const languages = ['日本語', 'en', 'fr'] as const;

/** 60 rows, of which those of one language are answered wrongly. */
function data(wrong: number): string {
  const rows = Array.from({ length: 60 }, (_, line) => {
    const query = line % 3 === wrong ? 'no' : 'yes';
    return { id: line, query, lang: languages[line % 3], expected: { answer: 'yes' } };
  });
  return `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
}

function writeEval(gate: string, more = 'slices: [lang]\n'): void {
  const metric = `- {name: right, on: outputs.answer, evaluator: equals, expected: "\${row.expected.answer}", gate: ${gate}}`;
  writeFileSync(
    join(world.folder, 'e/eval.yaml'),
    `flow: ../f\ndata: ../is.jsonl\nkey: id\n${more}metrics:\n${metric}\n`,
  );
}

beforeAll(async () => {
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      'inputs: {query: {type: string}}\noutputs: {answer: {type: string, reference: "${inputs.query}"}}\nnodes: []\n',
    'was.jsonl': data(1),
    'is.jsonl': data(0),
    'e/eval.yaml': '',
  });
  await world.flow('run', 'f', '--data', 'was.jsonl', '--name', 'was', '--quiet');
  await world.flow('run', 'f', '--data', 'is.jsonl', '--name', 'is', '--quiet');
});
afterAll(() => world[Symbol.dispose]());

test('the gate of each slice fails where the whole keeps to its own', async () => {
  writeEval('{min: 0.6, each_slice: {min: 0.5, rows: 5}}');
  const { stdout, code } = await world.flow('gate', 'e', '--run', 'is');
  expect(code).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
    "e  is, 60 rows
    ✗ right  outputs.answer  min 0.6, min 0.5 in each slice
        in lang 日本語 the mean of 20 scores is 0, below 0.5

    The gate fails: right.
    First bad node: outputs.answer (right fails in 20 rows).
    "
  `);
});

test('a group that got worse fails a build, where the whole did not', async () => {
  writeEval('{no_worse_than: baseline, each_slice: {no_worse_than: baseline}}');
  const { stdout, code } = await world.flow('gate', 'e', '--run', 'is', '--against', 'was');
  expect(code).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
    "e  is, 60 rows, compared with was
    ✗ right  outputs.answer  no worse than baseline, no worse than baseline in each slice
        in lang 日本語 significantly worse: 100 % → 0 % over 20 rows (−100 points, 95 % interval −100 points to −63.1 points, p < 0.001; 0 fixed, 20 broken)

    The gate fails: right.
    Of 1 metric compared with the baseline: 1 not to be told from chance.
    Worse by group: lang 日本語 (right 100 % → 0 %).
    First bad node: outputs.answer (right is worse in 20 rows).
    No definition it depends on changed: other data, a service, or chance.
    "
  `);
});

test('without a gate of slices the group that got worse is told all the same; --by looks at others', async () => {
  writeEval('{no_worse_than: baseline}');
  const told = await world.flow('gate', 'e', '--run', 'is', '--against', 'was');
  expect(told.code).toBe(0);
  expect(told.stdout).toContain('Worse by group: lang 日本語 (right 100 % → 0 %).');
  const other = await world.flow('gate', 'e', '--run', 'is', '--against', 'was', '--by', 'expected.answer');
  expect(other.stdout).not.toContain('Worse by group');
});

test('to programs it is a rule like any other', async () => {
  writeEval('{each_slice: {min: 0.5}}');
  const { stdout } = await world.flow('gate', 'e', '--run', 'is', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    metrics: [{ gate: { rule: 'min 0.5 in each slice', passed: false } }],
  });
});

test('asked of slices that are not named, or of a baseline that is not there, nothing runs', async () => {
  writeEval('{each_slice: {min: 0.5}}', '');
  const unnamed = await world.flow('gate', 'e', '--run', 'is');
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('slices: [lang]') });
  const named = await world.flow('gate', 'e', '--run', 'is', '--by', 'lang');
  expect(named.code).toBe(1);
  writeEval('{each_slice: {no_worse_than: baseline}}');
  const unheld = await world.flow('gate', 'e', '--run', 'is');
  expect(unheld).toMatchObject({ code: 2, stderr: expect.stringContaining('none was accepted yet') });
});
