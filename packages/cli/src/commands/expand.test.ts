import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countingWorld } from '../testing/counting-flow.ts';

test('an expanded flow holds no loop and gives the same result', async () => {
  using world = countingWorld();
  const { code, stdout, stderr } = await world.flow('expand', 'counting');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toMatch(/^loops:/m);
  expect(stdout).toContain('- name: look_3');
  const written = await world.flow('expand', 'counting', '--out', 'counting/plain.dag.yaml');
  expect(written).toEqual({ code: 0, stdout: '', stderr: 'counting/plain.dag.yaml written\n' });
  expect(readFileSync(join(world.folder, 'counting/plain.dag.yaml'), 'utf8')).toBe(stdout);
  const resultOf = async (flow: string) => JSON.parse((await world.flow('run', flow, '-i', 'goal=2', '--json')).stdout);
  const [looped, plain] = [await resultOf('counting'), await resultOf('counting/plain.dag.yaml')];
  expect(plain.outputs).toEqual(looped.outputs);
  expect(Object.keys(plain.nodes)).toEqual(Object.keys(looped.nodes));
});
