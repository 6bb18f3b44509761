// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';
import { writeWheel } from '../packages/cli/src/testing/write-wheel.ts';
import { rehearsal } from './pages/rehearsal.ts';
import { sampleWorld } from './pages/sample-world.ts';

/** A busy machine may take so long. */
const timeout = 600_000;

const root = join(import.meta.dirname, '..');
const PATH = process.env['PATH'] ?? '';

/** The privacy agent with the first rows of its data. */
function shortSample(): TestWorld {
  const world = sampleWorld();
  const data = join(world.folder, 'flows/privacy-agent/data.jsonl');
  writeFileSync(data, readFileSync(data, 'utf8').split('\n').slice(0, 2).join('\n'));
  return world;
}

test('a chat is as its guide shows it', { timeout }, async () => {
  using world = createTestWorld();
  await world.flow('init', 'my-chat', '--template', 'chat');
  await rehearsal('docs/guide/chat.md', world).type();
});

test('a new flow, and the flow that an agent stands for, are as their guides say', { timeout }, async () => {
  using world = sampleWorld(['flows/tool-agent']);
  await rehearsal('docs/guide/init.md', world).type();
  await rehearsal('docs/guide/agents.md', world).type();
});

test('a run of Prompt flow is imported, exported and run again as their guides show it', { timeout }, async () => {
  using world = createTestWorld();
  using home = createTestWorld();
  const theirs = join(root, 'cases/promptflow/run_layout');
  cpSync(theirs, join(home.folder, '.promptflow/.runs/syn_run_2'), { recursive: true });
  const environment = { HOME: home.folder, PATH };
  await rehearsal('docs/guide/import-run.md', { ...world, environment }).type();
  await rehearsal('docs/guide/export.md', { ...world, environment }).type();
  rmSync(join(world.folder, '.flow'), { recursive: true });
  cpSync(join(theirs, 'snapshot'), join(world.folder, 'my-flow'), { recursive: true });
  const parity = rehearsal('docs/guide/parity.md', { ...world, environment });
  await parity.type(3);
  const code = join(world.folder, 'my-flow/double.py');
  writeFileSync(code, readFileSync(code, 'utf8').replace('n * 2', 'n * 2 + 1'));
  await parity.type();
});

test('pictures, records and reports are made as their guides say', { timeout }, async () => {
  using world = shortSample();
  cpSync(join(world.folder, 'flows/privacy-agent'), join(world.folder, 'my-flow'), { recursive: true });
  await world.flow('run', 'my-flow', '--data', 'my-flow/data.jsonl');
  await rehearsal('docs/guide/graph.md', world).type();
  await rehearsal('docs/guide/show.md', world).type();
  await rehearsal('docs/guide/report.md', world).type();
});

test('a row and a node of it run as the guide to flow run says', { timeout }, async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'my-flow/flow.dag.yaml': `inputs: {query: {type: string, default: consent}, n: {type: int, default: 1}}
outputs: {found: {type: string, reference: "\${search.output}"}}
nodes:
- {name: search, type: prompt, source: {type: code, path: say.jinja2}, inputs: {query: "\${inputs.query}"}}
- {name: count, type: prompt, source: {type: code, path: say.jinja2}, inputs: {n: "\${inputs.n}"}}
`,
    'my-flow/say.jinja2': '{{query}}{{n}}\n',
    'rows.jsonl': '{"query": "consent"}\n',
  });
  const words = { FLOW: 'my-flow', NAME: 'count', FILE: 'rows.jsonl', 'name=value': 'query=consent' };
  await rehearsal('docs/guide/run.md', { ...world, words }).type();
});

const greeting = {
  'my-flow/flow.dag.yaml': `outputs: {said: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.py}, inputs: {}}
`,
  'my-flow/say.py':
    'from promptflow.core import tool\nimport greeting\n\n@tool\ndef say():\n    return greeting.word\n',
};
const requirements = { 'my-flow/requirements.txt': './greeting-1.0-py3-none-any.whl\n' };

/** Without what only one machine has: where its Python lies, its version, digests with it; older pips do not say where a requirement stands. */
const anyMachine = (text: string): string =>
  text
    .replaceAll(/^((?:python|version) +).*$/gm, '$1…')
    .replaceAll(/\b[0-9a-f]{12}\b/g, 'DIGEST')
    .replaceAll(/ \(from -r .* \(line \d+\)\)$/gm, '');

test('what a flow requires is installed for it as its guide shows it, and its nodes run there', {
  timeout,
}, async () => {
  const environment = { PATH, PIP_NO_INDEX: '1' };
  using world = createTestWorld({ environment });
  writeFiles(world.folder, greeting);
  writeWheel(join(world.folder, 'my-flow'));
  const words = { '/home/ada': world.folder };
  const guide = rehearsal('docs/guide/python.md', { folder: world.folder, environment, words, lasting: anyMachine });
  await guide.type(1);
  writeFiles(world.folder, requirements);
  const before = await world.flow('run', 'my-flow', '--json');
  expect(JSON.parse(before.stdout).error.message).toContain("No module named 'greeting'");
  const told = await world.flow('run', 'my-flow');
  expect(told.stderr).toContain(
    "my-flow/say.py:2:8 error IMPORT_MISSING the module greeting is not found by the flow's Python\n",
  );
  expect(told.stderr).toContain('help: flow python setup my-flow installs what requirements.txt lists\n');
  await guide.type();
  const after = await world.flow('run', 'my-flow', '--json');
  expect(JSON.parse(after.stdout).outputs).toEqual({ said: 'hello from a package' });
  const info = JSON.parse((await world.flow('python', 'info', 'my-flow', '--json')).stdout);
  expect(info).toMatchObject({ from: 'flow python setup', requirements: 'my-flow/requirements.txt, installed' });
  expect((await world.flow('python', 'setup', 'my-flow')).stdout).toContain('is ready (--again makes it again)');
  writeFiles(world.folder, { 'my-flow/requirements.txt': `${requirements['my-flow/requirements.txt']}# more\n` });
  const stale = await world.flow('run', 'my-flow', '--json');
  expect(stale.stderr).toBe('warning: requirements.txt changed since flow python setup: run that again\n');
});
