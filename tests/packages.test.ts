import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { main } from '../packages/cli/src/main.ts';
import { createTestWorld, type Said, type TestWorld } from '../packages/cli/src/testing/test-io.ts';
import { minimalDocx } from '../packages/nodes/src/testing/minimal-docx.ts';
import { minimalPdf } from '../packages/nodes/src/testing/minimal-pdf.ts';
import { esbuildOptions } from './installed/esbuild-options.ts';
import { type InstalledProject, installPackages } from './installed/install-packages.ts';
import { installedWeight } from './installed/installed-weight.ts';

const root = join(import.meta.dirname, '..');
let project: InstalledProject;
let world: TestWorld;
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, HOME: project.folder, ASK_KEY: 'k' });

beforeAll(async () => {
  project = installPackages(inject('packedPackages'), 'without peers');
  const bundle = (await import(pathToFileURL(join(dirname(project.flow), 'main.js')).href)) as {
    readonly main: typeof main;
  };
  world = createTestWorld({
    folder: project.folder,
    environment: environment() as Record<string, string>,
    main: bundle.main,
  });
});
afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

/** The installed command, which is what users run: tests of the sources do not see what building breaks. */
function flow(...argv: readonly string[]): Promise<Said> {
  return world.flow(...argv);
}

/** The same in a process of its own, as users start it. */
function startedFlow(argv: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Said> {
  const child = spawn(process.execPath, [project.flow, ...argv], {
    cwd: project.folder,
    env: { ...environment(), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    said.stdout += text;
  });
  child.stderr.on('data', (text) => {
    said.stderr += text;
  });
  return new Promise((ended) => child.on('close', (code) => ended({ code: code ?? -1, ...said })));
}

/** Commands in the order in which a newcomer gives them; each builds on those before. */
const session: readonly (readonly string[])[] = [
  ['init', 'agent'],
  ['check', 'agent'],
  ['expand', 'agent'],
  ['graph', 'agent', '--svg', 'agent.svg'],
  ['plan', 'agent', '--data', 'rows.csv'],
  ['run', 'agent', '--input', 'query=consent', '--name', 'one'],
  ['show', 'one', '--json'],
  ['run', 'agent', '--data', 'rows.csv', '--name', 'many', '--quiet'],
  ['run', 'agent', '--data', 'rows.csv', '--since', 'many', '--name', 'again', '--quiet'],
  ['diff', 'many', 'again', '--html', 'diff.html'],
  ['eval', 'agent', '--name', 'scored', '--quiet', '--html', 'eval.html'],
  ['why', 'again', '--row', '0', '--node', 'agent_1'],
  ['export', 'many', '--out', 'rows.parquet'],
  ['run', 'agent', '--data', 'rows.parquet', '--column-mapping', 'query=${data.inputs.query}', '--quiet'],
  ['init', 'code', '--template', 'python'],
  ['run', 'code'],
  ['runs'],
  ['connection', 'list'],
];

test('a newcomer’s session', { timeout: 180_000 }, async () => {
  writeFileSync(join(project.folder, 'rows.csv'), 'query\nconsent\nretention\n');
  for (const argv of session) {
    const { code, stderr, stdout } = await flow(...argv);
    expect({ argv, code, stderr: code === 0 ? '' : `${stderr}${stdout}` }).toEqual({ argv, code: 0, stderr: '' });
  }
  expect(existsSync(join(project.folder, 'diff.html'))).toBe(true);
  expect(readFileSync(join(project.folder, 'eval.html'), 'utf8')).toContain('"start":"/evaluations?path=');
  const [, build] = /build ([0-9a-f]{12})/.exec((await startedFlow(['version'])).stdout) ?? [];
  const { left } = JSON.parse((await startedFlow(['diff', 'many', 'again', '--json'])).stdout) as {
    readonly left: unknown;
  };
  expect(left).toMatchObject({ made_with: { version: '0.1.0', build } });
  expect((await flow('gc', '--keep', '1', '--yes')).code).toBe(0);
});

test('what is compiled at one start is kept for the next', async () => {
  const temporary = join(project.folder, 'temporary');
  mkdirSync(temporary);
  expect((await startedFlow(['--help'], { TMPDIR: temporary, NODE_COMPILE_CACHE: '' })).code).toBe(0);
  expect(globSync('node-compile-cache/*/*', { cwd: temporary }).length).toBeGreaterThan(0);
});

test('a model is asked through the real client', { timeout: 60_000 }, async () => {
  await using server = await startOpenAiServer([{ message: { role: 'assistant', content: 'Bonjour' } }]);
  const ask = join(project.folder, 'ask');
  mkdirSync(ask);
  writeFileSync(
    join(ask, 'connections.yaml'),
    `mine:\n  type: open_ai\n  base_url: ${server.url}/v1\n  api_key: \${env:ASK_KEY}\n`,
  );
  writeFileSync(join(ask, 'ask.jinja2'), 'user:\n{{ q }}\n');
  writeFileSync(
    join(ask, 'flow.dag.yaml'),
    `inputs: {q: {type: string}}
outputs: {answer: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  inputs: {model: gpt-4o-mini, q: "\${inputs.q}"}
  connection: mine
  api: chat
`,
  );
  const { code, stdout, stderr } = await startedFlow(['run', 'ask', '--input', 'q=hello', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'Completed', outputs: { answer: 'Bonjour' } });
});

test('the contract of run logs is there for stores of other people, under no test runner', () => {
  const program = `
    import { createMemoryRunLog } from '@unroll/engine';
    import { runLogContract } from '@unroll/engine/testing';
    const open = (log) => Object.assign(Object.create(log), { [Symbol.asyncDispose]: async () => {} });
    const forgetful = (info) => Object.assign(createMemoryRunLog(info), { metrics: async () => ({}) });
    for (const create of [createMemoryRunLog, forgetful]) {
      const broken = [];
      for (const { name, run } of runLogContract({ create, open })) await run().catch(({ code }) => broken.push([name, code]));
      console.log(JSON.stringify(broken));
    }
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  const [whole, broken] = stdout.split('\n');
  expect({ whole, stderr }).toEqual({ whole: '[]', stderr: '' });
  expect(JSON.parse(broken ?? '')).toContainEqual(['a metric logged again is overwritten', 'ERR_ASSERTION']);
});

test('a flow whose code imports the libraries runs in a project that installed the command', async () => {
  cpSync(join(root, 'flows/privacy-agent'), join(project.folder, 'privacy-agent'), {
    recursive: true,
    filter: (path) => !path.includes('.flow'),
  });
  const { code, stdout } = await startedFlow(['run', 'privacy-agent', '--json']);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/"status": "answered"/) });
});

test('what the libraries read for a node is that node’s, not every node’s that imports them', async () => {
  const readsFile = (file: string): string => `const { openIndex } = require('@unroll/nodes/lookup');
module.exports = ({ q }) => openIndex(require('node:path').join(__dirname, '${file}')).search(q, { topK: 1 })[0].text;
`;
  const node = (name: string): string =>
    `- {name: ${name}, type: python, source: {type: code, path: ${name}.js}, inputs: {q: "\${inputs.q}"}}\n`;
  write(
    'two/flow.dag.yaml',
    `inputs: {q: {type: string}}
outputs: {first: {type: string, reference: "\${first.output}"}, second: {type: string, reference: "\${second.output}"}}
nodes:
${node('first')}${node('second')}`,
  );
  write('two/first.js', readsFile('first.jsonl'));
  write('two/second.js', readsFile('second.jsonl'));
  write('two/first.jsonl', '{"id": "1", "text": "apples are red"}\n');
  write('two/second.jsonl', '{"id": "1", "text": "apples are round"}\n');
  write('apples.jsonl', '{"q": "apples"}\n{"q": "red apples"}\n');
  const ran = async (name: string, ...more: readonly string[]): Promise<readonly string[]> => {
    const argv = ['run', 'two', '--data', 'apples.jsonl', '--name', name, '--json', ...more];
    const { code, stdout, stderr } = await flow(...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { nodes } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      readonly nodes: Readonly<Record<string, { readonly completed: number; readonly cached: number }>>;
    };
    return Object.entries(nodes).flatMap(([node, { completed, cached }]) => (cached < completed ? [node] : []));
  };
  expect(await ran('two-before')).toEqual(['first', 'second']);
  expect(await ran('two-same', '--since', 'two-before')).toEqual([]);
  write('two/second.jsonl', '{"id": "1", "text": "apples are sweet"}\n');
  expect(await ran('two-after', '--since', 'two-before')).toEqual(['second']);
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project.folder, file)), { recursive: true });
  writeFileSync(join(project.folder, file), text);
}

test('code of flows is checked against the types of the libraries', { timeout: 60_000 }, () => {
  writeFileSync(
    join(project.folder, 'typed.ts'),
    `import { functionNode } from '@unroll/nodes/functions';
import { openIndex } from '@unroll/nodes/lookup';
export default functionNode({ search: ({ query }) => openIndex('faq.jsonl').search(String(query), { topK: 3 }) });
const wrong: number = functionNode;
export { wrong };
`,
  );
  const options = '--noEmit --strict --module nodenext --target es2024 --types node --typeRoots';
  const typeRoots = join(root, 'node_modules/@types');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const argv = [tsc, 'typed.ts', ...options.split(' '), typeRoots];
  const { stdout } = spawnSync(process.execPath, argv, { cwd: project.folder, encoding: 'utf8' });
  const mistakes = stdout.split('\n').filter((line) => line.includes('error'));
  expect(mistakes).toEqual([expect.stringMatching(/^typed\.ts\(4,7\): error TS2322: Type '\(functions: /)]);
});

test('what the bundle leaves out is installed with it, and nothing else', async () => {
  const { outputs } = (
    await build({
      entryPoints: ['main.js', 'thread-entry.js'].map((file) => join(project.flow, '..', file)),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      outdir: project.folder,
      write: false,
      metafile: true,
    })
  ).metafile;
  const named = Object.values(outputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path))
    .filter((path) => !path.startsWith('node:') && !builtinModules.includes(path));
  const libraries = new Set(named.map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')));
  const { dependencies, peerDependencies } = createRequire(project.flow)('../package.json') as {
    readonly dependencies: object;
    readonly peerDependencies: object;
  };
  const installed = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !name.startsWith('@unroll/'),
  );
  expect([...libraries].sort()).toEqual(installed.sort());
});

test('what is installed without the optional peers weighs what docs/guide/install.md says', () => {
  const page = readFileSync(join(root, 'docs/guide/install.md'), 'utf8');
  const weights = page.matchAll(/(?:are|own,) (\d+)(?: packages)? and (\d+) MB/g);
  const said = Array.from(weights, (found) => found.slice(1, 3).map(Number));
  const all = Object.keys(project.packed);
  const command = /unroll-\{([\w,]+)\}/.exec(page)?.[1]?.split(',') ?? [];
  const measured = [command, all].map((names) => installedWeight(project.folder, names));
  expect(said.map(([packages]) => packages)).toEqual(measured.map(({ packages }) => packages.length));
  for (const [at, { megabytes }] of measured.entries())
    expect(Math.abs(megabytes - (said[at]?.[1] ?? 0)), `${megabytes} MB`).toBeLessThan(2);
  const packed = Object.fromEntries(
    Array.from(page.matchAll(/^\| `@unroll\/(\w+)` \|.*\| ([\d.]+) MB(?: packed)? \|$/gm), ([, name, size]) => [
      name,
      size,
    ]),
  );
  expect(Object.keys(packed).sort()).toEqual(all.sort());
  for (const [name, bytes] of Object.entries(project.packed))
    expect(Math.abs(bytes / 1_048_576 - Number(packed[name])), `${name}: ${bytes} bytes`).toBeLessThan(0.2);
});

test('each of the seven packages is used once: the project as a library, what promptflow flows import, a server', async () => {
  write(
    'python/flow.dag.yaml',
    `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.py}, inputs: {q: "\${inputs.q}"}}
`,
  );
  write(
    'python/say.py',
    'from promptflow.core import tool\n\n\n@tool\ndef say(q: str) -> str:\n    return q.upper()\n',
  );
  write(
    'program.mjs',
    `import { stringifyMarkdown } from '@unroll/evals';
import { textHash } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { openProject } from '@unroll/project';
import { promptFlow } from '@unroll/promptflow';
import { startServer } from '@unroll/server';
const project = openProject('.');
const { row } = await project.runRow('python', { q: 'hello' }).result;
const types = [...nodeTypes({ extensions: [promptFlow()] }).keys()];
console.log(JSON.stringify([row.outputs, types.includes('prompt'), ...[stringifyMarkdown, textHash, startServer].map((one) => typeof one)]));
`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], { cwd: project.folder, encoding: 'utf8' });
  expect({ said: stdout, stderr }).toEqual({
    said: '[{"a":"HELLO"},true,"function","function","function"]\n',
    stderr: '',
  });
});

/** Serves a flow by the installed command until the questions are asked; gives back how the command ended. */
async function served(folder: string, ask: (url: string) => Promise<void>): Promise<number | null> {
  const child = spawn(process.execPath, [project.flow, 'serve', folder, '--port', '0'], {
    cwd: project.folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const listening = new Promise<string>((resolve) => {
    let told = '';
    child.stdout.on('data', (text) => {
      told += text;
      const [url] = /http:\S+(?=\n)/.exec(told) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  try {
    await ask(
      await Promise.race([listening, ended.then((code) => Promise.reject(new Error(`it ended with ${code}`)))]),
    );
  } finally {
    child.kill('SIGINT');
  }
  return await ended;
}

test('a program is bundled into one file as docs/library.md says, without what only some flows need', () => {
  cpSync(join(root, 'tests/library/serverless-handler.ts'), join(project.folder, 'handler.ts'));
  const argv = ['handler.ts', ...esbuildOptions(), '--external:openai', '--outfile=handler.mjs'];
  const { status, stderr } = spawnSync(join(root, 'node_modules/.bin/esbuild'), argv, {
    cwd: project.folder,
    encoding: 'utf8',
  });
  expect([status, stderr]).toMatchObject([0, expect.not.stringContaining('Could not resolve')]);
  const call = "await import('./handler.mjs'); console.log('loaded')";
  const loaded = spawnSync(process.execPath, ['--input-type=module', '-e', call], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  expect([loaded.stdout, loaded.stderr]).toEqual(['loaded\n', '']);
});

test('flow serve answers a request, and one that wants MCP names the package that is missing', async () => {
  expect((await flow('init', 'served', '--template', 'python')).code).toBe(0);
  const ran = await flow('run', 'served', '--input', 'text=tea is tea', '--json');
  const row = JSON.parse(ran.stdout) as { readonly outputs: unknown };
  const code = await served('served', async (url) => {
    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(body),
      });
    expect(await (await post('/score', { text: 'tea is tea' })).json()).toEqual(row.outputs);
    const refused = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect([refused.status, await refused.text()]).toEqual([
      501,
      expect.stringContaining('npm install @modelcontextprotocol/sdk@1'),
    ]);
  });
  expect(code).toBe(0);
});

interface NeedsPackages {
  readonly what: string;
  readonly nodes: string;
  /** As the diagnostics tell it, with the place and the command. */
  readonly told: readonly string[];
}

const lookup = (connection: string, index = 'faq'): string =>
  `- {name: find, type: lookup, connection: ${connection}, index: ${index}, inputs: {query: "\${inputs.q}"}}`;
const agent = (tool: string): string => `- name: find
  type: agent
  source: {type: code, path: ask.jinja2}
  inputs: {model: m, query: "\${inputs.q}"}
  connection: offline
  api: chat
  max_steps: 2
  tools:
  - ${tool}`;

const needing: readonly NeedsPackages[] = [
  {
    what: 'a model of Amazon Bedrock under a role',
    nodes:
      '- {name: find, type: llm, source: {type: code, path: ask.jinja2}, inputs: {model: m, q: "${inputs.q}"}, connection: aws, api: chat}',
    told: [
      'Amazon Bedrock needs @aws-sdk/client-bedrock-runtime and @smithy/node-http-handler, which are not installed',
      'npm install @aws-sdk/client-bedrock-runtime@3 @smithy/node-http-handler@4',
      'assuming a role of AWS needs @aws-sdk/credential-providers and @smithy/node-http-handler, which are not installed',
      'npm install @aws-sdk/credential-providers@3 @smithy/node-http-handler@4',
    ],
  },
  {
    what: 'an index at Azure, under an identity',
    nodes: lookup('azure'),
    told: [
      'Azure AI Search needs @azure/search-documents, which is not installed',
      'npm install @azure/search-documents@13',
      'the Entra identity (auth_mode: meid_token) needs @azure/identity, which is not installed',
      'npm install @azure/identity@4',
    ],
  },
  {
    what: 'a tool of a package that asks a model of Azure under an identity',
    nodes:
      '- {name: find, type: python, source: {type: package, tool: promptflow.tools.embedding.embedding}, inputs: {connection: keyless, deployment_name: d, input: "${inputs.q}"}}',
    told: [
      'the Entra identity (auth_mode: meid_token) needs @azure/identity, which is not installed',
      'npm install @azure/identity@4',
    ],
  },
  {
    what: 'a prompty of a model of Azure without a key',
    nodes: '- {name: find, type: prompty, source: {type: code, path: ask.prompty}, inputs: {q: "${inputs.q}"}}',
    told: [
      'the Entra identity (auth_mode: meid_token) needs @azure/identity, which is not installed',
      'npm install @azure/identity@4',
    ],
  },
  {
    what: 'tools of an MCP server',
    nodes: agent('{mcp: {name: files, command: node, args: [server.js]}, allow: [read]}'),
    told: [
      'an MCP server needs @modelcontextprotocol/sdk, which is not installed',
      'npm install @modelcontextprotocol/sdk@1',
    ],
  },
  {
    what: 'a program on AWS Lambda',
    nodes: agent(
      '{name: stop, description: Stops it., parameters: {type: object, properties: {}}, lambda: {function: stop, region: ap-northeast-1}}',
    ),
    told: [
      'AWS Lambda needs @aws-sdk/client-lambda and @smithy/node-http-handler, which are not installed',
      'npm install @aws-sdk/client-lambda@3 @smithy/node-http-handler@4',
    ],
  },
];

test.for(needing)(
  'a flow that needs a package that is not installed says so before it runs: $what',
  async ({ nodes, told }) => {
    write(
      'peers/connections.yaml',
      `aws: {type: amazon_bedrock, region: us-east-1, role_arn: "arn:aws:iam::1:role/r"}
azure: {type: cognitive_search, api_base: "http://127.0.0.1:9", auth_mode: meid_token}
keyless: {type: azure_open_ai, api_base: "http://127.0.0.1:9", auth_mode: meid_token}
`,
    );
    write('peers/ask.jinja2', 'user:\n{{ q }}\n');
    write(
      'peers/ask.prompty',
      '---\nmodel:\n  configuration: {type: azure_openai, azure_endpoint: "http://127.0.0.1:9", azure_deployment: d}\ninputs: {q: {type: string}}\n---\nuser:\n{{ q }}\n',
    );
    write(
      'peers/flow.dag.yaml',
      `inputs: {q: {type: string}}\noutputs: {answer: {type: string, reference: "\${find.output}"}}\nnodes:\n${nodes}\n`,
    );
    const checked = await flow('check', 'peers', '--json');
    const { diagnostics } = JSON.parse(checked.stdout) as { readonly diagnostics: readonly Record<string, unknown>[] };
    const missing = diagnostics.filter(({ code }) => code === 'PACKAGE_MISSING');
    expect(checked.code).toBe(2);
    expect(missing.flatMap(({ message, help }) => [message, help])).toEqual(told);
    expect(missing.every(({ line }) => typeof line === 'number')).toBe(true);
    const ran = await flow('run', 'peers', '--input', 'q=consent');
    expect(ran.code).toBe(2);
    for (const line of told) expect(ran.stderr).toContain(line);
  },
);

test('a test of a connection, and files of an index, name the package that is missing', async () => {
  write('connections.yaml', 'aws: {type: amazon_bedrock, region: us-east-1}\n');
  const tested = await flow('connection', 'test', 'aws');
  expect(tested.stdout).toContain('npm install @aws-sdk/client-bedrock-runtime@3 @smithy/node-http-handler@4');
  const files = join(project.folder, 'files');
  mkdirSync(files);
  writeFileSync(join(files, 'a.md'), '# A\n\nConsent is needed.\n');
  writeFileSync(join(files, 'b.docx'), minimalDocx([{ text: 'Consent' }]));
  writeFileSync(join(files, 'c.pdf'), minimalPdf([[{ text: 'Consent', size: 10, y: 700 }]]));
  const built = await flow('index', 'build', 'files', '--out', 'files.index', '--json');
  expect(JSON.parse(built.stdout)).toMatchObject({
    problems: [
      {
        name: 'files/b.docx',
        problem: 'reading Word files needs mammoth, which is not installed: npm install mammoth@1',
      },
      {
        name: 'files/c.pdf',
        problem: 'reading PDF files needs pdfjs-dist, which is not installed: npm install pdfjs-dist@6',
      },
    ],
  });
});

test('a program that opens a model by the library is told to install its client', () => {
  const program = `
    import { openModelService } from '@unroll/nodes';
    const connection = { name: 'mine', type: 'open_ai', configs: {}, secrets: {} };
    await openModelService(connection).catch(({ message }) => console.log(message));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe('a model behind the API of OpenAI needs openai, which is not installed: npm install openai@7\n');
});
