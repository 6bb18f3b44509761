import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ObservedCase, runObserved, write, writeObservedFlow } from './observed-flow.ts';
import { createTestWorld } from './test-io.ts';

/**
 * Tests that all cases give `a` at first, that with nothing changed their outputs are taken, and that each runs, and gives
 * `b`, once what it reads is another.
 */
export function testObserved(cases: readonly ObservedCase[], ending: 'ts' | 'py'): void {
  const world = createTestWorld();
  const unseen = cases.flatMap(({ name, isUnseen }) => (isUnseen === true ? [name] : []));
  const givesA = Object.fromEntries(cases.map(({ name }) => [name, 'a']));

  beforeAll(async () => {
    writeObservedFlow(world, cases, ending);
    expect((await runObserved(world, 'before')).outputs).toEqual(givesA);
  });
  afterAll(() => world[Symbol.dispose]());

  test('with nothing changed all is taken but what cannot be seen', async () => {
    const { outputs, ran } = await runObserved(world, 'same', '--since', 'before');
    expect({ outputs, ran }).toEqual({ outputs: givesA, ran: unseen.toSorted() });
  });

  test.for(
    cases.flatMap(({ later, ...one }) =>
      later === undefined || one.isUnseen === true ? [] : [[one.name, { ...one, later }] as const],
    ),
  )('%s', async ([name, { later, variables = {}, alsoRuns = [] }]) => {
    const put = later.files ?? {};
    write(world, put);
    Object.assign(process.env, later.variables);
    try {
      const { outputs, ran } = await runObserved(world, `after-${name}`, '--since', 'before');
      expect(outputs[name]).toBe('b');
      expect(ran).toEqual([...unseen, ...alsoRuns, name].toSorted());
    } finally {
      for (const path of Object.keys(put)) rmSync(join(world.folder, path));
      for (const variable of Object.keys(later.variables ?? {})) delete process.env[variable];
      for (const one of cases) write(world, one.files ?? {});
      Object.assign(process.env, variables);
    }
  });
}
