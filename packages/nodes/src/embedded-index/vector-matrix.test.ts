import { expect, test } from 'vitest';
import { createIndexDatabase } from './index-database.ts';
import { IndexWriter } from './index-writer.ts';
import { dot, normalized } from './quantize.ts';
import { loadVectorMatrix, type VectorMatrix } from './vector-matrix.ts';

/** Numbers that look drawn at random about normally: Park and Miller's generator, three of them added. */
function drawn(seed: number): () => number {
  let state = seed;
  return () => {
    let sum = -1.5;
    for (let at = 0; at < 3; at += 1) {
      state = (state * 48_271) % 2_147_483_647;
      sum += state / 2_147_483_647;
    }
    return 2 * sum;
  };
}

const rows = 2500;

/** What the numbers of services and of the offline embedder look like, and worse. */
const kinds: Readonly<Record<string, (dimensions: number, next: () => number) => Float32Array>> = {
  'without structure': (dimensions, next) => Float32Array.from({ length: dimensions }, next),
  'far from zero, a few dimensions wide': (dimensions, next) =>
    Float32Array.from({ length: dimensions }, (_, at) => 0.3 * Math.sin(at) + (at % 50 === 5 ? 4 : 1) * next()),
  'mostly zeros': (dimensions, next) =>
    Float32Array.from({ length: dimensions }, () => (Math.abs(next()) > 2 ? next() ** 3 : 0)),
};

function matrixOf(vectors: readonly Float32Array[]): VectorMatrix {
  const database = createIndexDatabase(':memory:');
  const writer = new IndexWriter(database);
  const documents = vectors.map((_, at) => ({ id: `d${at}`, text: `text ${at}`, fields: {} }));
  writer.putSource('all', 'digest', documents);
  writer.putVectors(
    writer.unembedded(vectors.length).map((one) => {
      const vector = vectors[Number(one.text.slice(5))];
      if (vector === undefined) throw new Error(one.text);
      return { ...one, vector };
    }),
  );
  const matrix = loadVectorMatrix(database);
  if (matrix === undefined) throw new Error('no vectors');
  return matrix;
}

test.for([
  { kind: 'without structure', dimensions: 384 },
  { kind: 'without structure', dimensions: 1030 },
  { kind: 'far from zero, a few dimensions wide', dimensions: 250 },
  { kind: 'mostly zeros', dimensions: 600 },
])(
  'the ten nearest of $dimensions numbers $kind are among those given, of all and of chosen rows',
  ({ kind, dimensions }) => {
    const next = drawn(7);
    const vector = (): Float32Array => normalized((kinds[kind] as (typeof kinds)[string])(dimensions, next));
    const vectors = Array.from({ length: rows }, vector);
    const matrix = matrixOf(vectors);
    const every = Array.from({ length: rows }, (_, at) => at + 1);
    for (const chosen of [undefined, every.filter((document) => document % 7 === 0)]) {
      for (let round = 0; round < 5; round += 1) {
        const query = vector();
        const cosines = vectors.map((vector) => dot(vector, query));
        const cosine = (document: number): number => cosines[document - 1] as number;
        const wanted = (chosen ?? every).toSorted((left, right) => cosine(right) - cosine(left)).slice(0, 10);
        const given = new Set(matrix.nearest(query, 10, chosen).map(({ document }) => document));
        expect(wanted.filter((document) => !given.has(document))).toEqual([]);
        expect(given.size).toBeLessThan(200);
      }
    }
  },
);

test('a filter that leaves many rows, and one that leaves none', () => {
  const next = drawn(3);
  const vectors = Array.from({ length: 9000 }, () => normalized(Float32Array.from({ length: 16 }, next)));
  const matrix = matrixOf(vectors);
  const query = vectors[4] as Float32Array;
  const cosines = vectors.map((vector) => dot(vector, query));
  const cosine = (document: number): number => cosines[document - 1] as number;
  const even = vectors.map((_, at) => at + 1).filter((document) => document % 2 === 0);
  const wanted = even.toSorted((left, right) => cosine(right) - cosine(left)).slice(0, 10);
  const nearest = (allowed?: readonly number[]): readonly number[] =>
    matrix.nearest(query, 10, allowed).map(({ document }) => document);
  expect(wanted.filter((document) => !nearest(even).includes(document))).toEqual([]);
  expect(nearest(even).filter((document) => document % 2 === 1)).toEqual([]);
  expect(nearest()[0]).toBe(5);
  expect(nearest([])).toEqual([]);
  expect(nearest([123_456])).toEqual([]);
});

test('of few and of equal rows all are given that there are', () => {
  const vectors = Array.from({ length: 3 }, () => Float32Array.from({ length: 5 }, () => Math.sqrt(1 / 5)));
  const matrix = matrixOf([...vectors, new Float32Array(5)]);
  expect(
    matrix
      .nearest(vectors[0] as Float32Array, 10)
      .map(({ document }) => document)
      .sort(),
  ).toEqual([1, 2, 3, 4]);
  expect(matrix.nearest(new Float32Array(5), 10)).toHaveLength(4);
});
