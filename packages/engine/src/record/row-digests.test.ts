import { expect, test } from 'vitest';
import {
  type NodeDigests,
  readRowDigests,
  readRowHead,
  stringifyNodeDigests,
  stringifyRowDigests,
} from './row-digests.ts';
import { textHash } from './value-hash.ts';

const head = { status: 2, inputsHash: textHash('in'), outputsHash: textHash('out') };
const printed = (nodes: ReadonlyMap<number, NodeDigests>): string =>
  stringifyRowDigests(head, new Map([...nodes].map(([id, node]) => [id, stringifyNodeDigests(id, node)])));

const full: NodeDigests = {
  status: 0,
  outputHash: textHash('"a"'),
  inputsHash: textHash('{"x":1}'),
  fingerprint: 'f'.repeat(32),
};
const bypassed: NodeDigests = { status: 1, outputHash: textHash('null'), inputsHash: textHash('{}') };

test('digests of a row are read as they were printed, in the order of ids', () => {
  const nodes = new Map([
    [20_000, full],
    [3, bypassed],
    [127, { ...full, status: 4 }],
    [128, { status: 2, outputHash: textHash('e'), inputsHash: textHash('{}') }],
    [4, { ...bypassed, inputsHash: textHash('{"y":2}') }],
  ]);
  const digits = printed(nodes);
  expect(digits).toMatch(/^(?:[0-9a-f]{2})+$/);
  expect(readRowHead(digits).status).toBe(2);
  const read = readRowDigests(digits.toUpperCase());
  expect([...read.keys()]).toEqual([3, 4, 127, 128, 20_000]);
  expect(read).toEqual(nodes);
});

test('what was bypassed takes two bytes, a row without nodes only its head', () => {
  const [none, one] = [printed(new Map()), printed(new Map([[5, bypassed]]))];
  expect(one.length - none.length).toBe(4);
  expect([...readRowDigests(none)]).toEqual([]);
});

test('the head of a row tells how it ended, what went into it and what it gave', () => {
  expect(readRowHead(printed(new Map([[1, full]])))).toEqual(head);
});
