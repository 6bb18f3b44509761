import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTestWorld, type TestWorld } from '../../packages/cli/src/testing/test-io.ts';
import { lasting, notPrinted, type ShownRun, shownRuns, wordsOf } from './shown-runs.ts';

const root = join(import.meta.dirname, '../..');

/** The commands of a page that are shown with what they print, in order. */
export function runsOf(page: string, command: RegExp): readonly ShownRun[] {
  return shownRuns(readFileSync(join(root, page), 'utf8')).filter((run) => command.test(run.command));
}

/** Copies of folders of this repository without what runs left in them: the privacy agent with its evaluation, unless others are named. */
export function sampleWorld(folders: readonly string[] = ['flows/privacy-agent', 'evals/privacy-agent']): TestWorld {
  const world = createTestWorld();
  const filter = (path: string): boolean => !/[\\/]\.flow$/.test(path);
  for (const folder of folders) cpSync(join(root, folder), join(world.folder, folder), { recursive: true, filter });
  return world;
}

/** Replaces a piece of a file, which has to be there. */
export function edit({ folder }: TestWorld, file: string, from: string | RegExp, to: string): void {
  const path = join(folder, 'flows/privacy-agent', file);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to));
}

/** Runs the command, and expects what the page shows of it: what a reader sees on a terminal, or of it what goes to standard output. */
export async function expectShown(world: TestWorld, { command, lines }: ShownRun): Promise<void> {
  const { stdout, stderr } = await world.flow(...wordsOf(command));
  const seen = [stdout, `${stderr}${stdout}`, `${stdout}${stderr}`].map(lasting);
  const printed = seen.find((one) => notPrinted(lines, one).length === 0) ?? seen[1] ?? [];
  expect({ command, missing: notPrinted(lines, printed), printed }).toEqual({ command, missing: [], printed });
}
