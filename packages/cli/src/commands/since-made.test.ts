import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runObserved, write } from '../testing/observed-flow.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';

/** What a flow is not written in: indexes that were built, tools of installed packages, prices. Each edit runs exactly what reads it. */
const flow = `inputs: {q: {type: string}}
outputs:
  found: {type: list, reference: "\${find.output}"}
  after_find: {type: string, reference: "\${after_find.output}"}
  other: {type: list, reference: "\${find_other.output}"}
  tool: {type: string, reference: "\${tool.output}"}
  other_tool: {type: string, reference: "\${other_tool.output}"}
  linked: {type: string, reference: "\${linked.output}"}
  price: {type: string, reference: "\${price.output}"}
nodes:
- {name: find, type: lookup, index: kb.index, mode: keyword, top_k: 1, inputs: {query: "\${inputs.q}"}}
- {name: after_find, type: python, source: {type: code, path: said.ts}, inputs: {said: "\${find.output}"}}
- {name: find_other, type: lookup, index: other.index, mode: keyword, top_k: 1, inputs: {query: "\${inputs.q}"}}
- {name: tool, type: python, source: {type: package, tool: words.say}, inputs: {q: "\${inputs.q}"}}
- {name: other_tool, type: python, source: {type: package, tool: others.say}, inputs: {q: "\${inputs.q}"}}
- {name: linked, type: python, source: {type: package, tool: of_mine.say}, inputs: {q: "\${inputs.q}"}}
- {name: price, type: python, source: {type: code, path: price.ts}, inputs: {q: "\${inputs.q}"}}
`;

const pricesOf = (input: number): string =>
  JSON.stringify({ date: '2026-11-01', source: 'a letter', models: { 'gpt-mine': { input, output: 1 } } });

const tools = (name: string, word: string): Readonly<Record<string, string>> => ({
  [`flow/.venv/lib/SITE/${name}.py`]: `from promptflow.core import tool
from pathlib import Path
from ${name}_inner import more
# ${word}
@tool
def say(q: str):
    return "${word}" + more() + (Path(__file__).parent / "${name}.txt").read_text()
def list_tools():
    return {"${name}.say": {"module": "${name}", "function": "say", "name": "say", "type": "python", "inputs": {"q": {"type": ["string"]}}}}
`,
  [`flow/.venv/lib/SITE/${name}-1.0.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
  [`flow/.venv/lib/SITE/${name}-1.0.dist-info/RECORD`]: `${name}.py,,\n${name}_inner.py,,\n${name}.txt,,\n`,
  [`flow/.venv/lib/SITE/${name}-1.0.dist-info/entry_points.txt`]: `[package_tools]\n${name} = ${name}:list_tools\n`,
});
const inner = (name: string, word: string) => ({
  [`flow/.venv/lib/SITE/${name}_inner.py`]: `# ${word}\ndef more():\n    return "${word}"\n`,
});

const away = (word: string): string => `from promptflow.core import tool
@tool
def say(q: str):
    return "${word}" # ${word}
def list_tools():
    return {"of_mine.say": {"module": "away", "function": "say", "name": "say", "type": "python", "inputs": {"q": {"type": ["string"]}}}}
`;
/** As `pip install --editable` puts it there. */
const linked = {
  'source/away.py': away('a'),
  'flow/.venv/lib/SITE/away.pth': 'FOLDER/source\n',
  'flow/.venv/lib/SITE/away-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: away\nVersion: 1.0\n',
  'flow/.venv/lib/SITE/away-1.0.dist-info/RECORD': 'away.pth,,\n',
  'flow/.venv/lib/SITE/away-1.0.dist-info/entry_points.txt': '[package_tools]\naway = away:list_tools\n',
};

interface Edit {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly runs: readonly string[];
}

const edits: readonly Edit[] = [
  { name: 'nothing', files: {}, runs: [] },
  { name: 'a document of an index that is not built again', files: { 'docs/a.md': '# x\n\nx one more\n' }, runs: [] },
  {
    name: 'an index that is built again',
    files: { 'docs/a.md': '# x\n\nx one more\n' },
    command: ['index', 'build', 'docs', '--out', 'flow/kb.index'],
    runs: ['after_find', 'find'],
  },
  { name: 'the module of a package tool', files: tools('words', 'other'), runs: ['tool'] },
  { name: 'a module that a package tool imports', files: inner('words', 'other'), runs: ['tool'] },
  { name: 'a file that a package tool reads', files: { 'flow/.venv/lib/SITE/words.txt': 'otherwise' }, runs: ['tool'] },
  {
    name: 'the version of the package of a tool',
    files: {
      'flow/.venv/lib/SITE/others-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: others\nVersion: 1.0.1\n',
    },
    runs: ['other_tool'],
  },
  { name: 'a package tool that lies elsewhere', files: { 'source/away.py': away('other') }, runs: ['linked'] },
  { name: 'a list of prices that code reads', files: { '.flow/prices.json': pricesOf(3) }, runs: ['price'] },
];

let made: TestWorld;
/** What the folder of `made` holds before an edit. */
let kept: string;
let site: string;

beforeAll(async () => {
  made = createTestWorld();
  site = makePython(made.folder);
  put({
    ...{ ...tools('words', 'a'), ...tools('others', 'a'), ...inner('words', 'a'), ...inner('others', 'a') },
    ...linked,
    'flow/.venv/lib/SITE/words.txt': 'a',
    'flow/.venv/lib/SITE/others.txt': 'a',
    'flow/flow.dag.yaml': flow,
    'flow/said.ts': 'export default ({ said }: { said: readonly { text: string }[] }) => said[0]?.text ?? "";\n',
    'flow/price.ts':
      'import { readFileSync } from "node:fs";\nexport default ({ q }: { q: string }) => q + readFileSync("FOLDER/.flow/prices.json", "utf8");\n',
    'docs/a.md': '# x\n\nx one\n',
    'others/a.md': '# x\n\nx two\n',
    '.flow/prices.json': pricesOf(2),
    'rows.jsonl': '{"q": "x"}\n{"q": "x"}\n',
  });
  await said(made, 'index', 'build', 'docs', '--out', 'flow/kb.index');
  await said(made, 'index', 'build', 'others', '--out', 'flow/other.index');
  await runObserved(made, 'before');
  kept = mkdtempSync(join(tmpdir(), 'flow-made-'));
  copy(made.folder, kept);
});
afterAll(() => {
  made?.[Symbol.dispose]();
  if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
});

/** A record holds where files lie: each edit is made at the same place. */
afterEach(() => {
  for (const name of readdirSync(made.folder)) rmSync(join(made.folder, name), { recursive: true });
  copy(kept, made.folder);
});

test.for(edits)('--since after an edit of $name', { timeout: 120_000 }, async ({ files, command, runs }) => {
  put(files);
  if (command !== undefined) await said(made, ...command);
  const after = await runObserved(made, 'after', '--since', 'before');
  expect(after.ran).toEqual(runs);
  expect(after.outputs).toEqual((await runObserved(made, 'anew')).outputs);
});

function put(files: Edit['files']): void {
  write(made, Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace('SITE', site), text])));
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

async function said(world: TestWorld, ...argv: readonly string[]): Promise<void> {
  expect(await world.flow(...argv)).toMatchObject({ code: 0, stderr: '' });
}

/** A Python of the flow's own, in `flow/.venv`. @returns where its packages lie */
function makePython(folder: string): string {
  execFileSync('python3', ['-m', 'venv', '--without-pip', join(folder, 'flow/.venv')]);
  const [version = ''] = readdirSync(join(folder, 'flow/.venv/lib'));
  return `${version}/site-packages`;
}

const budgeted = `inputs: {q: {type: string}}
outputs: {o: {type: object, reference: "\${around.output}"}}
nodes:
- {name: begin, type: python, source: {type: code, path: begin.ts}, inputs: {q: "\${inputs.q}"}}
loops:
- name: around
  times: 4
  state: "\${begin.output}"
  budget: {cost: 0.001}
  nodes:
  - {name: ask, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: gpt-mine, said: "\${loop.state.said}"}}
  - {name: step, type: python, source: {type: code, path: step.ts}, inputs: {state: "\${loop.state}", message: "\${ask.output}"}}
`;

test('another price: a loop with a budget in dollars goes as far as it pays, and what it was told before is taken', async () => {
  using world = createTestWorld();
  const { url, asked } = await startModel();
  write(world, {
    'flow/flow.dag.yaml': budgeted,
    'flow/begin.ts': 'export default ({ q }: any) => ({ finished: false, said: [q] });\n',
    'flow/step.ts': 'export default ({ state, message }: any) => ({ ...state, said: [...state.said, message] });\n',
    'flow/ask.jinja2': '# user:\n{{ said | join(", ") }}\n',
    'flow/connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: ${url}}\n`,
    '.flow/prices.json': pricesOf(1000),
    'rows.jsonl': '{"q": "x"}\n{"q": "y"}\n',
  });
  await runObserved(world, 'before');
  expect(asked.splice(0)).toEqual(['x', 'y']);
  write(world, { '.flow/prices.json': pricesOf(1) });
  const { outputs } = await runObserved(world, 'after', '--since', 'before');
  expect(asked.splice(0)).toHaveLength(6);
  expect(outputs).toEqual((await runObserved(world, 'anew')).outputs);
});

/** A model that tells 10 tokens for what it is asked, and 1 for what it says. */
async function startModel(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: readonly { content: string }[] };
    const text = messages.at(-1)?.content ?? '';
    asked.push(text.trim());
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `${text.length}` } }];
    const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'c', model: 'gpt-mine', choices, usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}
