import { cpSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notesWorld } from '../testing/notes-flow.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';

const agentFolder = join(import.meta.dirname, '../../../../flows/privacy-agent');

const [agentBase, notesBase] = [createTestWorld(), notesWorld()];

beforeAll(async () => {
  cpSync(agentFolder, join(agentBase.folder, 'agent'), { recursive: true });
  await run(agentBase, ...agentRows, '--name', 'before');
  await run(notesBase, ...noteRows, '--name', 'before');
});
afterAll(() => {
  agentBase[Symbol.dispose]();
  notesBase[Symbol.dispose]();
});

/** A copy of a flow with one run of it, `before`. */
function copyOf(base: TestWorld): TestWorld {
  const world = createTestWorld();
  cpSync(base.folder, world.folder, { recursive: true });
  return world;
}

function edit(world: TestWorld, file: string, from: string, to: string): void {
  const path = join(world.folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  writeFileSync(path, text.replaceAll(from, to));
}

/** Runs over data; of each node or family how many of the completed were taken: `agent[*] 4/6`. */
async function run(world: TestWorld, ...argv: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await world.flow('run', ...argv, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    readonly nodes: Readonly<Record<string, { readonly completed: number; readonly cached: number }>>;
  };
  return Object.entries(last.nodes).map(([name, { completed, cached }]) => `${name} ${cached}/${completed}`);
}

const agentRows = ['agent/flow.python.dag.yaml', '--data', 'agent/data.jsonl', '--rows', '0-2,45'];
const allOfAgent = ['format_input 4/4', 'agent[*] 9/9', 'function[*] 12/12', 'search 4/4'];

test('an agent: nothing changed, nothing runs and nothing is spent; the outputs are the same', async () => {
  using world = copyOf(agentBase);
  const { stdout } = await world.flow('run', ...agentRows, '--since', 'before', '--name', 'after', '--json');
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({ tokens: null, rows: { completed: 4, cached: 4 } });
  const { stdout: diff } = await world.flow('diff', 'before', 'after', '--exit-code');
  expect(diff).toContain('The same in 4 rows: every node, every output.');
  expect(await run(world, ...agentRows, '--since', 'before', '--no-cache')).toEqual([
    'format_input 0/4',
    'agent[*] 0/9',
    'function[*] 0/12',
    'search 0/4',
  ]);
});

test.for<[string, (world: TestWorld) => void, readonly string[]]>([
  [
    'a word of the prompt: the agents run, what they ask for is the same',
    (world) => edit(world, 'agent/agent.jinja2', 'say plainly', 'say clearly'),
    ['format_input 4/4', 'agent[*] 0/9', 'function[*] 12/12', 'search 4/4'],
  ],
  [
    'blanks between the tags of the prompt and at its end',
    (world) => {
      edit(world, 'agent/agent.jinja2', '{% for result', '{%  for result');
      edit(world, 'agent/agent.jinja2', '{{ input.query }}\n', '{{  input.query  }}\n\n\n');
    },
    allOfAgent,
  ],
  [
    'a comment in the flow',
    (world) => edit(world, 'agent/flow.python.dag.yaml', '# An FAQ search', '# First an FAQ search'),
    allOfAgent,
  ],
  [
    'another model',
    (world) => edit(world, 'agent/flow.python.dag.yaml', 'model: offline', 'model: offline-2'),
    ['format_input 4/4', 'agent[*] 0/9', 'function[*] 12/12', 'search 4/4'],
  ],
  [
    'the description of a function, which the model reads',
    (world) => edit(world, 'agent/flow.python.dag.yaml', 'and only once.)', 'once.)'),
    ['format_input 4/4', 'agent[*] 0/9', 'function[*] 12/12', 'search 4/4'],
  ],
  [
    'an entry of the FAQ, which the code names',
    (world) => edit(world, 'agent/knowledge/faq.jsonl', '"faq-002"', '"faq-902"'),
    ['format_input 4/4', 'agent[*] 7/9', 'function[*] 0/12', 'search 3/4'],
  ],
])('%s', async ([, change, expected]) => {
  using world = copyOf(agentBase);
  change(world);
  expect(await run(world, ...agentRows, '--since', 'before')).toEqual(expected);
});

const noteRows = ['notes', '--data', 'rows.jsonl'];
const allOfNotes = ['find 3/3', 'shape 3/3', 'say 3/3', 'ask 3/3', 'tidy 3/3', 'count 1/1'];

test.for<[string, (world: TestWorld) => void, readonly string[]]>([
  [
    'a file that was touched',
    (world) => {
      for (const file of ['shape.ts', 'tidy.py', 'ask.jinja2', 'knowledge/a.jsonl', 'flow.dag.yaml'])
        utimesSync(join(world.folder, 'notes', file), new Date(), new Date(Date.now() + 5000));
    },
    allOfNotes,
  ],
  ['a module nobody imports', (world) => edit(world, 'notes/lib/other.ts', '1', '2'), allOfNotes],
  ['line ends', (world) => edit(world, 'notes/lib/sign.ts', '\n', '\r\n'), allOfNotes],
  [
    'a module that an imported module imports; its value is the same',
    (world) => edit(world, 'notes/lib/sign.ts', '"* "', "'* '"),
    ['find 3/3', 'shape 0/3', 'say 3/3', 'ask 3/3', 'tidy 3/3', 'count 1/1'],
  ],
  ['a Python module nobody imports', (world) => edit(world, 'notes/helpers/unused.py', '!', '?'), allOfNotes],
  [
    'a Python module that an imported one imports',
    (world) => edit(world, 'notes/helpers/marks.py', '。', '.'),
    ['find 3/3', 'shape 3/3', 'say 3/3', 'ask 3/3', 'tidy 0/3', 'count 0/1'],
  ],
  [
    'a document: all scores change, one text',
    (world) => edit(world, 'notes/knowledge/a.jsonl', '委託には要りません', '委託には不要です'),
    ['find 0/3', 'shape 0/3', 'say 2/3', 'ask 2/3', 'tidy 2/3', 'count 0/1'],
  ],
  [
    'how many hits are wanted, where there is but one',
    (world) => edit(world, 'notes/flow.dag.yaml', 'top_k: 1', 'top_k: 2'),
    ['find 0/3', 'shape 3/3', 'say 3/3', 'ask 3/3', 'tidy 3/3', 'count 1/1'],
  ],
  ['a comment in a template', (world) => edit(world, 'notes/say.jinja2', 'a note', 'the note'), allOfNotes],
  [
    'a variable of the environment: all code',
    (world) => edit(world, 'notes/flow.dag.yaml', 'polite', 'brief'),
    ['find 3/3', 'shape 0/3', 'say 3/3', 'ask 3/3', 'tidy 0/3', 'count 0/1'],
  ],
  [
    'a key in the environment: nothing',
    (world) => edit(world, 'notes/flow.dag.yaml', '{TONE: polite}', '{TONE: polite, API_KEY: abc}'),
    allOfNotes,
  ],
  [
    'cache: false',
    (world) => edit(world, 'notes/flow.dag.yaml', 'path: tidy.py}', 'path: tidy.py}\n    cache: false'),
    ['find 3/3', 'shape 3/3', 'say 3/3', 'ask 3/3', 'tidy 0/3', 'count 1/1'],
  ],
  [
    'rows in another order, and one twice',
    (world) =>
      writeFileSync(
        join(world.folder, 'rows.jsonl'),
        ['委託', '同意', '委託', '第三者提供'].map((question) => JSON.stringify({ question })).join('\n'),
      ),
    ['find 4/4', 'shape 4/4', 'say 4/4', 'ask 4/4', 'tidy 4/4', 'count 0/1'],
  ],
  ['the name of a node', (world) => edit(world, 'notes/flow.dag.yaml', 'shape', 'form'), allOfNotes],
])('notes: %s', async ([what, change, expected]) => {
  using world = copyOf(notesBase);
  change(world);
  if (what === 'the name of a node') {
    cpSync(join(world.folder, 'notes/shape.ts'), join(world.folder, 'notes/form.ts'));
    edit(world, 'notes/flow.dag.yaml', 'path: form.ts', 'path: shape.ts');
  }
  const told = await run(world, ...noteRows, '--since', 'before');
  expect(told.map((one) => one.replace('form', 'shape'))).toEqual(expected);
});

test('repetitions do not share; those that were there before are taken', async () => {
  using world = copyOf(notesBase);
  const told = await run(world, ...noteRows, '--repeat', '2', '--since', 'before');
  expect(told).toEqual(['find 3/6', 'shape 3/6', 'say 3/6', 'ask 3/6', 'tidy 3/6', 'count 0/1']);
});

test('one row: what was taken is told, and is not spent', async () => {
  using world = notesWorld();
  await world.flow('run', 'notes', '--input', 'question=同意');
  edit(world, 'notes/ask.jinja2', 'briefly', 'at length');
  const { stdout } = await world.flow('run', 'notes', '--input', 'question=同意', '--since', 'latest');
  expect(stdout).toContain('1 node ran, 5 taken from 20261121-064500-notes-0000');
});

test('why: what was taken from a third run is told with what differs from the run that is named', async () => {
  using world = copyOf(notesBase);
  edit(world, 'notes/ask.jinja2', 'You answer briefly', '手短にはっきり答えます');
  await run(world, ...noteRows, '--since', 'before', '--name', 'between');
  await run(world, ...noteRows, '--since', 'between', '--name', 'after');
  const { stdout } = await world.flow('why', 'after', '--row', '1', '--against', 'before');
  expect(stdout).toMatchInlineSnapshot(`
    "row 1 of after, against before
    ✓ find  taken from between: nothing it depends on has changed, nor since before
    ✓ shape  taken from between: nothing it depends on has changed, nor since before
    ✓ say  taken from between: nothing it depends on has changed, nor since before
    ✓ ask  taken from between, which was made as this run; against before, prompt changed
      prompt, since the template ask.jinja2 changed
        messages[0].content: [-You answer briefly-]{+手短にはっきり答えます+}.
    ✓ tidy  taken from between: nothing it depends on has changed, nor since before
    "
  `);
  const { stdout: told } = await world.flow('why', 'after', '--row', '1', '--against', 'before', '--json');
  expect(JSON.parse(told)).toMatchObject({
    nodes: {
      find: { ran: false, taken_from: 'between', differences: [] },
      ask: { ran: false, taken_from: 'between', differences: [{ part: 'prompt', from: 'template ask.jinja2' }] },
    },
  });
});

test('why: the first thing that changed, by words; what was taken; what always runs', async () => {
  using world = copyOf(notesBase);
  edit(world, 'notes/ask.jinja2', 'You answer briefly', '手短にはっきり答えます');
  edit(world, 'notes/flow.dag.yaml', 'path: tidy.py}', 'path: tidy.py}\n    cache: false');
  await run(world, ...noteRows, '--since', 'before', '--name', 'after');
  const { stdout } = await world.flow('why', 'after', '--row', '1');
  expect(stdout).toMatchInlineSnapshot(`
    "row 1 of after, against before
    ✓ find  taken from before: nothing it depends on has changed
    ✓ shape  taken from before: nothing it depends on has changed
    ✓ say  taken from before: nothing it depends on has changed
    ✓ ask  ran: prompt changed
      prompt, since the template ask.jinja2 changed
        messages[0].content: [-You answer briefly-]{+手短にはっきり答えます+}.
    ✓ tidy  ran: it always does (cache: false)
    "
  `);
  const { stdout: one } = await world.flow('why', 'after', '--row', '1', '--node', 'ask', '--json');
  expect(JSON.parse(one)).toMatchObject({
    nodes: {
      ask: {
        ran: true,
        reason: 'changed',
        differences: [{ part: 'prompt', from: 'template ask.jinja2' }],
      },
    },
  });
});
