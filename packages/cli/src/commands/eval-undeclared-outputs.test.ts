// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const world = createTestWorld();

beforeAll(() => {
  const rows = ['a', 'bb'].map((question) => ({ question, expected: { answer: question.toUpperCase() } }));
  writeFiles(world.folder, {
    'code/flow.flex.yaml': 'entry: main:run\n',
    'code/main.py':
      'def run(question: str) -> dict:\n    return {"answer": question.upper(), "length": len(question)}\n',
    'judge/flow.flex.yaml': 'entry: main:run\n',
    'judge/main.py': 'def run(answer: str) -> dict:\n    return {"score": len(answer), "why": answer}\n',
    'rows.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'e/eval.yaml': `flow: ../code
data: ../rows.jsonl
metrics:
- {name: right, on: outputs.answer, evaluator: equals, expected: "\${row.expected.answer}"}
- {name: long, on: outputs.length, evaluator: equals, expected: 1}
- {name: judged, evaluator: flow, flow: ../judge, inputs: {answer: "\${outputs.answer}"}}
`,
  });
});
afterAll(() => world[Symbol.dispose]());

test('what code gives, whose outputs nobody declared, is scored by its members', async () => {
  const { stdout, stderr, code } = await world.flow('eval', 'e', '--json');
  expect({ stderr: stderr.includes('error'), code }).toEqual({ stderr: false, code: 0 });
  const { metrics } = JSON.parse(stdout) as {
    readonly metrics: readonly { readonly summary: { readonly mean: number } }[];
  };
  expect(metrics.map(({ summary }) => summary.mean)).toEqual([1, 0.5, 1.5]);
});

test('so is a run that is there', async () => {
  await world.flow('run', 'code', '--data', 'rows.jsonl', '--name', 'was', '--quiet');
  const { stdout, code } = await world.flow('eval', 'e', '--run', 'was');
  expect(code).toBe(0);
  expect(stdout).toContain('outputs.answer');
});

test('an output that no row has is told, with those there are', async () => {
  const text = readFileSync(join(world.folder, 'e/eval.yaml'), 'utf8');
  writeFiles(world.folder, { 'typo/eval.yaml': text.replace('outputs.answer,', 'outputs.anwser,') });
  const { stdout, stderr } = await world.flow('eval', 'typo', '--run', 'was');
  expect(stdout + stderr).toContain('nothing stands at outputs.anwser in any row: did you mean "answer"?');
});

test('its types say that there may be any', async () => {
  const { stdout } = await world.flow('types', 'code');
  expect(stdout).toContain('readonly outputs: { readonly [key: string]: Json };');
  expect(stdout).toContain("import type { Json } from '@unroll/project';");
});

test('where it got worse, its code is named', async () => {
  const text = readFileSync(join(world.folder, 'e/eval.yaml'), 'utf8');
  writeFiles(world.folder, { 'gated/eval.yaml': text.replace('answer}"}', 'answer}", gate: {min: 0.9}}') });
  await world.flow('baseline', 'accept', 'gated', '--run', 'was');
  writeFiles(world.folder, {
    'code/main.py':
      'def run(question: str) -> dict:\n    return {"answer": question.lower(), "length": len(question)}\n',
  });
  const { stdout } = await world.flow('gate', 'gated');
  expect(stdout).toContain('First bad node: run (right is worse in 2 rows).');
  expect(stdout).toContain('Cause: run (code main.py changed).');
});
