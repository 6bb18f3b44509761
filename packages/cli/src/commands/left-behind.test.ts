// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flowWith = (template: string): string => `outputs:
  text: {type: string, reference: "\${say.output}"}
nodes:
- {name: say, type: prompt, source: {type: code, path: ${template}}, inputs: {}}
`;

test.for<readonly [template: string, left: string]>([
  ['.say.jinja2', 'left .say.jinja2, which is hidden\n'],
  ['say.pem', 'left say.pem, which is a file of keys\n'],
  ['.venv/say.jinja2', ''],
  ['linked/say.jinja2', 'left linked, which leads to a folder\n'],
])('a folder in which %s would be missing is not built', async ([template, left]) => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'f/flow.dag.yaml': flowWith(template), 'f/real/say.jinja2': 'a' });
  if (template.startsWith('linked')) symlinkSync('real', join(world.folder, 'f/linked'));
  else writeFiles(world.folder, { [`f/${template}`]: 'a' });
  expect((await world.flow('run', 'f')).code).toBe(0);
  const { code, stdout, stderr } = await world.flow('build', 'f', '--output', 'built', '--no-lock');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`f/flow.dag.yaml:4:56 error FILE_MISSING there is no file "${template}" for node "say"\n`);
  expect(stderr.endsWith(`Nothing was written.\n${left}`)).toBe(true);
  expect(existsSync(join(world.folder, 'built'))).toBe(false);
});

test('a file that is a link to another of the flow goes along to Prompt flow, and where a folder is one it is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flowWith('say.jinja2'),
    'g/flow.dag.yaml': flowWith('linked/say.jinja2'),
    'f/real/say.jinja2': 'a',
    'g/real/say.jinja2': 'a',
    'key.txt': 'secret',
  });
  symlinkSync('real/say.jinja2', join(world.folder, 'f/say.jinja2'));
  symlinkSync('../key.txt', join(world.folder, 'f/key.txt'));
  symlinkSync('real', join(world.folder, 'g/linked'));
  expect(await world.flow('expand', 'f', '--promptflow', 'there')).toMatchObject({ code: 0 });
  expect(readFileSync(join(world.folder, 'there/say.jinja2'), 'utf8')).toBe('a');
  expect(existsSync(join(world.folder, 'there/key.txt'))).toBe(false);
  const { code, stderr } = await world.flow('expand', 'g', '--promptflow', 'nowhere');
  expect(code).toBe(2);
  expect(stderr).toContain('there is no file "linked/say.jinja2" for node "say"\n');
  expect(existsSync(join(world.folder, 'nowhere'))).toBe(false);
});
