// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const pictures = ['89504e470d0a1a0a01', '89504e470d0a1a0a0203'].map((hex) => Buffer.from(hex, 'hex'));

const flow = (outputs: string): string =>
  `inputs: {photo: {type: image}, made: {type: image}}\noutputs: {${outputs}}\nnodes: []\n`;

test.for([
  { form: 'by its path', photo: (name: string) => ({ 'data:image/png;path': name }), head: '' },
  {
    form: 'by its path in the form of OpenAI',
    photo: (name: string) => ({ type: 'image_file', image_file: { path: name } }),
    head: 'message_format: openai-vision\n',
  },
])('a picture that the data names $form is that of the run, and is shown to a judge', async ({ photo, head }) => {
  using world = createTestWorld();
  const rows = pictures.map((_, line) => ({ photo: photo(`p${line}.png`), made: photo(`p${line}.png`) }));
  const other = { photo: photo('p0.png'), made: photo('p1.png') };
  writeFiles(world.folder, {
    'f/flow.dag.yaml': head + flow('made: {type: image, reference: "${inputs.photo}"}'),
    'judge/flow.dag.yaml': `${flow('score: {type: int, reference: "${same.output}"}').replace('nodes: []', '')}nodes:
- {name: same, type: python, source: {type: code, path: same.ts}, inputs: {photo: "\${inputs.photo}", made: "\${inputs.made}"}}
`,
    'judge/same.ts':
      'export const same = ({ photo, made }: { photo: unknown; made: unknown }) => Number(JSON.stringify(photo) === JSON.stringify(made));\n',
    'data/rows.jsonl': [...rows, other].map((row) => `${JSON.stringify(row)}\n`).join(''),
    'e/eval.yaml': `flow: ../f
data: ../data/rows.jsonl
metrics:
- {name: same, on: outputs.made, evaluator: equals, expected: "\${row.made}"}
- {name: judged, evaluator: flow, flow: ../judge, inputs: {photo: "\${row.made}", made: "\${outputs.made}"}, pass_from: 1}
`,
  });
  mkdirSync(join(world.folder, 'data'), { recursive: true });
  for (const [line, bytes] of pictures.entries()) writeFileSync(join(world.folder, `data/p${line}.png`), bytes);
  const { stdout } = await world.flow('eval', 'e', '--json');
  const { metrics } = JSON.parse(stdout) as { readonly metrics: readonly { readonly scores: unknown }[] };
  expect(metrics.map(({ scores }) => (scores as { readonly values: unknown }).values)).toEqual([
    [1, 1, 0],
    [1, 1, 0],
  ]);
});
