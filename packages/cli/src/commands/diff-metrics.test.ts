// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const code = (accuracy: string): string =>
  `export const share = (_: unknown, { logMetric }: { logMetric: (name: string, value: number) => void }) => {\n  logMetric('accuracy', ${accuracy});\n  logMetric('行数', 2);\n  return 1;\n};\n`;

test('metrics that nodes logged and that differ are told, in every form', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${inputs.q}"}}
nodes:
- {name: share, type: python, aggregation: true, source: {type: code, path: share.ts}, inputs: {all: "\${inputs.q}"}}
`,
    'f/share.ts': code('0.5'),
    'rows.jsonl': '{"q": "a"}\n{"q": "b"}\n',
  });
  await world.flow('run', 'f', '--data', 'rows.jsonl', '--name', 'was', '--quiet');
  writeFiles(world.folder, { 'f/share.ts': `${code('0.75')}// changed\n` });
  await world.flow('run', 'f', '--data', 'rows.jsonl', '--name', 'is', '--quiet');
  expect((await world.flow('diff', 'was', 'is')).stdout).toContain('metric  accuracy  0.5 → 0.75\n');
  expect((await world.flow('diff', 'was', 'is')).stdout).not.toContain('行数');
  expect((await world.flow('diff', 'was', 'is', '--format', 'markdown')).stdout).toContain('| accuracy | 0.5 → 0.75 |');
  const { metrics } = JSON.parse((await world.flow('diff', 'was', 'is', '--json')).stdout) as {
    readonly metrics: unknown;
  };
  expect(metrics).toEqual([{ name: 'accuracy', left: 0.5, right: 0.75 }]);
  expect((await world.flow('diff', 'was', 'was')).stdout).not.toContain('metric');
});
