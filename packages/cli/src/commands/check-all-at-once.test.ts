// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { ask, prompted } from '../testing/small-nodes.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

test('types of inputs are told beside wrong templates and references, without what follows from them', async () => {
  using world = createTestWorld();
  const nodes = [
    ask('a', 'api: chat', '{model: m, temperature: [1, 2], max_tokens: abc, seed: x, seen: "${inputs.q}", p: 1}'),
    ask('b', 'api: chat', '{model: m, temperature: [1, 2], q: "${inputs.qq}"}'),
    ask('c', 'api: chat', '{model: m, max_tokens: abc}'),
    prompted(
      'd',
      'promptflow.tools.open_model_llm.OpenModelLLM.call',
      '{endpoint_name: connection/x, max_new_tokens: abc, q: 1}',
    ),
  ];
  writeFiles(world.folder, {
    'flow.dag.yaml': `inputs: {q: {type: string}}\noutputs: {o: {type: list, reference: "\${a.output}"}}\nnodes:\n${nodes.map((node) => `- ${node}\n`).join('')}`,
    'a.jinja2': 'user:\n{{ seen }} {{ seed\n',
    'b.jinja2': 'user:\n{{q}}\n',
    'd.jinja2': 'user:\n{% if q %}\n',
  });
  const { stdout } = await world.flow('check', 'flow.dag.yaml');
  expect(stdout.match(/^\S+ error (?!CONNECTION_DOUBT).*$/gm)).toEqual([
    expect.stringContaining('a.jinja2:3:1 error TEMPLATE_SYNTAX'),
    expect.stringContaining('d.jinja2:2:4 error TEMPLATE_SYNTAX'),
    'flow.dag.yaml:4:126 error NODE_INPUT_TYPE [1,2] does not fit the input "temperature" of node "a", whose type is double',
    expect.stringContaining('"abc" does not fit the input "max_tokens" of node "a", whose type is int'),
    expect.stringContaining('[1,2] does not fit the input "temperature" of node "b", whose type is double'),
    expect.stringContaining('error FLOW_UNKNOWN_INPUT the flow has no input "qq"'),
    expect.stringContaining('error FILE_MISSING there is no file "c.jinja2" for node "c"'),
    expect.stringContaining('"abc" does not fit the input "max_tokens" of node "c", whose type is int'),
    expect.stringContaining('"abc" does not fit the input "max_new_tokens" of node "d", whose type is int'),
  ]);
  expect(stdout).not.toContain('TEMPLATE_INPUT_UNUSED');
});

test('what is not installed is told beside a reference to nothing and a circle', async () => {
  using world = createTestWorld();
  const nodes = [
    'name: a, type: python, source: {type: code, path: a.py}, inputs: {q: "${inputs.qq}"}',
    'name: b, type: python, source: {type: code, path: a.py}, inputs: {q: "${c.output}"}',
    'name: c, type: python, source: {type: code, path: a.py}, inputs: {q: "${b.output}"}',
  ];
  writeFiles(world.folder, {
    'flow.dag.yaml': `inputs: {q: {type: string}}\nnodes:\n${nodes.map((node) => `- {${node}}\n`).join('')}`,
    'a.py': 'import not_installed_anywhere\nfrom promptflow.core import tool\n\n\n@tool\ndef a(q):\n    return q\n',
  });
  const { stdout, code } = await world.flow('check', 'flow.dag.yaml');
  expect(code).toBe(2);
  expect(stdout.match(/^\S+ error \S+/gm)).toEqual([
    'a.py:1:8 error IMPORT_MISSING',
    expect.stringContaining('FLOW_UNKNOWN_INPUT'),
    expect.stringContaining('CYCLE'),
  ]);
});
