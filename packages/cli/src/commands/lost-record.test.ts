import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** A flow whose code removes the folder of the records, or puts another file in the record's place, at row 5. */
function losingWorld(): TestWorld {
  const world = createTestWorld();
  writeFiles(world.folder, {
    'lose/flow.dag.yaml': `inputs:
  n: {type: int}
  how: {type: string}
outputs:
  o: {type: int, reference: "\${lose.output}"}
nodes:
  - {name: lose, type: python, source: {type: code, path: lose.mjs}, inputs: {n: "\${inputs.n}", how: "\${inputs.how}"}}
`,
    'lose/lose.mjs': `import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
export function lose({ n, how }) {
  if (n !== 5) return n;
  const runs = join(import.meta.dirname, '../.flow/runs');
  const names = readdirSync(runs).filter((name) => name.endsWith('.run'));
  rmSync(join(import.meta.dirname, '../.flow'), { recursive: true });
  if (how === 'replace') {
    mkdirSync(runs, { recursive: true });
    for (const name of names) writeFileSync(join(runs, name), 'something else');
  }
  return n;
}
`,
    'n.jsonl': Array.from({ length: 12 }, (_, n) => `{"n": ${n}, "how": "remove"}\n`).join(''),
    'replaced.jsonl': Array.from({ length: 12 }, (_, n) => `{"n": ${n}, "how": "replace"}\n`).join(''),
  });
  return world;
}

test.for([
  ['n.jsonl', 'removed'],
  ['replaced.jsonl', 'replaced by another file'],
] as const)('a record that is lost while rows of %s run fails the run', async ([data, what]) => {
  using world = losingWorld();
  const { code, stdout, stderr } = await world.flow('run', 'lose', '--data', data, '--name', 'r');
  expect(code).toBe(1);
  expect(stderr).toContain(`the record .flow/runs/r.run is lost: it was ${what} while the run wrote it`);
  expect(stderr).not.toContain('flow itself failed');
  expect(stdout).not.toContain('r.run');
});

test.for([
  ['remove', []],
  ['replace', []],
  ['remove', ['--json']],
] as const)(
  'a record that is lost in a run of one row (%s %s): its outputs are shown, no record is named',
  async ([how, more]) => {
    using world = losingWorld();
    const { code, stdout, stderr } = await world.flow('run', 'lose', '-i', 'n=5', '-i', `how=${how}`, ...more);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /the run record \S+ was (removed|replaced by another file) while the run wrote it: what was recorded is lost/,
    );
    expect(stdout).not.toContain('.run');
    expect(stdout).toContain(more.length > 0 ? '"o": 5' : '5');
  },
);

test('a name is free again where a process was killed before it recorded anything', async () => {
  using world = losingWorld();
  const runs = join(world.folder, '.flow/runs');
  mkdirSync(runs, { recursive: true });
  writeFileSync(join(runs, 'r.run'), '');
  const { code, stderr } = await world.flow('run', 'lose', '-i', 'n=1', '-i', 'how=no', '--name', 'r');
  expect([code, stderr]).toEqual([0, '']);
  const again = await world.flow('run', 'lose', '-i', 'n=1', '-i', 'how=no', '--name', 'r');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('there is a run r already')]);
});

test('what a process left that was killed while it made its record is listed nowhere, and cleared later', async () => {
  using world = losingWorld();
  const runs = join(world.folder, '.flow/runs');
  mkdirSync(runs, { recursive: true });
  const [old, young] = ['a.run.0123456789ab.new', 'b.run.0123456789ab.new'];
  for (const name of [old, young]) writeFileSync(join(runs, name), '');
  utimesSync(join(runs, old), 1, 1);
  expect((await world.flow('runs', '--json')).stdout.trim()).toBe('[]');
  await world.flow('run', 'lose', '-i', 'n=1', '-i', 'how=no', '--name', 'r');
  expect(readdirSync(runs).sort()).toEqual([young, 'r.run'].sort());
});

test.for([
  ['a file', (folder: string) => writeFileSync(join(folder, '.flow'), '')],
  ['a link to nowhere', (folder: string) => symlinkSync('nowhere', join(folder, '.flow'))],
  [
    'a folder whose runs are a link to nowhere',
    (folder: string) => {
      mkdirSync(join(folder, '.flow'));
      symlinkSync('nowhere', join(folder, '.flow/runs'));
    },
  ],
] as const)('where .flow is %s, the run is refused before anything runs', async ([, make]) => {
  using world = losingWorld();
  make(world.folder);
  for (const argv of [
    ['-i', 'n=1', '-i', 'how=no'],
    ['--data', 'n.jsonl'],
  ]) {
    const { code, stdout, stderr } = await world.flow('run', 'lose', ...argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`runs cannot be recorded in ${join(world.folder, '.flow/runs')}: `);
    expect(stderr).toContain('--runs-dir FOLDER or FLOW_RUNS names another folder.');
    expect(stderr).not.toMatch(/E[A-Z]{4,}|flow itself failed/);
  }
  expect(existsSync(join(world.folder, 'nowhere'))).toBe(false);
});
