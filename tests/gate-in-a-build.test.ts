import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { TestWorld } from '../packages/cli/src/testing/test-io.ts';
import { edit, sampleWorld } from './pages/sample-world.ts';
import { wordsOf } from './pages/shown-runs.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/guide/gate.md'), 'utf8');
const section = page.slice(page.indexOf('## In a build'));
const files = [...section.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => parse(text) as unknown);

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly steps: readonly Step[];
}
interface GitLabJob {
  readonly script: readonly string[];
  readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } };
}

const [github, gitlab] = files as [{ readonly jobs: { readonly gate: Job } }, { readonly gate: GitLabJob }];
const { steps } = github.jobs.gate;
const { script, artifacts } = gitlab.gate;

/** What a line of a build comes to; what installs is not run. */
async function step(world: TestWorld, line: string): Promise<number> {
  if (line === 'npm ci') return 0;
  if (line.startsWith('npx flow ')) return (await world.flow(...wordsOf(line.slice('npx '.length)))).code;
  const environment = { ...process.env, GITHUB_STEP_SUMMARY: join(world.folder, 'summary.md') };
  return spawnSync('sh', ['-c', line], { cwd: world.folder, env: environment }).status ?? 1;
}

/** The sample project, with the cassette and the baseline as the page makes them. */
async function projectOfThePage(): Promise<TestWorld> {
  const world = sampleWorld();
  const commands = [...section.matchAll(/^ {4}(flow (?:eval|baseline) .*)$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(2);
  for (const command of commands) expect((await world.flow(...wordsOf(command), '--quiet')).code).toBe(0);
  return world;
}

test('the builds of the guide to gates run as they are written there', { timeout: 180_000 }, async () => {
  using world = await projectOfThePage();
  const lines = steps.flatMap(({ run }) => run ?? []);
  expect(lines).toHaveLength(4);
  for (const line of lines) expect([line, await step(world, line)]).toEqual([line, 0]);
  const upload = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
  for (const file of String(upload?.with?.['path']).trim().split('\n')) {
    expect([file, existsSync(join(world.folder, file))]).toEqual([file, true]);
  }
  expect(readFileSync(join(world.folder, 'summary.md'), 'utf8')).toContain('All 6 gates pass.');
  for (const line of script) expect([line, await step(world, line)]).toEqual([line, 0]);
  for (const file of [...artifacts.paths, artifacts.reports.junit]) {
    expect([file, existsSync(join(world.folder, file))]).toEqual([file, true]);
  }
});

test('a build whose calls are not on the cassette fails, and its summary says so', { timeout: 180_000 }, async () => {
  using world = await projectOfThePage();
  edit(world, 'agent.jinja2', 'say plainly that', 'say clearly that');
  const codes = new Map<string, number>();
  for (const line of steps.flatMap(({ run }) => run ?? [])) codes.set(line, await step(world, line));
  expect([...codes.values()]).toEqual([0, 0, 1, 0]);
  expect(readFileSync(join(world.folder, 'summary.md'), 'utf8')).toContain('### ❌ privacy-agent');
  const always = steps.filter(({ run, uses }) => /^cat /.test(run ?? '') || /upload-artifact/.test(uses ?? ''));
  expect(always.map((one) => one.if?.includes('!cancelled()'))).toEqual([true, true]);
});
