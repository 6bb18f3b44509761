import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isGivenOn } from './given-on.ts';
import type { NodeRun } from './node-run.ts';

const run = (inputs: JsonObject, output: JsonValue): NodeRun => ({
  line: 0,
  node: 'a',
  kind: 'python',
  status: 'Completed',
  inputs,
  output,
});
const changing: NodeRun = { ...run({ x: [1] }, 'b'), node: 'b', changed: { x: [1, 2] } };

test.for<[what: string, inputs: JsonObject, output: JsonValue, isOne: boolean]>([
  ['the list itself', { x: [1] }, [1], true],
  ['a list within another', { x: [1] }, { history: [[1]] }, true],
  ['a part of what it was given', { x: { hits: [{ id: 1 }] } }, { id: 1 }, true],
  ['an empty list', { x: [] }, { more: [] }, true],
  ['a list of its own', { x: [1] }, [2], false],
  ['a text', { x: 'a' }, 'a', false],
  ['numbers alone', { x: 1.5 }, { n: 1.5 }, false],
])('gives on %s', ([, inputs, output, isOne]) => {
  const own = run(inputs, output);
  expect(isGivenOn(own, [own, changing])).toBe(isOne);
  expect(isGivenOn(own, [own, { ...changing, changed: undefined } as unknown as NodeRun])).toBe(false);
});
