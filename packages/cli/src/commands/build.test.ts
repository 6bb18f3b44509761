// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesWith } from '../testing/find-secrets.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = `# Asks.
inputs:
  question: {type: string}
outputs:
  answer: {type: string, reference: "\${ask.output}"}
additional_includes:
- ../shared/tone.jinja2
- ../lib
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  inputs: {model: gpt-4o-mini, question: "\${inputs.question}"}
  connection: mine
  api: chat
`;
const files: Readonly<Record<string, string>> = {
  'ask/flow.dag.yaml': flow,
  'ask/ask.jinja2': 'user:\n{{ question }}\n',
  'shared/tone.jinja2': 'Be kind.\n',
  'lib/words.json': '["a"]\n',
};
const secret = 'x9-literal-secret-4711';

/** The paths in a folder. */
function pathsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

test('a package that requirements.txt lists need not be installed here; one that it does not list does', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      'inputs: {}\noutputs: {}\nnodes:\n- {name: a, type: python, source: {type: code, path: a.py}, inputs: {}}\n',
    'f/a.py':
      'import tidings_of_nobody\nfrom promptflow.core import tool\n\n\n@tool\ndef a() -> str:\n    return "a"\n',
    'f/requirements.txt': 'other\n',
  });
  const build = () => world.flow('build', 'f', '--output', 'built', '--no-lock');
  expect(await build()).toMatchObject({ code: 2, stderr: expect.stringContaining('error IMPORT_MISSING') });
  writeFiles(world.folder, { 'f/requirements.txt': 'tidings_of_nobody\n' });
  expect(await build()).toMatchObject({
    code: 0,
    stderr:
      "warning: the module tidings_of_nobody is not found by the flow's Python here; requirements.txt lists it, and it is installed where the flow is served\n",
  });
});

test('variables of secrets have names that a shell can set, one for each', async () => {
  using world = createTestWorld();
  const names = ['my-models', 'my_models', '2nd models'];
  writeFiles(world.folder, {
    'ask/flow.dag.yaml': `inputs: {}
outputs: {${names.map((_, at) => `o${at}: {type: string, reference: "\${n${at}.output}"}`).join(', ')}}
nodes:
${names.map((name, at) => `- {name: n${at}, type: llm, api: chat, source: {type: code, path: ask.jinja2}, connection: ${name}, inputs: {model: gpt-4o}}`).join('\n')}
`,
    'ask/ask.jinja2': '# user:\nhello\n',
    'connections.yaml': names.map((name) => `${name}: {type: open_ai, api_key: ${secret}}\n`).join(''),
  });
  const { stdout, stderr } = await world.flow('build', 'ask', '--output', 'built', '--no-lock');
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter((line) => line.includes('api_key of'))).toEqual([
    'needs   MY_MODELS_API_KEY: api_key of the connection my-models',
    'needs   MY_MODELS_API_KEY_2: api_key of the connection my_models',
    'needs   _2ND_MODELS_API_KEY: api_key of the connection 2nd models',
  ]);
  expect(readFileSync(join(world.folder, 'built/connections.yaml'), 'utf8')).toContain(
    'my_models:\n  type: open_ai\n  api_key: ${env:MY_MODELS_API_KEY_2}\n',
  );
});

test('the folder holds the flow with what it includes, and what installs and serves it', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...files,
    'connections.yaml': `mine: {type: open_ai, base_url: http://127.0.0.1:9/v1, api_key: ${secret}}\nother: {type: serp, api_key: k}\n`,
  });
  expect(await world.flow('build', 'ask', '--output', 'built', '--no-lock')).toEqual({
    code: 0,
    stderr: '',
    stdout: `✓ built: 9 files
needs   MINE_API_KEY: api_key of the connection mine
next    cd built && npm install && npx flow serve ask
        docker build --tag my-flow built
`,
  });
  const built = join(world.folder, 'built');
  expect(pathsIn(built)).toEqual([
    '.dockerignore',
    'Dockerfile',
    'README.md',
    'ask/ask.jinja2',
    'ask/flow.dag.yaml',
    'ask/lib/words.json',
    'ask/tone.jinja2',
    'connections.yaml',
    'package.json',
  ]);
  const read = (path: string): string => readFileSync(join(built, path), 'utf8');
  expect(read('ask/flow.dag.yaml')).toBe(flow.replace('additional_includes:\n- ../shared/tone.jinja2\n- ../lib\n', ''));
  expect(read('connections.yaml')).toBe(
    'mine:\n  type: open_ai\n  base_url: http://127.0.0.1:9/v1\n  api_key: ${env:MINE_API_KEY}\n',
  );
  expect(JSON.parse(read('package.json'))).toEqual({
    name: 'served-flow',
    private: true,
    type: 'module',
    engines: { node: '>=22.19' },
    scripts: { start: 'flow serve "ask"' },
    dependencies: { '@unroll/cli': '0.1.0' },
  });
  expect(read('README.md')).toContain('| `MINE_API_KEY` | api_key of the connection mine |');
  const there = createTestWorld({ folder: built, environment: { MINE_API_KEY: 'k' } });
  expect(await there.flow('check', 'ask')).toMatchObject({ code: 0, stderr: '' });
  const told = await world.flow('build', 'ask', '--output', 'built', '--no-lock', '--force', '--json');
  expect(JSON.parse(told.stdout)).toMatchObject({
    output: 'built',
    flow: 'ask',
    files: pathsIn(built),
    left_out: [],
    variables: [{ name: 'MINE_API_KEY' }],
  });
});

test('no secret goes along, wherever it lies', async () => {
  using world = createTestWorld({ environment: { HOME: '/nowhere' } });
  writeFiles(world.folder, {
    ...files,
    'ask/flow.dag.yaml': flow.replace('mine', 'near'),
    'ask/ask.jinja2': 'user:\n{# near, far, given, azure #}{{ question }}\n',
    'ask/.env': `OPENAI_API_KEY=${secret}\n`,
    'ask/.env.production': `A=${secret}\n`,
    'ask/.npmrc': `//registry/:_authToken=${secret}\n`,
    'ask/.aws/credentials': `aws_secret_access_key = ${secret}\n`,
    'ask/.flow/connections.yaml': `far: {type: serp, api_key: ${secret}}\n`,
    'ask/.git/config': `url = https://me:${secret}@host/x\n`,
    'ask/connections.yaml': `near: {type: custom, configs: {url: "https://a.example", DB_PASSWORD: ${secret}}, secrets: {token: ${secret}}}\n`,
    'ask/azure.yaml': `$schema: https://azuremlschemas.azureedge.net/promptflow/latest/AzureOpenAIConnection.schema.json\nname: azure\ntype: azure_open_ai\napi_key: ${secret}\n`,
    'ask/server.key': secret,
    'ask/keys/id_ed25519': secret,
    'ask/local.settings.json': `{"Values": {"KEY": "${secret}"}}`,
    'connections.yaml': 'given: {type: open_ai, api_key: "${env:SEARCH_KEY}"}\n',
    'lib/.env': `B=${secret}\n`,
    'outside/key.txt': secret,
  });
  symlinkSync(join(world.folder, 'outside/key.txt'), join(world.folder, 'ask/linked.txt'));
  symlinkSync('round', join(world.folder, 'ask/round'));
  symlinkSync('.', join(world.folder, 'ask/again'));
  writeFiles(world.folder, { 'ask/flow.dag.yaml': flow.replace('connection: mine', 'connection: given') });
  const { code, stdout, stderr } = await world.flow('build', 'ask', '--output', 'built', '--no-lock');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const built = join(world.folder, 'built');
  expect(await filesWith([secret], built, [])).toEqual([]);
  expect(pathsIn(join(built, 'ask'))).toEqual(['ask.jinja2', 'flow.dag.yaml', 'lib/words.json', 'tone.jinja2']);
  for (const path of [
    '.env',
    '.npmrc',
    '.aws',
    'connections.yaml',
    'azure.yaml',
    'server.key',
    'linked.txt',
    'round',
    'again',
    'lib/.env',
  ])
    expect(stdout).toContain(`left    ${path}, which `);
  expect(readFileSync(join(built, 'connections.yaml'), 'utf8')).toBe(`near:
  type: custom
  configs:
    url: https://a.example
    DB_PASSWORD: \${env:NEAR_DB_PASSWORD}
  secrets:
    token: \${env:NEAR_TOKEN}
far:
  type: serp
  api_key: \${env:FAR_API_KEY}
given:
  type: open_ai
  api_key: \${env:SEARCH_KEY}
`);
});

test.for<[what: string, path: string, text: string, place: string]>([
  ['a known secret in code', 'ask/ask.ts', `const a = 1;\nconst key = '${secret}';\n`, 'ask/ask.ts:2'],
  [
    'one in a variable of the flow',
    'ask/flow.dag.yaml',
    `${flow}environment_variables: {MY_API_KEY: sk9-plain-literal-77}\n`,
    'ask/flow.dag.yaml:16',
  ],
  ['one in an included file', 'lib/words.json', `["${secret}"]`, 'ask/lib/words.json:1'],
  ['one in the name of a file', `ask/${secret}.txt`, '', 'ask/***.txt:1'],
  ['one in UTF-16', 'ask/notes.txt', `\uFEFF${secret}`, 'ask/notes.txt:1'],
  [
    'the password of an index of packages',
    'ask/requirements.txt',
    'a\n-i https://me:pw-4@h/simple\n',
    'ask/requirements.txt:2',
  ],
  [
    'the password of a package',
    'ask/package.json',
    '{"dependencies": {"a": "git+https://me:pw-4@h/a"}}',
    'ask/package.json:1',
  ],
  ['what can be nothing but a key', 'ask/notes.md', `\n\nsk-proj-${'a1B2'.repeat(10)}\n`, 'ask/notes.md:3'],
])('%s ends the build with its place, and nothing is written', async ([, path, text, place]) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...files,
    'connections.yaml': `mine: {type: open_ai, api_key: ${secret}}\n`,
    [path]: text,
  });
  if (text.startsWith('\uFEFF')) writeFileSync(join(world.folder, path), text, 'utf16le');
  expect(await world.flow('build', 'ask', '--output', 'built', '--no-lock')).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${place} holds a secret\nNothing was written. Take it from a connection, or from a variable of the environment.\n`,
  });
  expect(existsSync(join(world.folder, 'built'))).toBe(false);
});

test('a folder that is not empty is written into with --force alone, and the flow in it is replaced', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...files,
    'connections.yaml': 'mine: {type: open_ai, api_key: k}\n',
    'built/mine.txt': 'kept',
    'built/ask/old.txt': '',
  });
  const build = (...more: readonly string[]) => world.flow('build', 'ask', '--output', 'built', '--no-lock', ...more);
  expect(await build()).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: built is not empty\n--force writes into it; the folder of the flow in it is replaced, all else that is not written stays.\n',
  });
  expect((await build('--force')).code).toBe(0);
  expect(readFileSync(join(world.folder, 'built/mine.txt'), 'utf8')).toBe('kept');
  expect(existsSync(join(world.folder, 'built/ask/old.txt'))).toBe(false);
  expect(await world.flow('build', 'ask', '--output', 'ask/built')).toMatchObject({ code: 2, stdout: '' });
  expect((await world.flow('build', 'ask', '--output', '.', '--force')).stderr).toContain('lie in each other');
});

test('a flow with mistakes is told as flow check tells it', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { ...files, 'connections.yaml': 'mine: {type: open_ai, api_key: k}\n' });
  writeFileSync(join(world.folder, 'ask/flow.dag.yaml'), flow.replace('inputs.question', 'inputs.qestion'));
  const { code, stderr } = await world.flow('build', 'ask', '--output', 'built');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^ask\/flow\.dag\.yaml:13:\d+ error .*qestion/);
});

const python = `inputs:
  名前: {type: string}
outputs:
  挨拶: {type: string, reference: "\${greet.output}"}
nodes:
- {name: greet, type: python, source: {type: code, path: greet.py}, inputs: {name: "\${inputs.名前}"}}
`;

const greet = 'from promptflow.core import tool\n\n\n@tool\ndef greet(name: str) -> str:\n    return name\n';

/** Names that a Dockerfile or a shell could take for something else. */
test.for(['greet', '挨拶のフロー', 'a b', 'It is "here"', "it's $(touch x) `y` $HOME [1]"])(
  'the Dockerfile of %s is right, with Python where it is needed',
  async (name) => {
    const { validate } = await import('dockerfile-utils');
    using world = createTestWorld();
    mkdirSync(join(world.folder, name));
    writeFiles(join(world.folder, name), {
      'flow.dag.yaml': python,
      'greet.py': greet,
      'requirements.txt': '',
    });
    expect(
      await world.flow('build', '--source', name, '--output', 'built', '--format', 'docker', '--no-lock'),
    ).toMatchObject({ code: 0, stderr: '' });
    const dockerfile = readFileSync(join(world.folder, 'built/Dockerfile'), 'utf8');
    expect(validate(dockerfile)).toEqual([]);
    const copied = dockerfile
      .split('\n')
      .flatMap((line) => (line.startsWith('COPY [') ? [JSON.parse(line.slice(5))] : []));
    const [[first], [from, to]] = copied as [[string], [string, string]];
    // As BuildKit reads the words of COPY: \ keeps what follows from meaning something, and [[] of a source is [.
    const read = (word: string) => word.replaceAll(/\\(.)/g, '$1');
    expect([read(from).replaceAll('[[]', '['), read(to)]).toEqual([name, `./${name}/`]);
    expect(read(first).replaceAll('[[]', '[')).toBe(`${name}/requirements.txt`);
    expect(from.replaceAll(/\\./g, '')).not.toMatch(/["'$]/);
    const { scripts } = JSON.parse(readFileSync(join(world.folder, 'built/package.json'), 'utf8'));
    const typed = scripts.start.replace('flow serve', "printf '%s'");
    expect(execFileSync('sh', ['-c', typed], { encoding: 'utf8', cwd: world.folder })).toBe(name);
    expect(dockerfile).toContain(`RUN ["node_modules/.bin/flow","python","setup",${JSON.stringify(name)}]`);
    expect(pathsIn(join(world.folder, 'built', name))).toEqual(['flow.dag.yaml', 'greet.py', 'requirements.txt']);
  },
);

test.for<[requirements: string | undefined, isFirst: boolean]>([
  ['', true],
  ['# for all\nrequests[socks]>=2, <3 ; python_version > "3.9"\n\nhttpx\n', true],
  ['requests==2.32.3 \\\n    --hash=sha256:0a \\\n    --hash=sha256:0b\r\n', true],
  ['-r more.txt\n', false],
  ['./mine\n', false],
  ['mine @ file:./mine\n', false],
  ['mine-1.0-py3-none-any.whl\n', false],
  ['--find-links wheels\n', false],
  [undefined, false],
])(
  'what requirements.txt lists is installed before the flow is copied where it can be: %j',
  async ([text, isFirst]) => {
    using world = createTestWorld();
    writeFiles(world.folder, {
      'f/flow.dag.yaml': python,
      'f/greet.py': greet,
      ...(text === undefined ? {} : { 'f/requirements.txt': text }),
    });
    expect((await world.flow('build', 'f', '--output', 'built', '--no-lock')).code).toBe(0);
    const steps = readFileSync(join(world.folder, 'built/Dockerfile'), 'utf8')
      .split('\n')
      .filter((line) => /^(?:COPY|RUN) \[/.test(line));
    const setUp = 'RUN ["node_modules/.bin/flow","python","setup","f"]';
    const all = 'COPY ["f","./f/"]';
    expect(steps).toEqual(isFirst ? ['COPY ["f/requirements.txt","./f/"]', setUp, all] : [all, setUp]);
  },
);

test('variables that a prompty names need not be set here, and are named where it is served', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'p/ask.prompty': `---
name: ask
model:
  api: chat
  configuration: {type: openai, model: gpt-4o, api_key: "\${env:ASK_KEY}", organization: "\${env:ASK_TEAM}"}
inputs:
  q: {type: string}
---
system:
Write \${env:NOT_READ} as it is.
user:
{{q}}
`,
  });
  expect(await world.flow('build', 'p', '--output', 'built', '--no-lock')).toMatchObject({ code: 0, stderr: '' });
  const readme = readFileSync(join(world.folder, 'built/README.md'), 'utf8');
  expect(readme).toContain(
    '| `ASK_KEY` | read by ask.prompty |\n| `ASK_TEAM` | read by ask.prompty |\n| `SERVE_KEY` |',
  );
  expect(readme).not.toContain('NOT_READ');
});

test('a Dockerfile that is wrong is seen', async () => {
  const { validate } = await import('dockerfile-utils');
  expect(validate('FROM node:24\nCOPPY a b\nEXPOSE many\n')).toHaveLength(2);
});

test('packages that no registry has go along, and those that are not there are told', async () => {
  using world = createTestWorld();
  const tarballs = ['engine', 'nodes', 'evals', 'cli'].map((name) => `unroll-${name}-0.1.0.tgz`);
  writeFiles(world.folder, {
    ...files,
    'connections.yaml': 'mine: {type: open_ai, api_key: k}\n',
    'packed/unroll-engine-0.1.0.tgz': 'e',
  });
  const build = () => world.flow('build', 'ask', '--output', 'built', '--no-lock', '--packages', 'packed');
  expect(await build()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('holds no unroll-nodes-0.1.0.tgz, '),
  });
  const nowhere = await world.flow('build', 'ask', '--output', 'built', '--no-lock', '--packages', 'nowhere');
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('holds no unroll-engine-0.1.0.tgz, ') });
  for (const file of tarballs) writeFiles(world.folder, { [`packed/${file}`]: file });
  expect(await build()).toMatchObject({ code: 0, stderr: '' });
  const built = join(world.folder, 'built');
  expect(pathsIn(join(built, 'packages'))).toEqual([...tarballs].sort());
  expect(JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')).dependencies).toMatchObject({
    '@unroll/cli': 'file:packages/unroll-cli-0.1.0.tgz',
    '@unroll/engine': 'file:packages/unroll-engine-0.1.0.tgz',
  });
  expect(readFileSync(join(built, 'Dockerfile'), 'utf8')).toContain('\nCOPY packages ./packages\nRUN npm install');
});

test('a pipe and a name that is no text stay here; a file that is too large for memory is told', async () => {
  using world = createTestWorld();
  const plain = 'inputs: {q: {type: string}}\noutputs: {a: {type: string, reference: "${inputs.q}"}}\nnodes: []\n';
  writeFiles(world.folder, { 'plain/flow.dag.yaml': plain, 'plain/data.bin': '' });
  execFileSync('mkfifo', [join(world.folder, 'plain/pipe')]);
  writeFileSync(Buffer.concat([Buffer.from(`${world.folder}/plain/`), Buffer.from([0xff])]), '');
  expect(await world.flow('build', 'plain', '--output', 'built', '--no-lock')).toMatchObject({ code: 0 });
  expect(await world.flow('expand', 'plain', '--promptflow', 'written')).toMatchObject({ code: 0 });
  expect(pathsIn(join(world.folder, 'written'))).toContain('data.bin');
  truncateSync(join(world.folder, 'plain/data.bin'), 3 * 2 ** 30);
  const { code, stderr } = await world.flow('build', 'plain', '--output', 'large', '--no-lock');
  expect([code, stderr]).toEqual([
    2,
    `error: the flow has more than 256.0 MB of files: data.bin, which has 3072.0 MB, is too much
Keep outside the folder what the flow does not read there.
`,
  ]);
});

test.for<readonly [written: string, told: string]>([
  ['null', 'package.json of the flow must be a mapping'],
  ['[]', 'package.json of the flow must be a mapping'],
  ['{"dependencies": ["a"]}', 'package.json of the flow: dependencies must be a mapping of names to versions'],
  ['{"dependencies": {"a": 5}}', 'package.json of the flow: the dependency a must have its version as a text'],
  ...['workspace:*', 'catalog:', 'file:../a', 'link:../a', 'portal:../a', '../a', './a', '/a', '~/a'].map(
    (version) =>
      [
        `{"dependencies": {"a": "${version}"}}`,
        `package.json of the flow: the dependency a is ${version}, which cannot be installed where the flow is built\nWrite the version that a registry has of it, or move its code into the folder of the flow.`,
      ] as const,
  ),
])('dependencies that npm could not install from the built folder are refused: %s', async ([written, told]) => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'say/flow.dag.yaml': 'nodes: []\n', 'say/package.json': written });
  const build = (): Promise<unknown> => world.flow('build', 'say', '--output', 'built', '--no-lock');
  expect(await build()).toEqual({ code: 2, stdout: '', stderr: `error: ${told}\n` });
  expect(existsSync(join(world.folder, 'built'))).toBe(false);
});

test('versions, ranges, aliases and addresses of dependencies go along as they are written', async () => {
  using world = createTestWorld();
  const dependencies = { a: '^1.0.0', b: 'npm:c@1', d: 'https://example.com/d.tgz', e: 'github:e/e', f: '*', g: '' };
  const files = { 'say/flow.dag.yaml': 'nodes: []\n', 'say/package.json': JSON.stringify({ dependencies }) };
  writeFiles(world.folder, files);
  expect(await world.flow('build', 'say', '--output', 'built', '--no-lock')).toMatchObject({ code: 0, stderr: '' });
  const built = JSON.parse(readFileSync(join(world.folder, 'built/package.json'), 'utf8'));
  expect(built.dependencies).toMatchObject(dependencies);
});

test('code that imports what is not taken along is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'package.json': '{"type": "module", "dependencies": {"zod": "^4.0.0"}}',
    'src/orders.ts': 'export const orders = () => 1;\n',
    'flows/count/flow.dag.yaml':
      'outputs: {n: {type: int, reference: "${count.output}"}}\nnodes:\n- {name: count, type: python, source: {type: code, path: count.ts}}\n',
    'flows/count/count.ts':
      "import { z } from 'zod';\nimport { orders } from '../../src/orders.ts';\nexport const count = () => z.number().parse(orders());\n",
  });
  symlinkSync(
    join(import.meta.dirname, '../../../../packages/engine/node_modules'),
    join(world.folder, 'node_modules'),
  );
  const { code, stderr } = await world.flow('build', 'flows/count', '--output', 'built', '--no-lock');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `warning: count.ts imports zod, which is not installed where the flow is served: name zod in the dependencies of a package.json in the flow's folder
warning: count.ts imports ../../src/orders.ts, which lies outside of the flow's folder and is not taken along: list it under additional_includes, and import it as it lies in the folder then
`,
  });
});
