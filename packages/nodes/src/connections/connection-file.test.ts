import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Float } from '@unroll/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConnectionFile } from './connection-file.ts';
import { readConnection } from './written-connection.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unroll-connection-file-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is told of a file: where it cannot be read, else for the first connection that is wrong. */
function told(text: string): string | undefined {
  const path = join(folder, 'connections.yaml');
  writeFileSync(path, text);
  try {
    return readConnectionFile(path, 'connections.yaml').find(({ error }) => error !== undefined)?.error?.message;
  } catch (error) {
    return (error as Error).message;
  }
}

const secret = 'sk-very-secret';

test('all mistakes of a file at once, each with its place and the nearest known name', () => {
  const text = `mine:
  type: open_ia   # ${secret}
  api_key: ${secret}
search: {type: cognitive_search, api_kye: ${secret}, api_base: "https://x"}
typeless:
  api_key: ${secret}
text: ${secret}
own:
  type: custom
  secrets: {anything: ${secret}}
  custom_type: Own
  base_url: https://x
  secret: {a: b}
`;
  expect(told(text)).toBe(`connection "mine" cannot be used:
connections.yaml:2:9 error CONNECTION_FILE connection "mine" has the unknown type "open_ia"
      type: open_ia   * **************
            ~~~~~~~
    help: did you mean "open_ai"? the types are azure_open_ai, open_ai, serverless, serp, qdrant, weaviate, cognitive_search, azure_content_safety, form_recognizer, azure_ai_services, amazon_bedrock, llama_cpp, ai_sdk, anthropic, google, mistral, cohere, groq, xai, deepseek, ollama, custom
connections.yaml:4:34 warning CONNECTION_FILE a connection of type cognitive_search has no "api_kye"
    search: {type: cognitive_search, api_kye: **************, api_base: ******:****}
                                     ~~~~~~~
    help: did you mean "api_key"?
connections.yaml:5:1 error CONNECTION_FILE connection "typeless" needs a "type"
    typeless:
    ~~~~~~~~
    help: type: open_ai, for instance
connections.yaml:7:1 error CONNECTION_FILE connection "text" needs a "type"
    text: **************
    ~~~~
    help: type: open_ai, for instance
connections.yaml:12:3 warning CONNECTION_FILE a connection of type custom has no "base_url"
      base_url: *****:***
      ~~~~~~~~
    help: it stands below configs, or below secrets where it is one
connections.yaml:13:3 warning CONNECTION_FILE a connection of type custom has no "secret"
      secret: {a: *}
      ~~~~~~
    help: did you mean "secrets"?
3 errors, 3 warnings`);
});

test('a full-width colon is told with what to write', () => {
  const path = join(folder, 'connections.yaml');
  writeFileSync(path, `私の接続：\n  type: open_ai\n  api_key: ${secret}\n`);
  expect(() => readConnectionFile(path, 'connections.yaml')).toThrow(
    expect.objectContaining({ help: 'line 1 has "：": where it stands for YAML, write ":" and a space' }),
  );
});

test.for<readonly [what: string, text: string, told: string]>([
  [
    'a key in full-width letters',
    'mine:\n  type: open_ai\n  api_key: ｓｋ-1\n',
    'connections.yaml:3:12 error CONNECTION_FILE "api_key" holds a character that cannot be sent',
  ],
  [
    'a variable without env:',
    'mine:\n  type: open_ai\n  api_key: ${OUR_KEY}\n',
    'connections.yaml:3:12 error CONNECTION_FILE "api_key" names a variable in a form that is not read, and would be sent as it stands',
  ],
  [
    'what to write for a variable',
    'own:\n  type: custom\n  secrets: {a: "x ${ENV:OUR_KEY} y"}\n',
    'help: write ${env:OUR_KEY}',
  ],
  ["a variable as a shell's", 'mine: {type: open_ai, api_key: $OUR_KEY}\n', 'help: write ${env:OUR_KEY}'],
  [
    'a key in braces',
    `mine:\n  type: open_ai\n  base_url: "\${env:HOST}/v1"\n  api_key: \${${secret}}\n`,
    'help: write ${env:NAME}',
  ],
  ['a file of one without a type', `name: mine\napi_key: ${secret}\n`, 'connections.yaml:1:1 error CONNECTION_FILE'],
  ['a file of one of a wrong type', `name: a\ntype: opn_ai\napi_key: ${secret}\n`, 'connections.yaml:2:7 error'],
  ['a key twice', `a:\n  type: open_ai\n  api_key: ${secret}\n  api_key: ${secret}\n`, 'connections.yaml:4:3 error'],
  ['YAML that is none', `a:\n  type: open_ai\n  api_key: *${secret}\n`, 'connections.yaml:3:12 cannot be read: '],
  ['an open quote', `a:\n  type: open_ai\n  api_key: "${secret}\n`, 'connections.yaml:4:1 cannot be read: '],
  ['a list', `- api_key: ${secret}\n`, 'connections.yaml is no mapping of names to connections'],
  ['a mapping in a mapping', `a: {type: open_ai\n  b: ${secret}: c\n`, 'connections.yaml:1:'],
])('%s is told with its place, and no value', ([, text, expected]) => {
  expect(told(text)).toContain(expected);
  expect(told(text)).not.toContain(secret);
});

test.for(['', '\n', '# none yet\n'])('a file of %j holds no connections, and nothing is wrong with it', (text) => {
  const path = join(folder, 'empty.yaml');
  writeFileSync(path, text);
  expect(readConnectionFile(path)).toEqual([]);
});

test('what is right has no mistakes, in either form', () => {
  expect(told('a: {type: open_ai, api_key: k}\nb: {type: offline}\nc: {type: scripted, file: r.yaml}\n')).toBe(
    undefined,
  );
  expect(told('a: {type: custom, secrets: {b: "$Passw0rd", c: "x${y", d: "${env:KEY}"}}\n')).toBe(undefined);
  expect(told('$schema: https://x\nname: a\ntype: open_ai\nmodule: promptflow.connections\napi_key: k\n')).toBe(
    undefined,
  );
});

test('a number with a point is the text that is written', () => {
  const fields = { type: 'azure_open_ai', api_key: 'k', api_base: 'https://x', api_version: new Float(1) };
  expect(readConnection('mine', fields)?.configs).toMatchObject({ api_version: '1.0' });
});
