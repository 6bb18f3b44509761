import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld, type TestWorldOptions } from '../../testing/test-io.ts';
import { writeFiles } from '../../testing/write-files.ts';

/** A world whose home folder is `home` below its folder. */
function worldWithHome(options: TestWorldOptions = {}): TestWorld {
  const first = createTestWorld();
  const world = createTestWorld({
    ...options,
    folder: first.folder,
    environment: { HOME: join(first.folder, 'home'), ...options.environment },
  });
  return { ...world, [Symbol.dispose]: () => first[Symbol.dispose]() };
}

const azureFile = `$schema: https://azuremlschemas.azureedge.net/promptflow/latest/AzureOpenAIConnection.schema.json
name: azure
type: azure_open_ai
api_key: "<user-input>"
api_base: https://example.openai.azure.com
api_type: azure
`;

test('created from a file of Prompt flow, shown, changed and deleted', async () => {
  using world = worldWithHome();
  writeFiles(world.folder, { 'azure.yaml': azureFile });
  const said: string[] = [];
  for (const line of [
    ['create', '--file', 'azure.yaml', '--set', 'api_key=sekret-1'],
    ['show', 'azure'],
    ['update', '--name', 'azure', '--set', 'api_version=2024-06-01', 'api_base=https://other.example'],
    ['show', '-n', 'azure', '--json'],
    ['delete', '-n', 'azure', '--yes'],
    ['list'],
  ]) {
    const { code, stdout, stderr } = await world.flow('connection', ...line);
    said.push(`[${code}] ${stdout}${stderr}`);
  }
  expect(said.join('')).toBe(`[0] created connection "azure" in home/.flow/connections
next    flow connection test azure
[0] name         azure
type         azure_open_ai
from         home/.flow/connections
created      2026-11-21T06:45:00.000Z
modified     2026-11-21T06:45:00.000Z
api_base     https://example.openai.azure.com
api_type     azure
api_version  2024-02-01
auth_mode    key
api_key      ******
[0] updated connection "azure" in home/.flow/connections
[0] {
  "name": "azure",
  "type": "azure_open_ai",
  "from": "home/.flow/connections",
  "configs": {
    "api_base": "https://other.example",
    "api_type": "azure",
    "api_version": "2024-06-01",
    "auth_mode": "key"
  },
  "secrets": {
    "api_key": "******"
  },
  "created": "2026-11-21T06:45:00.000Z",
  "modified": "2026-11-21T06:45:00.000Z"
}
[0] deleted connection "azure" from home/.flow/connections
[0] no connections yet: flow connection create makes one
`);
});

/** What a flow gets of a connection, told by a code node that is given it: with blanks between, or it would be redacted. */
async function valuesOf(world: TestWorld, name: string): Promise<unknown> {
  writeFiles(world.folder, {
    'probe/flow.dag.yaml': `environment_variables:\n  SEEN: \${${name}}\noutputs:\n  seen: {type: string, reference: "\${see.output}"}\nnodes:\n- {name: see, type: python, source: {type: code, path: see.py}, inputs: {}}\n`,
    'probe/see.py':
      'import os\nfrom promptflow.core import tool\n\n@tool\ndef see():\n    return " ".join(os.environ["SEEN"])\n',
  });
  const { stdout } = await world.flow('run', 'probe', '--json');
  return JSON.parse(stdout).outputs.seen.replaceAll(' ', '');
}

test.for([
  ['an empty key is asked for', 'api_key: ""', ['asked-1'], 'asked-1'],
  ['stars are asked for', 'api_key: "****"', ['asked-1'], 'asked-1'],
  ['<no-change> is asked for where there is none yet', 'api_key: <no-change>', ['asked-1'], 'asked-1'],
  ['a key that is not written is asked for', '', ['asked-1'], 'asked-1'],
  ['a written key is taken', 'api_key: written-1', [], 'written-1'],
  ['a variable stays one', `api_key: "\${env:MY_KEY}"`, [], 'from-variable'],
] as const)('%s', async ([, line, answers, key]) => {
  const stdin = answers.map((answer) => `${answer}\n`).join('');
  using world = worldWithHome({
    stdin,
    isInteractive: true,
    environment: { MY_KEY: 'from-variable', PATH: process.env['PATH'] ?? '' },
  });
  writeFiles(world.folder, { 'c.yaml': `name: mine\ntype: open_ai\n${line}\n` });
  const created = await world.flow('connection', 'create', '--file', 'c.yaml');
  expect(created.stdout).toBe(
    `${answers.length > 0 ? 'api_key of mine: \n' : ''}created connection "mine" in home/.flow/connections\nnext    flow connection test mine\n`,
  );
  expect(await valuesOf(world, 'mine.api_key')).toBe(key);
});

test('a secret held open stays as it is; <user-input> is asked for again', async () => {
  using world = worldWithHome({
    stdin: 'second\n',
    isInteractive: true,
    environment: { PATH: process.env['PATH'] ?? '' },
  });
  writeFiles(world.folder, { 'c.yaml': 'name: mine\ntype: open_ai\napi_key: ****\n'.replace('****', '"****"') });
  await world.flow('connection', 'create', '--name', 'mine', '--set', 'type=open_ai', 'api_key=first');
  const again = await world.flow('connection', 'create', '-f', 'c.yaml', '--set', 'organization=o');
  expect(again.stdout).toBe(
    'replaced connection "mine" in home/.flow/connections\nnext    flow connection test mine\n',
  );
  expect(await valuesOf(world, 'mine.api_key')).toBe('first');
  const asked = await world.flow('connection', 'update', 'mine', '--set', 'api_key=<user-input>');
  expect(asked.stdout).toBe('api_key of mine: \nupdated connection "mine" in home/.flow/connections\n');
  expect(await valuesOf(world, 'mine.api_key')).toBe('second');
});

test('a line of a .env file that cannot be read is told, without its value', async () => {
  using world = worldWithHome();
  writeFiles(world.folder, { '.env': 'FIRST=one\nSECOND="s3cret\n' });
  const { stderr } = await world.flow('connection', 'create', '--file', '.env', '--name', 'keys');
  expect(stderr).toBe('warning: .env:2: this line is left out: the quote before its value is never closed\n');
});

test('a .env file makes a custom connection of secrets; a class of the user is kept with it', async () => {
  using world = worldWithHome();
  writeFiles(world.folder, {
    '.env': '# keys\nexport FIRST=one\nSECOND="two words"\n',
    'strong.yaml':
      'name: strong\ntype: custom\ncustom_type: My\nmodule: my_tool\npackage: p\npackage_version: 1.0\nconfigs: {a: 1}\nsecrets: {k: s}\n',
  });
  await world.flow('connection', 'create', '--file', '.env', '--name', 'keys');
  await world.flow('connection', 'create', '--file', 'strong.yaml', '--set', 'secrets.k=t', 'configs.b=2');
  const shown = async (name: string): Promise<unknown> =>
    JSON.parse((await world.flow('connection', 'show', name, '--json')).stdout);
  expect(await shown('keys')).toMatchObject({
    type: 'custom',
    configs: {},
    secrets: { FIRST: '******', SECOND: '******' },
  });
  expect(await shown('strong')).toMatchObject({
    configs: { a: '1', b: '2', 'promptflow.connection.custom_type': 'My', 'promptflow.connection.module': 'my_tool' },
    secrets: { k: '******' },
  });
});

test('a project has its own store, nearer than that of the home folder', async () => {
  using world = worldWithHome();
  await world.flow('connection', 'create', '--name', 'mine', '--set', 'type=custom', 'configs.where=home');
  await world.flow(
    'connection',
    'create',
    '--name',
    'mine',
    '--set',
    'type=custom',
    'configs.where=project',
    '--project',
  );
  const { stdout } = await world.flow('connection', 'list');
  expect(stdout).toBe('name  type    from\nmine  custom  .flow/connections\n\n');
  expect((await world.flow('connection', 'show', 'mine')).stdout).toContain('where     project');
});

test.for([
  [['create', '--set', 'type=open_ai'], 'the connection needs a name'],
  [
    ['create', '-n', 'x', '--set', 'type=open-ai', 'api_key=k'],
    'there is no connection type "open-ai"\ndid you mean "open_ai"?',
  ],
  [['create', '-n', 'x', '--set', 'type=open_ai'], 'connection "x" needs api_key, and there is no terminal to ask'],
  [['create', '-n', 'x', '--set', 'api_key=k'], 'a connection needs a type'],
  [['update', 'min', '--set', 'a=b'], `Connection 'min' is not found.\ndid you mean "mine"?`],
  [
    ['test', 'open_ai_connection'],
    `Connection 'open_ai_connection' is not found.\nit is there as soon as the environment variable OPENAI_API_KEY is set, or flow connection create keeps it`,
  ],
  [['show', 'min'], `Connection 'min' is not found.\ndid you mean "mine"?`],
  [['update', 'mine'], 'nothing to change was given'],
  [['delete', 'mine'], 'deleting connection "mine" needs a yes, and there is no terminal to ask'],
  [['show'], 'which connection?'],
  [['create', '--file', 'two.yaml'], 'two.yaml holds 2 connections'],
] as const)('flow connection %s', async ([line, message]) => {
  using world = worldWithHome();
  writeFiles(world.folder, { 'two.yaml': 'a: {type: custom}\nb: {type: custom}\n' });
  await world.flow('connection', 'create', '-n', 'mine', '--set', 'type=open_ai', 'api_key=k');
  const { code, stderr } = await world.flow('connection', ...line);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test("Prompt flow's store is taken over without its secrets", async () => {
  using world = worldWithHome();
  const path = join(world.folder, 'pf.sqlite');
  using database = new DatabaseSync(path);
  database.exec(
    'CREATE TABLE connection (connectionName TEXT PRIMARY KEY, connectionType TEXT NOT NULL, configs TEXT NOT NULL, customConfigs TEXT NOT NULL, createdDate TEXT NOT NULL, lastModifiedDate TEXT NOT NULL, expiryTime TEXT)',
  );
  const insert = database.prepare("INSERT INTO connection VALUES (?, ?, ?, ?, '2024', '2024', NULL)");
  insert.run(
    'azure',
    'AzureOpenAI',
    '{"api_base": "https://x.example", "api_type": "azure", "api_version": "v1", "api_key": "gAAAAAencrypted"}',
    '{}',
  );
  insert.run(
    'mine',
    'Custom',
    '{}',
    '{"url": {"configValueType": "String", "value": "u"}, "token": {"configValueType": "Secret", "value": "gAAAAAencrypted"}}',
  );
  const imported = await world.flow('connection', 'import', '--from', 'pf.sqlite');
  expect(imported).toEqual({
    code: 0,
    stdout: `✓ azure (azure_open_ai), without its secrets: flow connection update azure --set api_key=…
✓ mine (custom), without its secrets: flow connection update mine --set secrets.token=…
imported 2 of 2 connections into home/.flow/connections
`,
    stderr: '',
  });
  const kept = join(world.folder, 'home/.flow/connections');
  for (const file of readdirSync(kept)) expect(readFileSync(join(kept, file), 'utf8')).not.toContain('encrypted"');
  expect((await world.flow('connection', 'show', 'mine')).stdout).toContain('url       u');
});

test.for([
  { text: 'type: azure_open_ai\napi_key: k\n', says: 'connection "a" needs api_base\n--set api_base=… gives it.\n' },
  { text: 'type: form_recognizer\napi_key: k\n', says: 'connection "a" needs endpoint\n--set endpoint=… gives it.\n' },
  {
    text: 'type: azure_open_ai\napi_base: https://x\nauth_mode: entra\n',
    says: 'connection "a": auth_mode is key or meid_token, not "entra"\n',
  },
  { text: 'api_key: k\n', says: '    help: type: open_ai, for instance\n1 error\n' },
])('a connection that leads nowhere is refused: $says', async ({ text, says }) => {
  using world = worldWithHome();
  writeFiles(world.folder, { 'one.yaml': `name: a\n${text}` });
  const { code, stderr } = await world.flow('connection', 'create', '--file', 'one.yaml');
  expect([code, stderr.startsWith('error: '), stderr.endsWith(says)]).toEqual([2, true, true]);
});

test('a connection that cannot be used is marked in the list, and no bar to the others', async () => {
  using world = worldWithHome();
  writeFiles(world.folder, {
    'connections.yaml': 'good: {type: offline}\nbad: {type: opn_ai, api_key: sekret-1}\nworse: 5\n',
  });
  const { code, stdout } = await world.flow('connection', 'list');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `name   type     from
good   offline  connections.yaml
bad    opn_ai   connections.yaml
worse           connections.yaml

✗ connection "bad" has the unknown type "opn_ai": did you mean "open_ai"? the types are azure_open_ai, open_ai, serverless, serp, qdrant, weaviate, cognitive_search, azure_content_safety, form_recognizer, azure_ai_services, amazon_bedrock, llama_cpp, ai_sdk, anthropic, google, mistral, cohere, groq, xai, deepseek, ollama, custom
✗ connection "worse" needs a "type": type: open_ai, for instance
`,
  });
  expect((await world.flow('connection', 'test', 'good')).code).toBe(0);
  const used = await world.flow('connection', 'test', 'bad');
  expect([used.code, used.stderr]).toEqual([
    2,
    `error: connection "bad" cannot be used:
connections.yaml:2:13 error CONNECTION_FILE connection "bad" has the unknown type "opn_ai"
    bad: {type: opn_ai, api_key: ********}
                ~~~~~~
    help: did you mean "open_ai"? the types are azure_open_ai, open_ai, serverless, serp, qdrant, weaviate, cognitive_search, azure_content_safety, form_recognizer, azure_ai_services, amazon_bedrock, llama_cpp, ai_sdk, anthropic, google, mistral, cohere, groq, xai, deepseek, ollama, custom
connections.yaml:3:1 error CONNECTION_FILE connection "worse" needs a "type"
    worse: *
    ~~~~~
    help: type: open_ai, for instance
2 errors
`,
  ]);
});
