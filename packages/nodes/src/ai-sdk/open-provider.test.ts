import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@unroll/engine';
import { afterAll, expect, test } from 'vitest';
import { openProvider } from './open-provider.ts';
import { writtenSettings } from './written-settings.ts';

const root = mkdtempSync(join(tmpdir(), 'unroll-providers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder in which packages of these names are installed, each with this source. */
function folderWith(name: string, packages: Readonly<Record<string, string>>): string {
  const folder = join(root, name);
  for (const [one, source] of Object.entries(packages)) {
    const at = join(folder, 'node_modules', one);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ name: one, type: 'module', exports: './index.js' }));
    writeFileSync(join(at, 'index.js'), source);
  }
  return folder;
}

function connection(
  type: string,
  configs: Connection['configs'] = {},
  secrets: Connection['secrets'] = {},
): Connection {
  return { name: 'mine', type, configs, secrets };
}

const provider = (version: string, id: string): string =>
  `export function createOwn() { return { languageModel: () => ({ specificationVersion: '${version}', id: '${id}' }) }; }`;

test('the package beside the flow is taken before that of the current folder, and ours last', async () => {
  const near = folderWith('near', { 'own-provider': provider('v4', 'near') });
  const far = folderWith('far', { 'own-provider': provider('v4', 'far'), other: provider('v3', 'other') });
  const open = async (name: string): Promise<unknown> =>
    (await openProvider(connection('ai_sdk', { package: name }), [near, far])).languageModel('m');
  expect(await open('own-provider')).toMatchObject({ id: 'near' });
  expect(await open('other')).toMatchObject({ id: 'other' });
  expect(await open('@ai-sdk/mistral')).toMatchObject({ provider: 'mistral.chat' });
});

test.for<readonly [string, Connection, string]>([
  [
    'is not installed',
    connection('cohere', { package: '@ai-sdk/cohere-next' }),
    'a connection of type cohere needs @ai-sdk/cohere-next, which is not installed: npm install @ai-sdk/cohere-next',
  ],
  [
    'of any name is not installed',
    connection('ai_sdk', { package: '@ai-sdk/google-vertex/anthropic' }),
    'a connection of type ai_sdk needs @ai-sdk/google-vertex, which is not installed: npm install @ai-sdk/google-vertex',
  ],
  ['is not named', connection('ai_sdk'), 'connection "mine": package: expected the name of a package, not ""'],
  [
    'is a path',
    connection('ai_sdk', { package: './provider.js' }),
    'connection "mine": package: expected the name of a package, not "./provider.js"',
  ],
  [
    'is a part of Node',
    connection('ai_sdk', { package: 'node:fs' }),
    'connection "mine": package: expected the name of a package, not "node:fs"',
  ],
  [
    'has no such export',
    connection('ai_sdk', { package: 'two', export: 'createFirs' }),
    'connection "mine": export: two has no function "createFirs". Did you mean "createFirst"?',
  ],
  [
    'has several exports',
    connection('ai_sdk', { package: 'two' }),
    'connection "mine": export: which of two makes the provider? It has createFirst, createSecond',
  ],
  [
    'speaks an older version',
    connection('ai_sdk', { package: 'old' }),
    'connection "mine": old speaks version v2 of the AI SDK\'s model interface; v3 and v4 are known. Install another version of the package: npm install old@latest',
  ],
  [
    'cannot be loaded',
    connection('ai_sdk', { package: 'broken' }),
    'connection "mine": broken cannot be loaded: its own fault',
  ],
])('a package that %s', async ([, one, message]) => {
  const folder = folderWith('wrong', {
    two: 'export function createFirst() {}\nexport function createSecond() {}',
    old: provider('v2', 'old'),
    broken: "throw new Error('its own fault')",
  });
  await expect(openProvider(one, [folder])).rejects.toThrow(message);
});

test('settings are given as they were written, keys as texts', () => {
  const settings = writtenSettings(
    connection(
      'ai_sdk',
      {
        package: 'p',
        base_url: 'https://a.example',
        'settings.includeUsage': 'true',
        'settings.project': '"12"',
        'settings.retries': '3',
        'settings.regions': '["eu"]',
        'settings.a.b': 'c',
        'settings.__proto__.polluted': 'yes',
      },
      { api_key: '123', 'settings.headers.x-key': 'true' },
    ),
  );
  expect({ ...settings, a: { ...(settings['a'] as object) }, headers: { ...(settings['headers'] as object) } }).toEqual(
    expect.objectContaining({
      baseURL: 'https://a.example',
      apiKey: '123',
      includeUsage: true,
      project: '12',
      retries: 3,
      regions: ['eu'],
      a: { b: 'c' },
      headers: { 'x-key': 'true' },
    }),
  );
  expect({}).not.toHaveProperty('polluted');
});
