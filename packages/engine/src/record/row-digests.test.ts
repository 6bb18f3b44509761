import { expect, test } from 'vitest';
import {
  digestsDiffer,
  type NodeDigests,
  placesOf,
  readRowDigests,
  shapeOf,
  statusOfRow,
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
  expect(statusOfRow(digits)).toBe(2);
  const read = readRowDigests(digits.toUpperCase());
  expect([...read.keys()]).toEqual([3, 4, 127, 128, 20_000]);
  expect(read).toEqual(nodes);
});

test('what was bypassed takes two bytes, a row without nodes only its head', () => {
  const [none, one] = [printed(new Map()), printed(new Map([[5, bypassed]]))];
  expect(one.length - none.length).toBe(4);
  expect([...readRowDigests(none)]).toEqual([]);
});

test('rows of one shape have their digests at the same places', () => {
  const [one, other] = [
    printed(
      new Map([
        [1, full],
        [2, bypassed],
      ]),
    ),
    printed(
      new Map([
        [2, bypassed],
        [1, { ...full, outputHash: textHash('"b"') }],
      ]),
    ),
  ];
  expect(shapeOf(other)).toBe(shapeOf(one));
  const [first, second] = placesOf(shapeOf(one));
  expect(digestsDiffer(one, first?.output ?? 0, other, first?.output ?? 0)).toBe(true);
  expect(digestsDiffer(one, first?.inputs ?? 0, other, first?.inputs ?? 0)).toBe(false);
  expect(second).toEqual({ id: 2, status: 1, output: -1, inputs: -1, fingerprint: -1 });
  expect(digestsDiffer(one, -1, other, first?.output ?? 0)).toBe(true);
  const longer = printed(
    new Map([
      [1, full],
      [2, bypassed],
      [3, bypassed],
    ]),
  );
  expect(shapeOf(longer)).not.toBe(shapeOf(one));
});
