import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checked, PlaygroundPage } from '@unroll/project/studio-contract';
import { expect, test } from 'vitest';
import { asked, flow, post, prompt, shorter, three, triedWorld } from '../testing/tried-world.ts';

test('writing changes the lines that are edited and no others, comments stay', async () => {
  await using all = await triedWorld(three);
  const edits = { ...prompt(shorter), parameters: { temperature: '0.9', model: '"big one: x"' } };
  const { said } = await post<Checked>(all.viewed, 'check', { ...asked, edits });
  const digests = Object.fromEntries(said.files.map(({ path, digest }) => [path, digest]));
  const written = await post(all.viewed, 'write', { ...asked, edits, digests });
  expect(written).toEqual({
    status: 200,
    said: {
      files: [
        { path: 'ask.jinja2', lines: 1 },
        { path: 'flow.dag.yaml', lines: 2 },
      ],
    },
  });
  expect(readFileSync(join(all.viewed.folder, 'ask/ask.jinja2'), 'utf8')).toBe(shorter);
  expect(readFileSync(join(all.viewed.folder, 'ask/flow.dag.yaml'), 'utf8')).toBe(
    flow.replace('model: m #', 'model: "big one: x" #').replace('temperature: 0.5', 'temperature: 0.9'),
  );
});

test('line ends and byte order marks of a file stay', async () => {
  await using all = await triedWorld(three);
  const file = join(all.viewed.folder, 'ask/ask.jinja2');
  writeFileSync(file, '\uFEFFsystem:\r\nBe brief.\r\nuser:\r\n{{ q }}\r\n');
  const edits = prompt('system:\nBe kind.\nuser:\n{{ q }}\n');
  const { said } = await post<Checked>(all.viewed, 'check', { ...asked, edits });
  expect(said.files).toMatchObject([{ lines: 1 }]);
  const digests = { 'ask.jinja2': said.files[0]?.digest ?? '' };
  expect((await post(all.viewed, 'write', { ...asked, edits, digests })).status).toBe(200);
  expect(readFileSync(file, 'utf8')).toBe('\uFEFFsystem:\r\nBe kind.\r\nuser:\r\n{{ q }}\r\n');
});

const askIn = (...ends: readonly string[]): string =>
  ['system:', 'Be brief.', 'user:', '{{ q }}'].map((line, at) => line + (ends[at % ends.length] ?? '')).join('');

test.for<[string, string, string, string]>([
  ['line feeds and carriage returns among each other', askIn('\r\n', '\n'), 'Be kind.', 'Be kind.'],
  ['carriage returns alone', askIn('\r'), 'Be kind.', 'Be kind.'],
  ['a line more', askIn('\n', '\r\n', '\r\n', '\n'), 'Be kind.\nBe brief.', 'Be kind.\nBe brief.'],
  ['half a sign', askIn('\n'), 'Be \ud83d.', 'Be \ufffd.'],
])('%s: the line that was edited is another one, all others are as they were', async ([, before, typed, written]) => {
  await using all = await triedWorld(three);
  const file = join(all.viewed.folder, 'ask/ask.jinja2');
  writeFileSync(file, before);
  const edits = prompt(before.replaceAll(/\r\n?/g, '\n').replace('Be brief.', typed));
  const { said } = await post<Checked>(all.viewed, 'check', { ...asked, edits });
  const shown = said.files[0]?.changes.flatMap((one) => (one.kind === 'added' ? [one.text] : [])).join('\n');
  expect(shown).toBe(typed.replace('Be brief.', '').replace('\ud83d', '\ufffd').trim());
  const digests = { 'ask.jinja2': said.files[0]?.digest ?? '' };
  expect(await post(all.viewed, 'write', { ...asked, edits, digests })).toMatchObject({
    status: 200,
    said: { files: [{ lines: 1 }] },
  });
  expect(readFileSync(file, 'utf8')).toBe(before.replace('Be brief.', written));
});

test('a file that changed since it was seen is not written', async () => {
  await using all = await triedWorld(three);
  const { said } = await post<Checked>(all.viewed, 'check', { ...asked, edits: prompt(shorter) });
  const digests = { 'ask.jinja2': said.files[0]?.digest ?? '' };
  const file = join(all.viewed.folder, 'ask/ask.jinja2');
  writeFileSync(file, 'user:\n{{ q }}\n');
  const refused = await post(all.viewed, 'write', { ...asked, edits: prompt(shorter), digests });
  expect(refused).toMatchObject({ status: 409, said: { error: { code: 'Changed' } } });
  expect(readFileSync(file, 'utf8')).toBe('user:\n{{ q }}\n');
});

test('a prompt that a link leads elsewhere is not shown and not written', async () => {
  await using all = await triedWorld(three);
  const { folder } = all.viewed;
  renameSync(join(folder, 'ask/ask.jinja2'), join(folder, 'elsewhere.jinja2'));
  symlinkSync(join(folder, 'elsewhere.jinja2'), join(folder, 'ask/ask.jinja2'));
  const refused = await post(all.viewed, 'check', { ...asked, edits: prompt(shorter) });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  const page = await (await all.viewed.ask('playground?run=base&line=1&node=ask')).text();
  expect(page).not.toContain('Be brief');
});

test('a prompt that is gone is told, and not written anew', async () => {
  await using all = await triedWorld(three);
  const file = join(all.viewed.folder, 'ask/ask.jinja2');
  const { said } = await post<Checked>(all.viewed, 'check', { ...asked, edits: prompt(shorter) });
  rmSync(file);
  const digests = { 'ask.jinja2': said.files[0]?.digest ?? '' };
  expect(await post(all.viewed, 'write', { ...asked, edits: prompt(shorter), digests })).toEqual({
    status: 422,
    said: {
      error: {
        code: 'NotEditable',
        message: 'ask.jinja2 cannot be edited here: it cannot be read: no such file or directory',
      },
    },
  });
  expect(existsSync(file)).toBe(false);
  expect((await all.viewed.ask('playground?run=base&line=1&node=ask')).status).toBe(200);
});

test('what stands beside the file stays, also where a link leads away from there, and who may read it too', async () => {
  await using all = await triedWorld(three);
  const file = join(all.viewed.folder, 'ask/ask.jinja2');
  writeFileSync(join(all.viewed.folder, 'precious.txt'), 'precious');
  symlinkSync(join(all.viewed.folder, 'precious.txt'), `${file}.new`);
  chmodSync(file, 0o640);
  const { said } = await post<Checked>(all.viewed, 'check', { ...asked, edits: prompt(shorter) });
  const digests = { 'ask.jinja2': said.files[0]?.digest ?? '' };
  expect((await post(all.viewed, 'write', { ...asked, edits: prompt(shorter), digests })).status).toBe(200);
  expect(readFileSync(file, 'utf8')).toBe(shorter);
  expect(readFileSync(`${file}.new`, 'utf8')).toBe('precious');
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

test('a sign that stands for one that could not be read is a sign like any other', async () => {
  await using all = await triedWorld(three);
  const file = join(all.viewed.folder, 'ask/ask.jinja2');
  writeFileSync(file, 'user:\n{{ q }} \ufffd\n');
  const page = (await (await all.viewed.ask('playground?run=base&line=1&node=ask')).json()) as PlaygroundPage;
  expect(page.prompt?.problem).toBeUndefined();
  writeFileSync(file, Buffer.from([0x82, 0xa0]));
  const other = (await (await all.viewed.ask('playground?run=base&line=1&node=ask')).json()) as PlaygroundPage;
  expect(other.prompt?.problem).toBe('it is not written in UTF-8');
});

test('a text that looks like a date stays a text', async () => {
  await using all = await triedWorld(three);
  const edits = { parameters: { model: '"2026-01-01"' } };
  const { said } = await post<Checked>(all.viewed, 'check', { ...asked, edits });
  const digests = Object.fromEntries(said.files.map(({ path, digest }) => [path, digest]));
  expect((await post(all.viewed, 'write', { ...asked, edits, digests })).status).toBe(200);
  const written = readFileSync(join(all.viewed.folder, 'ask/flow.dag.yaml'), 'utf8');
  expect(written).toBe(flow.replace('model: m #', 'model: "2026-01-01" #'));
});
