import { startHttpServer } from '@unroll/nodes/testing';
import { expect, onTestFinished, test } from 'vitest';
import { runObserved, write } from '../testing/observed-flow.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { mcpProgram, toolFlow } from '../testing/tool-flow.ts';

type Files = Readonly<Record<string, string>>;

/** What stands behind the one tool of a flow, `say`, which gives `a` at first, and `b` after the edit. */
interface ToolCase {
  readonly name: string;
  readonly entry: string;
  readonly files: Files;
  readonly later: Files;
  /** What the run tells of it that nobody can compare; and whether the check tells it ahead, too. */
  readonly isUnseen?: { readonly what: string; readonly ahead: boolean };
}

const described = 'name: say, description: Says., effects: reads';
const script = (body: string, head = ''): string =>
  `import { readFileSync } from 'node:fs';\n${head}export function say() {\n  ${body}\n}\n`;
const python = (body: string, head = ''): string => `${head}\n\ndef say():\n    ${body}\n`;
const readText = "return readFileSync('FOLDER/outside/' + ['said', 'txt'].join('.'), 'utf8');";

/** A process that speaks MCP: its one tool only reads, and gives what a file holds. */
const mcpServer = mcpProgram(
  "readFileSync('said.txt', 'utf8')",
  "import { readFileSync } from 'node:fs';",
  '{ readOnlyHint: true }',
);

const openApi = (path: string): string => `openapi: 3.0.0
info: {title: t, version: '1'}
servers: [{url: 'SERVER'}]
paths: {/${path}: {get: {operationId: say, description: Says., responses: {'200': {description: ok}}}}}
`;

const said = { 'outside/said.txt': 'a' };
const saidLater = { 'outside/said.txt': 'b' };

const cases: readonly ToolCase[] = [
  {
    name: 'a TypeScript function',
    entry: `{${described}, code: say.ts}`,
    files: { 'flow/say.ts': script("return 'a';") },
    later: { 'flow/say.ts': script("return 'b';") },
  },
  {
    name: 'a module of a TypeScript function',
    entry: `{${described}, code: say.ts}`,
    files: {
      'flow/say.ts': script('return text;', "import { text } from './lib/text.ts';\n"),
      'flow/lib/text.ts': "export const text = 'a';\n",
    },
    later: { 'flow/lib/text.ts': "export const text = 'b';\n" },
  },
  {
    name: 'a file that a TypeScript function reads',
    entry: `{${described}, code: say.ts}`,
    files: { ...said, 'flow/say.ts': script(readText) },
    later: saidLater,
  },
  {
    name: 'a Python function',
    entry: `{${described}, code: say.py}`,
    files: { 'flow/say.py': python('return "a"') },
    later: { 'flow/say.py': python('return "b"') },
  },
  {
    name: 'a file that a Python function reads',
    entry: `{${described}, code: say.py}`,
    files: { ...said, 'flow/say.py': python('return open("FOLDER/outside/" + "said" + ".txt").read()') },
    later: saidLater,
  },
  {
    name: 'a file that a user program reads',
    entry: `{${described}, lambda: {function: say, connection: offline, local: say.ts}}`,
    files: {
      ...said,
      'flow/say.ts': `import { readFileSync } from 'node:fs';
export const handler = () => {
  const text = readFileSync('FOLDER/outside/' + ['said', 'txt'].join('.'), 'utf8');
  return { content: [{ type: 'text', text }] };
};
`,
    },
    later: saidLater,
  },
  {
    name: 'the document of an HTTP operation',
    entry: '{openapi: api.yaml, operations: [say]}',
    files: { 'flow/api.yaml': openApi('a') },
    later: { 'flow/api.yaml': openApi('b') },
  },
  {
    name: 'the connection of an HTTP operation',
    entry: '{openapi: api.yaml, operations: [say], connection: shop}',
    files: {
      'flow/api.yaml': openApi('say'),
      'flow/connections.yaml': 'shop: {type: custom, configs: {base_url: "SERVER/a"}, secrets: {}}\n',
    },
    later: { 'flow/connections.yaml': 'shop: {type: custom, configs: {base_url: "SERVER/b"}, secrets: {}}\n' },
  },
  {
    name: 'a TypeScript function that starts a process',
    entry: `{${described}, code: say.ts}`,
    files: {
      ...said,
      'flow/say.ts': script(
        "return execFileSync('cat', ['FOLDER/outside/said.txt'], { encoding: 'utf8' });",
        "import { execFileSync } from 'node:child_process';\n",
      ),
    },
    later: saidLater,
    isUnseen: { what: 'child process', ahead: true },
  },
  {
    name: 'a Python function that starts a process',
    entry: `{${described}, code: say.py}`,
    files: {
      ...said,
      'flow/say.py': python(
        'return subprocess.check_output(["cat", "FOLDER/outside/said.txt"], text=True)',
        'import subprocess',
      ),
    },
    later: saidLater,
    isUnseen: { what: 'child process', ahead: true },
  },
  {
    name: 'a process that speaks MCP',
    entry: '{mcp: {name: files, command: node, args: [server.mjs]}, allow: [say]}',
    files: { 'flow/server.mjs': mcpServer, 'flow/said.txt': 'a' },
    later: { 'flow/said.txt': 'b' },
    isUnseen: { what: 'child process', ahead: false },
  },
];

async function writeCase(world: TestWorld, { entry, files }: ToolCase): Promise<(files: Files) => void> {
  const server = await startHttpServer(({ url }) => ({
    body: JSON.stringify(url.pathname.includes('/b') ? 'b' : 'a'),
  }));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const put = (texts: Files): void =>
    write(
      world,
      Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.replaceAll('SERVER', server.url)])),
    );
  put({ ...toolFlow, 'flow/tools.yaml': `tools:\n- ${entry}\n`, ...files });
  put({ 'rows.jsonl': '{"q": "one"}\n{"q": "two"}\n' });
  return put;
}

test.for(cases.map((one) => [one.name, one] as const))('%s', async ([, one]) => {
  using world = createTestWorld();
  const put = await writeCase(world, one);
  const saidBy = ({ outputs }: { readonly outputs: Readonly<Record<string, unknown>> }): string | undefined => {
    const [step] = outputs['say'] as readonly { readonly content: unknown }[];
    return /[ab]/.exec(JSON.stringify(step?.content))?.[0];
  };
  const before = await runObserved(world, 'before');
  expect(saidBy(before)).toBe('a');
  const same = await runObserved(world, 'same', '--since', 'before');
  expect([saidBy(same), same.ran]).toEqual(['a', one.isUnseen === undefined ? [] : ['act']]);
  put(one.later);
  const after = await runObserved(world, 'after', '--since', 'before');
  const whole = await runObserved(world, 'whole');
  expect(saidBy(whole)).toBe('b');
  expect([after.outputs, after.ran]).toEqual([whole.outputs, ['act']]);
  const words = `runs it again: act (${one.isUnseen?.what})`;
  expect(before.stderr.includes(words)).toBe(one.isUnseen !== undefined);
  const { stdout } = await world.flow('check', 'flow', '--json');
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly { readonly code: string }[] };
  expect(diagnostics.map(({ code }) => code)).toEqual(one.isUnseen?.ahead === true ? ['CODE_READS_UNSEEN'] : []);
});
