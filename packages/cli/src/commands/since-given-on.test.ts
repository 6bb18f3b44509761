// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const node = (name: string, file: string, inputs: string): string =>
  `- {name: ${name}, type: python, source: {type: code, path: ${file}}, inputs: {${inputs}}}\n`;

const python = (parameters: string, body: string): string =>
  `from promptflow import tool\n@tool\ndef run(${parameters}):\n    ${body}\n`;

test('a list that a node gives on and another changes is not taken from its record: it would be two lists', async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${c.output}"}}
nodes:
${node('a', 'a.py', 'q: "${inputs.q}"')}${node('g', 'g.py', 'x: "${a.output}"')}${node('b', 'b.py', 'x: "${a.output}", y: "${g.output}"')}${node('c', 'c.js', 'x: "${g.output}", z: "${b.output}"')}`,
    'f/a.py': python('q', 'return [1]'),
    'f/g.py': python('x', 'return x'),
    'f/b.py': python('x, y', 'x.append(2)'),
    'f/c.js': 'export default ({ x }) => JSON.stringify(x);\n',
    'd.jsonl': '{"q": "1"}\n',
  });
  const run = (...more: readonly string[]) => world.flow('run', 'f', '--data', 'd.jsonl', '--quiet', ...more);
  await run('--name', 'before');
  await run('--name', 'after', '--since', 'before');
  for (const name of ['before', 'after'])
    expect(JSON.parse((await world.flow('export', name)).stdout)).toMatchObject({ outputs: { a: '[1,2]' } });
  const { stdout } = await world.flow('why', 'after', '--row', '0', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    nodes: { a: { ran: false }, g: { ran: true, reason: 'given on' }, b: { reason: 'not kept' }, c: { ran: false } },
  });
});

test('a list in two places is one where its outputs are taken from a record and code has come to change it', async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {told: {type: string, reference: "\${c.output}"}}
nodes:
${node('a', 'a.py', 'q: "${inputs.q}"')}${node('g', 'g.py', 'x: "${a.output}"')}${node('b', 'b.py', 'x: "${g.output.x}"')}${node('c', 'c.js', 'x: "${g.output}", y: "${a.output}", z: "${b.output}"')}`,
    'f/a.py': python('q', 'l = [1]; return {"x": l, "y": l}'),
    'f/g.py': python('x', 'return x'),
    'f/b.py': python('x', 'return len(x)'),
    'f/c.js': 'export default ({ x, y }) => JSON.stringify([x, y]);\n',
    'd.jsonl': '{"q": "1"}\n',
  });
  const run = (...more: readonly string[]) => world.flow('run', 'f', '--data', 'd.jsonl', '--quiet', ...more);
  await run('--name', 'before');
  writeFiles(world.folder, { 'f/b.py': python('x', 'x.append(2)') });
  await run('--name', 'after', '--since', 'before');
  const { stdout } = await world.flow('export', 'after');
  expect(JSON.parse(JSON.parse(stdout).outputs.told)).toEqual(Array(2).fill({ x: [1, 2], y: [1, 2] }));
});
