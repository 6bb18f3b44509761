// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = `message_format: openai-vision
inputs: {photo: {type: image}, items: {type: list}}
outputs:
  photo: {type: image, reference: "\${inputs.photo}"}
  items: {type: list, reference: "\${inputs.items}"}
  said: {type: string, reference: "\${say.output}"}
nodes:
- {name: say, type: prompt, source: {type: code, path: say.jinja2}, inputs: {photo: "\${inputs.photo}", items: "\${inputs.items}"}}
`;
const dot = { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lGODlh' } };

test.for([
  ['what it gave', '--run', 'first', '--column-mapping', 'photo=${run.outputs.photo}', 'items=${run.outputs.items}'],
  ['its inputs', '--data', 'first'],
])("a run reads the images of an earlier one in the flow's own form: %s", async ([, ...from]) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'show/flow.dag.yaml': flow,
    'show/say.jinja2': '{{ photo }} {{ items }}',
    'rows.jsonl': JSON.stringify({ photo: dot, items: [dot, { type: 'text', text: 'two' }] }),
  });
  expect(await world.flow('run', 'show', '--data', 'rows.jsonl', '--name', 'first')).toMatchObject({ code: 0 });
  expect(await world.flow('run', 'show', ...from, '--name', 'second')).toMatchObject({ code: 0 });
  const { stdout } = await world.flow('export', 'second');
  expect(JSON.parse(stdout)).toMatchObject({ outputs: { said: "Image(25c9b37a) [Image(25c9b37a), 'two']" } });
});
