// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHeldAddress } from '../../../server/src/testing/served-world.ts';
import { ask, editedWorld } from '../testing/edited-world.ts';
import { startFlow } from '../testing/flow-process.ts';
import { writeFiles } from '../testing/write-files.ts';

const greet = `inputs:
  name: {type: string}
outputs:
  greeting: {type: string, reference: "\${greet.output}"}
nodes:
- {name: greet, type: prompt, source: {type: code, path: greet.jinja2}, inputs: {name: "\${inputs.name}"}}
`;

const served = 'greet: 1 node, served\n';

test('what is edited is served from the next request on; with mistakes the version before is', async () => {
  const files = { 'greet/flow.dag.yaml': greet, 'greet/greet.jinja2': 'Hello {{ name }}' };
  await using world = await editedWorld('greet', files);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Hello Ada' });
  await world.edit({ 'greet/greet.jinja2': 'Good day {{ name }}' }, served, 2);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Good day Ada' });

  await world.edit({ 'greet/flow.dag.yaml': greet.replace('inputs.name}', 'inputs.nane}') }, 'served on\n');
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Good day Ada' });
  const { mistakes } = (await (await fetch(`${world.url}/flows`)).json()) as { readonly mistakes: readonly unknown[] };
  expect(mistakes).toEqual([
    {
      flow: 'greet',
      isServed: true,
      text: expect.stringMatching(/^greet\/flow\.dag\.yaml:6:\d+ error \w+ .*nane[\s\S]*did you mean/i),
    },
  ]);

  await world.edit({ 'greet/flow.dag.yaml': greet }, served, 3);
  expect(await (await fetch(`${world.url}/flows`)).json()).toMatchObject({ mistakes: [], flows: [{ name: 'greet' }] });
  const { code, stdout, stderr } = await world.end();
  expect(stdout).toBe(
    [
      '✓ greet: 1 node, served',
      `greet: ${world.url}`,
      'watching for changes; Ctrl-C ends it',
      'changed greet/greet.jinja2',
      '✓ greet: 1 node, served',
      'changed greet/flow.dag.yaml',
      '✗ greet: 1 error; the version before is served on',
      'changed greet/flow.dag.yaml',
      '✓ greet: 1 node, served',
      '',
    ].join('\n'),
  );
  expect(stderr).toMatch(/^greet\/flow\.dag\.yaml:6:\d+ error /);
  expect(code).toBe(0);
});

test('a file that takes the place of another, as editors save, is seen', async () => {
  const files = { 'greet/flow.dag.yaml': greet, 'greet/greet.jinja2': 'Hello {{ name }}' };
  await using world = await editedWorld('greet', files);
  for (const [at, word] of ['Hi', 'Hey', 'Yo'].entries()) {
    writeFiles(world.folder, { 'greet/.greet.jinja2.swp': `${word} {{ name }}` });
    renameSync(join(world.folder, 'greet/.greet.jinja2.swp'), join(world.folder, 'greet/greet.jinja2'));
    await world.process.said(served, at + 2);
    let answer = await ask(world.url, { name: 'Ada' });
    // The swap file alone may have been taken up first.
    for (let times = at + 3; JSON.stringify(answer) !== `{"greeting":"${word} Ada"}`; times++) {
      await world.process.said(served, times);
      answer = await ask(world.url, { name: 'Ada' });
    }
  }
});

test('files included from outside the folder are watched, also those that come to be', async () => {
  const included = `${greet}additional_includes:\n- ../shared/greet.jinja2\n`;
  const files = { 'greet/flow.dag.yaml': included, 'shared/greet.jinja2': 'Hello {{ name }}' };
  await using world = await editedWorld('greet', files);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Hello Ada' });
  await world.edit({ 'shared/greet.jinja2': 'Good day {{ name }}' }, served, 2);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Good day Ada' });
  await world.edit(
    { 'greet/flow.dag.yaml': included.replace('../shared', '../others') },
    'the version before is served on\n',
  );
  await world.edit({ 'others/greet.jinja2': 'Bye {{ name }}' }, served, 3);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Bye Ada' });
});

test('links that lead round, and an include of the whole disk, are not watched', async () => {
  const files = { 'greet/flow.dag.yaml': greet, 'greet/greet.jinja2': 'Hello {{ name }}' };
  await using world = await editedWorld('greet', files);
  for (const [name, target] of Object.entries({ up: '..', here: '.', disk: '/' }))
    symlinkSync(target, join(world.folder, 'greet', name));
  await world.edit({ 'greet/greet.jinja2': 'Hi {{ name }}' }, served, 2);
  await world.edit({ 'greet/flow.dag.yaml': `${greet}additional_includes: [/]\n` }, 'served on\n');
  await world.edit({ 'greet/flow.dag.yaml': greet, 'greet/greet.jinja2': 'Bye {{ name }}' }, served, 3);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Bye Ada' });
  expect((await world.end()).stderr).not.toMatch(/greet\/(up|here|disk)\//);
});

test('a link that leads elsewhere is followed: of a file, of its folder, and from nowhere back to a file', async () => {
  const files = {
    'first/flow.dag.yaml': greet,
    'first/greet.jinja2': 'First {{ name }}',
    'first/other.jinja2': 'Other {{ name }}',
    'second/flow.dag.yaml': greet,
    'second/greet.jinja2': 'Second {{ name }}',
    'greet/flow.dag.yaml': greet,
    'greet/greet.jinja2': 'Hello {{ name }}',
  };
  await using world = await editedWorld('greet', files);
  /** As deployments do: the link takes the place of what was there. */
  const lead = (path: string, target: string): void => {
    symlinkSync(target, join(world.folder, 'new-link'));
    renameSync(join(world.folder, 'new-link'), join(world.folder, path));
  };
  renameSync(join(world.folder, 'greet'), join(world.folder, 'kept'));
  await world.process.said('served on');
  lead('greet', 'first');
  await world.process.said(served, 2);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'First Ada' });
  lead('greet', 'second');
  await world.process.said(served, 3);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Second Ada' });
  await world.edit({ 'second/greet.jinja2': 'Edited {{ name }}' }, served, 4);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Edited Ada' });

  lead('greet', 'first');
  await world.process.said(served, 5);
  lead('first/greet.jinja2', 'nowhere.jinja2');
  await world.process.said('1 error; the version before is served on');
  lead('first/greet.jinja2', 'other.jinja2');
  await world.process.said(served, 6);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Other Ada' });
});

test('a file that is emptied, as some editors do before they write, is not served', async () => {
  const files = { 'greet/flow.dag.yaml': greet, 'greet/greet.jinja2': 'Hello {{ name }}' };
  await using world = await editedWorld('greet', files);
  await world.edit({ 'greet/flow.dag.yaml': '' }, 'cannot be served; the version before is served on\n');
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Hello Ada' });
  await world.edit({ 'greet/flow.dag.yaml': greet }, served, 2);
  expect((await world.end()).stderr).toBe('greet/flow.dag.yaml has no nodes and no outputs\n');
});

test('a folder that goes is served on, and taken up when it comes back', async () => {
  const files = { 'greet/flow.dag.yaml': greet, 'greet/greet.jinja2': 'Hello {{ name }}' };
  await using world = await editedWorld('greet', files);
  renameSync(join(world.folder, 'greet'), join(world.folder, 'kept'));
  await world.process.said('cannot be served; the version before is served on');
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Hello Ada' });
  writeFiles(world.folder, { 'kept/greet.jinja2': 'Back, {{ name }}' });
  renameSync(join(world.folder, 'kept'), join(world.folder, 'greet'));
  await world.process.said(served, 2);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Back, Ada' });
});

test('a copy that takes the place of a folder is watched', async () => {
  const files = { 'greet/flow.dag.yaml': greet, 'greet/greet.jinja2': 'Hello {{ name }}' };
  await using world = await editedWorld('greet', files);
  const [at, copy, old] = ['greet', 'copy', 'old'].map((name) => join(world.folder, name)) as [string, string, string];
  cpSync(at, copy, { recursive: true, preserveTimestamps: true });
  renameSync(at, old);
  renameSync(copy, at);
  await world.process.said(served, 2);
  await world.edit({ 'greet/greet.jinja2': 'Bye {{ name }}' }, served, 3);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Bye Ada' });
});

test('a folder within the flow that takes the place of another is watched', async () => {
  const files = {
    'greet/flow.dag.yaml': greet.replace('greet.jinja2', 'parts/greet.jinja2'),
    'greet/parts/greet.jinja2': 'Hello {{ name }}',
    'next/greet.jinja2': 'Next {{ name }}',
  };
  await using world = await editedWorld('greet', files);
  renameSync(join(world.folder, 'greet/parts'), join(world.folder, 'greet/old'));
  renameSync(join(world.folder, 'next'), join(world.folder, 'greet/parts'));
  await world.process.said(served, 2);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Next Ada' });
  await world.edit({ 'greet/parts/greet.jinja2': 'Bye {{ name }}' }, served, 3);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Bye Ada' });
});

test('a flow with mistakes from the start is served once it has none', async () => {
  await using world = await editedWorld('greet', { 'greet/flow.dag.yaml': greet });
  const refused = await fetch(`${world.url}/score`, { method: 'POST', body: '{}' });
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'FlowNotReady' } }]);
  await world.edit({ 'greet/greet.jinja2': 'Hello {{ name }}' }, served);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Hello Ada' });
});

const wait = `inputs:
  url: {type: string}
outputs:
  said: {type: string, reference: "\${wait.output}"}
nodes:
- {name: wait, type: python, source: {type: code, path: wait.ts}, inputs: {url: "\${inputs.url}"}}
`;
const waiting = (word: string): string =>
  `export async function wait({ url }: { url: string }) {\n  await fetch(url);\n  return '${word}';\n}\n`;

test('a request under way is answered by the version it began on, and its row can still be asked for', async () => {
  await using held = await startHeldAddress();
  await using world = await editedWorld('wait', { 'wait/flow.dag.yaml': wait, 'wait/wait.ts': waiting('before') });
  const before = ask(world.url, { url: held.url });
  const begun = await fetch(`${world.url}/flows/wait/runs?wait=0`, {
    method: 'POST',
    body: JSON.stringify({ url: held.url }),
  });
  await held.asked(2);
  await world.edit({ 'wait/wait.ts': waiting('after') }, 'wait: 1 node, served\n', 2);
  const after = ask(world.url, { url: held.url });
  await held.asked(3);
  held.release();
  expect([await before, await after]).toEqual([{ said: 'before' }, { said: 'after' }]);
  const place = `${world.url}${begun.headers.get('location')}`;
  let row = await fetch(place);
  while (row.status === 202) row = await fetch(place);
  expect(await row.json()).toMatchObject({ status: 'Completed', outputs: { said: 'before' } });
});

const words = `from words import word
from promptflow.core import tool


@tool
def say(name: str) -> str:
    return f"{word()} {name}"
`;

test('a module that Python code imports is imported again', async () => {
  await using world = await editedWorld('greet', {
    'greet/flow.dag.yaml': greet.replace('type: prompt', 'type: python').replace('path: greet.jinja2', 'path: say.py'),
    'greet/say.py': words,
    'greet/words.py': 'def word():\n    return "Hello"\n',
  });
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Hello Ada' });
  await world.edit({ 'greet/words.py': 'def word():\n    return "Bonjour"\n' }, served, 2);
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Bonjour Ada' });
  await world.edit({ 'greet/words.py': 'def word(:\n' }, 'the version before is served on\n');
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Bonjour Ada' });
});

test('a flow that is not there is told, and nothing is served', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-dev-')));
  mkdirSync(join(folder, 'greet'));
  writeFileSync(join(folder, 'greet/flow.dag.yaml'), greet);
  const { code, stderr } = await startFlow(['dev', 'great', '--port', '0'], { folder }).ended;
  rmSync(folder, { recursive: true });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'error: there is no file or folder great\ndid you mean "greet"?\n',
  });
});
