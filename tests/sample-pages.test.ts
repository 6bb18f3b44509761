import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../packages/cli/src/testing/test-io.ts';
import { lasting, notPrinted, type ShownRun, shownRuns, wordsOf } from './pages/shown-runs.ts';

const root = join(import.meta.dirname, '..');
const runsOf = (page: string, command: RegExp): readonly ShownRun[] =>
  shownRuns(readFileSync(join(root, page), 'utf8')).filter((run) => command.test(run.command));

/** A copy of the privacy agent with its evaluation. */
function sampleWorld(): TestWorld {
  const world = createTestWorld();
  const filter = (path: string): boolean => !/[\\/]\.flow$/.test(path);
  for (const folder of ['flows/privacy-agent', 'evals/privacy-agent'])
    cpSync(join(root, folder), join(world.folder, folder), { recursive: true, filter });
  return world;
}

function edit({ folder }: TestWorld, file: string, from: string | RegExp, to: string): void {
  const path = join(folder, 'flows/privacy-agent', file);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to));
}

/** Runs the command, and expects what the page shows of it. */
async function expectShown(world: TestWorld, { command, lines }: ShownRun): Promise<void> {
  const { stdout } = await world.flow(...wordsOf(command));
  const printed = lasting(stdout);
  expect({ command, missing: notPrinted(lines, printed), printed }).toEqual({ command, missing: [], printed });
}

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

/** The table without its last column, which the first page has no room for. */
const withoutRuns = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replace(/ (?:RUN|run)$/, ''));
