import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@unroll/engine';
import { answerTestServer, sayings } from '../../packages/nodes/src/mcp/test-server.fixture.ts';
import { type TestTable, testTable } from '../../packages/nodes/src/testing/test-table.ts';

/** What a tool may do, whatever stands behind it. */
export const behaviours = ['hangs', 'huge', 'binary', 'raises', 'roles', 'tags', 'placeholders'] as const;

export type Behaviour = (typeof behaviours)[number];

const names = [...behaviours, 'calm'];

export interface World extends AsyncDisposable {
  readonly table: TestTable;
  /** The tool of this behaviour. */
  toolOf(behaviour: Behaviour | 'calm'): string;
}

/** Tools that behave so, by what stands behind them. */
export const executors: Readonly<Record<string, () => Promise<World>>> = {
  'a TypeScript function': () => opened({ 'tools.yaml': entries('code: tools.ts', 0.3), 'tools.ts': script }),
  'a Python function': () => opened({ 'tools.yaml': entries('code: tools.py', 2), 'tools.py': python }),
  'a program on AWS Lambda': () =>
    served(lambdaAnswer, (url) => ({
      'tools.yaml': names
        .map(
          (name) =>
            `- {name: ${name}, description: d, lambda: {function: ${name}, connection: aws}${limit(name, 0.3)}}`,
        )
        .join('\n'),
      connections: [aws(url)],
    })),
  'a program of Lambda that runs here': () =>
    opened(
      {
        'tools.yaml': names
          .map(
            (name) =>
              `- {name: ${name}, description: d, lambda: {function: f, connection: offline, local: ${name}.ts}${limit(name, 0.3)}}`,
          )
          .join('\n'),
        ...Object.fromEntries(names.map((name) => [`${name}.ts`, `${program}\nexport const handler = ${name};`])),
      },
      [{ name: 'offline', type: 'offline', configs: {}, secrets: {} }],
    ),
  'an operation over HTTP': () =>
    served(plainAnswer, (url) => ({
      'tools.yaml': `- {openapi: api.json, base_url: '${url}', timeout: 1}`,
      'api.json': JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'a', version: '1' },
        paths: Object.fromEntries(names.map((name) => [`/${name}`, { get: { operationId: name } }])),
      }),
    })),
  'an MCP server that is a process': () =>
    opened(
      { 'tools.yaml': mcp(`name: test, command: '${process.execPath}', args: ['${mcpServer}', serve]`) },
      [],
      mcpName,
    ),
  'an MCP server that has an address': () =>
    served(mcpAnswer, (url) => ({ 'tools.yaml': mcp(`name: test, url: '${url}/mcp'`) }), mcpName),
  'an API of a virtual API server': () =>
    served(virtualAnswer, (url) => ({
      'tools.yaml': `- {toolbench: {url: '${url}/virtual'}, catalogue: apis.jsonl, timeout: 1}`,
      'apis.jsonl': names.map((api) => JSON.stringify({ category: 'c', tool: 't', api, description: 'd' })).join('\n'),
    })),
};

function limit(name: string, seconds: number): string {
  return name === 'hangs' ? `, timeout: ${seconds}` : '';
}

function entries(code: string, seconds: number): string {
  return names.map((name) => `- {name: ${name}, description: d, ${code}${limit(name, seconds)}}`).join('\n');
}

const said = JSON.stringify(sayings);

const script = `
const said = ${said};
export const hangs = () => new Promise(() => {});
export const huge = () => 'x'.repeat(10 * 1024 * 1024);
export const binary = () => Buffer.from([0xff, 0xfe, 0]);
export const raises = () => { throw new RangeError('no such thing'); };
export const { roles, tags, placeholders, calm } =
  Object.fromEntries(Object.entries(said).map(([name, text]) => [name, () => text]));
`;

const python = `
import time
said = ${said}

def hangs():
    while True:
        time.sleep(1)

def huge():
    return "x" * (10 * 1024 * 1024)

def binary():
    return b"\\xff\\xfe\\x00"

def raises():
    raise ValueError("no such thing")

def roles():
    return said["roles"]

def tags():
    return said["tags"]

def placeholders():
    return said["placeholders"]

def calm():
    return said["calm"]
`;

const program = `
const said = ${said};
const text = (text) => ({ content: [{ type: 'text', text }] });
const hangs = () => new Promise(() => {});
const huge = async () => text('x'.repeat(10 * 1024 * 1024));
const binary = async () => text('a\\0b');
const raises = async () => { throw new RangeError('no such thing'); };
const roles = async () => text(said.roles);
const tags = async () => text(said.tags);
const placeholders = async () => text(said.placeholders);
const calm = async () => text(said.calm);
`;

type Answer = (name: string, response: ServerResponse, body: string) => void;

function textOf(name: string): string {
  if (name === 'huge') return 'x'.repeat(10 * 1024 * 1024);
  return name === 'binary' ? 'a\0b' : (sayings[name as keyof typeof sayings] ?? '');
}

const lambdaAnswer: Answer = (path, response) => {
  const name = /functions\/(\w+)\//.exec(path)?.[1] ?? '';
  if (name === 'hangs') return;
  if (name === 'raises') {
    response.setHeader('x-amz-function-error', 'Unhandled');
    response.end(JSON.stringify({ errorType: 'RangeError', errorMessage: 'no such thing', trace: [] }));
    return;
  }
  response.end(JSON.stringify({ content: [{ type: 'text', text: textOf(name) }] }));
};

const plainAnswer: Answer = (path, response) => {
  const name = path.slice(1);
  if (name === 'hangs') return;
  if (name === 'raises') response.writeHead(500);
  response.end(name === 'binary' ? Buffer.from([0xff, 0xfe, 0]) : textOf(name));
};

const virtualAnswer: Answer = (_path, response, body) => {
  const { api_name: name } = JSON.parse(body) as { readonly api_name: string };
  if (name === 'hangs') return;
  if (name === 'raises') response.writeHead(500);
  response.end(JSON.stringify({ error: '', response: textOf(name) }));
};

const mcpServer = fileURLToPath(new URL('../../packages/nodes/src/mcp/test-server.fixture.ts', import.meta.url));
const mcpName = (behaviour: Behaviour | 'calm'): string => (behaviour === 'binary' ? 'zero' : behaviour);

/** A call that hangs is given up soon; the others have time to be told on a busy machine. */
function mcp(server: string): string {
  const others = names.filter((name) => name !== 'hangs').map((name) => mcpName(name as Behaviour));
  const entry = (allow: string, more: string) => `- {mcp: {${server}}, allow: [${allow}]${more}}`;
  return [entry('hangs', ', timeout: 1'), entry(others.join(', '), '')].join('\n');
}

const mcpAnswer: Answer = (_path, response, body) =>
  void answerTestServer(response.req, response, body === '' ? undefined : JSON.parse(body));

function aws(endpoint: string): Connection {
  const secrets = { aws_access_key_id: 'AKIDEXAMPLE', aws_secret_access_key: 'example' };
  return { name: 'aws', type: 'custom', configs: { endpoint, region: 'ap-northeast-1' }, secrets };
}

async function opened(
  files: Readonly<Record<string, string>>,
  connections: readonly Connection[] = [],
  toolOf: World['toolOf'] = (behaviour) => behaviour,
  close: () => Promise<void> = async () => {},
): Promise<World> {
  const table = testTable(files, { connections });
  if (table.told !== '') throw new Error(table.told);
  await table.open();
  return {
    table,
    toolOf,
    async [Symbol.asyncDispose]() {
      await table[Symbol.asyncDispose]();
      await close();
    },
  };
}

async function served(
  answer: Answer,
  filesOf: (url: string) => Record<string, unknown> & { readonly connections?: readonly Connection[] },
  toolOf?: World['toolOf'],
): Promise<World> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => answer(request.url ?? '', response, Buffer.concat(parts).toString('utf8')));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { connections = [], ...files } = filesOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return await opened(files as Record<string, string>, connections, toolOf, async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
}
