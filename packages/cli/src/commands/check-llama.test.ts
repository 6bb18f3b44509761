import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = `inputs: {q: {type: string, default: hi}}
outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: any, q: "\${inputs.q}"}
`;

test.for([
  ['type: llama_cpp', 'error CONNECTION_DOUBT connection "mine" has no model'],
  [
    'type: llama_cpp, model: no.gguf',
    'error CONNECTION_DOUBT there is no file "no.gguf", which is the model of connection "mine"',
  ],
  ['type: llama_cpp, model: tiny.gguf', 'error PACKAGE_MISSING a connection of type llama_cpp needs node-llama-cpp'],
] as const)('a model in a file that cannot be asked is no flow ready to run: %s', async ([written, told]) => {
  using world = createTestWorld();
  const elsewhere = written.replace('tiny', `${world.folder}/tiny`);
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'f/ask.jinja2': '# user:\n{{q}}\n',
    'connections.yaml': `mine: {${elsewhere}}\n`,
    'tiny.gguf': 'GGUF',
  });
  const { code, stdout, stderr } = await world.flow('check', 'f');
  expect(stdout + stderr).toContain(told);
  expect(code).toBe(2);
});
