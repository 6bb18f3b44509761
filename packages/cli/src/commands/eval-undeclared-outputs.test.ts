// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
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
