// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../packages/cli/src/testing/test-io.ts';
import { edit, expectShown, runsOf, sampleWorld } from './pages/sample-world.ts';
import { lasting, notPrinted, wordsOf } from './pages/shown-runs.ts';

const root = join(import.meta.dirname, '..');

const data = ['flows/privacy-agent', '--data', 'flows/privacy-agent/data.jsonl'] as const;
const hits = (count: number) => ['functions.ts', 'topK: 3', `topK: ${count}`] as const;

test('a line that is not printed, is printed elsewhere, or is left out without a word is seen', () => {
  const printed = ['a', 'b', 'c', 'record r'];
  expect(notPrinted(['a', 'b', 'c'], printed)).toEqual([]);
  expect(notPrinted(['a', '…', 'c'], printed)).toEqual([]);
  expect(notPrinted(['a', '…'], printed)).toEqual([]);
  expect(notPrinted(['a', 'c'], printed)).toEqual(['c']);
  expect(notPrinted(['b', '…'], printed)).toEqual(['b', '…']);
  expect(notPrinted(['…', 'c', '…', 'b'], printed)).toEqual(['b']);
  expect(notPrinted(['a', 'b'], printed)).toEqual(['(and no more)']);
});

test('the four ways of the privacy agent are as its page shows them', { timeout: 600_000 }, async () => {
  using world = sampleWorld();
  const ways = runsOf('docs/privacy-agent.md', /^flow run .* --input "/);
  expect(ways).toHaveLength(4);
  for (const way of ways) await expectShown(world, way);
});

test('why nodes ran is as the guide to changes shows it', { timeout: 600_000 }, async () => {
  using world = sampleWorld();
  const shown = runsOf('docs/guide/changed-only.md', /^flow (?:run|why) /);
  expect(shown).toHaveLength(4);
  const whyNodes = shown.slice(2);
  await world.flow('run', ...data, '--name', 'before');
  edit(world, 'agent.jinja2', 'plainly', 'clearly');
  for (const run of shown.slice(0, 2)) await expectShown(world, run);
  edit(world, ...hits(2));
  await world.flow('run', ...data, '--since', 'after', '--name', 'narrower');
  for (const run of whyNodes) await expectShown(world, run);
});

test('what a change changed is as the first page shows it', { timeout: 600_000 }, async () => {
  using world = sampleWorld();
  const [ran, ...told] = runsOf('README.md', /^flow (?:run .*data\.jsonl$|diff |why )/);
  expect(told.map(({ command }) => command.split(' ')[1])).toEqual(['diff', 'why']);
  if (ran === undefined) throw new Error('bug: README.md shows no run');
  const [before, after] = ['20261121-095725', '20261121-100012'];
  await expectShown(world, { ...ran, command: `${ran.command} --name ${before}` });
  edit(world, 'agent.jinja2', '使います', '使ってください');
  edit(world, ...hits(1));
  await world.flow('run', ...data, '--since', before, '--name', after);
  for (const { command, lines } of told) {
    const named = command.endsWith(' latest') ? command.replace('latest', after) : `${command} ${after}`;
    await expectShown(world, { command: named, lines: ['…', ...lines, '…'] });
  }
});

test('which node to fix first is as the guide and the first page show it', { timeout: 600_000 }, async () => {
  using world = sampleWorld();
  const [broken, sweep] = runsOf('docs/guide/oracle.md', /^flow eval .* --quiet$/);
  const [first] = runsOf('README.md', /^flow eval .*--oracle-sweep/);
  if (broken === undefined || sweep === undefined || first === undefined)
    throw new Error('bug: no oracle run is shown');
  await world.flow('eval', 'evals/privacy-agent', '--name', 'right', '--quiet');
  const faq = join(world.folder, 'flows/privacy-agent/knowledge/faq.jsonl');
  writeFileSync(faq, readFileSync(faq, 'utf8').split('\n', 20).join('\n'));
  await expectShown(world, broken);
  const { stdout } = await world.flow(...wordsOf(sweep.command));
  const printed = lasting(stdout);
  const shown = [sweep.lines, withoutRuns(['…', ...first.lines, '…'])];
  const missing = [notPrinted(sweep.lines, printed), notPrinted(shown[1] ?? [], withoutRuns(printed))];
  expect({ missing, printed }).toEqual({ missing: [[], []], printed });
});

test('a turn of the Bedrock agent is as its page shows it', { timeout: 600_000 }, async () => {
  using world = sampleWorld(['flows/bedrock-agent']);
  const shown = runsOf('docs/bedrock-agent.md', /^flow run flows\/bedrock-agent --input/);
  expect(shown).toHaveLength(1);
  for (const run of shown) await expectShown(world, run);
});

/** The blocks of a page in one language, in order. */
function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

function worldOf(files: Readonly<Record<string, string | Buffer>>): TestWorld {
  const world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.folder, path)), { recursive: true });
    writeFileSync(join(world.folder, path), text);
  }
  return world;
}

test('the class of the guide to flows that are code is made, called and checked as shown', {
  timeout: 600_000,
}, async () => {
  const page = 'docs/guide/flex.md';
  const [flow = ''] = blocksOf(page, 'yaml');
  const [code = ''] = blocksOf(page, 'python');
  using world = worldOf({ 'my-class/flow.flex.yaml': flow, 'my-class/greet.py': code });
  const [ran, right, wrong] = runsOf(page, /^flow /);
  if (ran === undefined || right === undefined || wrong === undefined) throw new Error(`bug: ${page} shows less`);
  await expectShown(world, ran);
  await expectShown(world, right);
  writeFileSync(join(world.folder, 'my-class/flow.flex.yaml'), flow.replace(/Greet {2}/, 'Gret   '));
  await expectShown(world, wrong);
});

test('the prompty of its guide answers as shown', { timeout: 600_000 }, async () => {
  const page = 'docs/guide/prompty.md';
  const [text = ''] = blocksOf(page, 'yaml');
  const offline = text.replace(/ {2}configuration:\n(?: {4}.*\n)+/, '  configuration: {connection: offline}\n');
  expect(offline).not.toBe(text);
  using world = worldOf({ 'ask.prompty': offline });
  const shown = runsOf(page, /^flow (?:run|check) ask/);
  expect(shown).toHaveLength(2);
  for (const run of shown) await expectShown(world, run);
});

test('the code of the page on code nodes runs and fails as shown', { timeout: 600_000 }, async () => {
  const page = 'docs/code-nodes.md';
  const [nodes = ''] = blocksOf(page, 'yaml');
  const [code = ''] = blocksOf(page, 'ts');
  const around =
    'inputs: {text: {type: string}}\noutputs: {count: {type: int, reference: "${count_words.output.count}"}}\n';
  using world = worldOf({
    'docs/flow.dag.yaml': around + nodes,
    'docs/count_words.ts': code,
    'fail/flow.dag.yaml':
      'inputs: {key: {type: string}}\noutputs:\n  found: {type: string, reference: "${look_up.output}"}\n\nnodes:\n- name: look_up\n  type: python\n  source: {type: code, path: look_up.py}\n  inputs: {key: "${inputs.key}"}\n',
    'fail/look_up.py':
      'from promptflow.core import tool\n\nknown = {"a": 1}\n\n\n@tool\ndef look_up(key: str):\n    return known[key]\n',
  });
  const shown = runsOf(page, /^flow run (?:docs|fail) /);
  expect(shown).toHaveLength(2);
  for (const run of shown) await expectShown(world, run);
});

test('files of Excel in Japan and broken lines are read as the guide to data shows it', {
  timeout: 600_000,
}, async () => {
  const flow = `inputs: {question: {type: string}, n: {type: int, default: 1}}
outputs: {said: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: prompt, source: {type: code, path: say.jinja2}, inputs: {n: "\${inputs.n}", question: "\${inputs.question}"}}
`;
  using world = worldOf({
    'my-flow/flow.dag.yaml': flow,
    'my-flow/say.jinja2': '{{n}}: {{question}}\n',
    'excel.csv': Buffer.from(excel, 'hex'),
    'broken.jsonl': '{"question": "a"}\n{"question":\n{"question": "c"}\n',
  });
  const shown = runsOf('docs/guide/data.md', /^flow (?:run|export) /);
  expect(shown).toHaveLength(4);
  for (const run of shown) await expectShown(world, run);
});

/** Columns `question` and `n` in CP932, with a line break in a cell. */
const excel = '7175657374696f6e2c6e0d0a93fa967b8cea82cc8ebf96e22c370d0a2293f18d7382cc0a8ebf96e2222c320d0a';

/** The table without its last column, which the first page has no room for. */
const withoutRuns = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replace(/ (?:RUN|run)$/, ''));
