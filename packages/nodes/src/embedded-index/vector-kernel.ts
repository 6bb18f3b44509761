import {
  advance,
  type Code,
  compileModule,
  constant,
  f32,
  f32x4,
  get,
  i8x16,
  i16x8,
  i32,
  i32x4,
  repeat,
  set,
  startModule,
  v128,
  type WasmFunction,
  type WasmMemory,
  type WasmModule,
  when,
  zeros,
} from './wasm-module.ts';

/** Rows that are looked at together. */
export const blockRows = 32;
/** So many places at most are added up in 16 bits. */
export const maxPlaces = 512;

/**
 * The inner loops of the vector search, in WebAssembly with SIMD (bench/index.bench.ts); the test beside this file compares
 * each with the plain loop. All parameters but counts are addresses in `memory`.
 */
export interface VectorKernel {
  readonly memory: WasmMemory;
  /**
   * Adds to the sum of each row what its numbers give: each place holds a code, one of sixteen, and what it gives is looked up.
   *
   * @param codes `[blocks][places]` of 16 bytes, one for two rows: the lower half of byte `i` is of row `laneRow(i)`, the upper
   *   half of row `16 + laneRow(i)`
   * @param tables `[places]` of 16 bytes, each up to 127
   * @param sums `[blocks][32]` 32-bit floats
   * @param places even, at most `maxPlaces`
   */
  scan(codes: number, tables: number, sums: number, blocks: number, places: number): void;
  /**
   * Makes of each sum `sum * scale + middle * small + bias`.
   *
   * @param sums, scales, smalls, biases `[blocks][32]` 32-bit floats
   * @param middle one 32-bit float, four times
   * @param maxima `[blocks]`: the largest of each block
   */
  settle(
    sums: number,
    scales: number,
    smalls: number,
    biases: number,
    middle: number,
    maxima: number,
    blocks: number,
  ): void;
  /**
   * Multiplies some rows of 8-bit numbers with the query: `scale * sum of products`.
   *
   * @param query `[stride]` 16-bit numbers up to 2,047
   * @param matrix `[any][stride]` bytes
   * @param rows `[count]` numbers of rows, 32-bit
   * @param scales `[any]` 32-bit floats
   * @param results `[count]` 32-bit floats
   * @param stride a multiple of 16, at most 8,192
   */
  multiply(
    query: number,
    matrix: number,
    rows: number,
    scales: number,
    results: number,
    count: number,
    stride: number,
  ): void;
}

/** @param bytes size of the memory it works on; at most 4 GiB */
export function createVectorKernel(bytes: number): VectorKernel {
  module ??= compileModule([scanFunction(), settleFunction(), multiplyFunction()]);
  const { memory, exports } = startModule(module, bytes);
  return { memory, ...(exports as unknown as Omit<VectorKernel, 'memory'>) };
}

let module: WasmModule | undefined;

/** Which row of sixteen a byte is of: even bytes are of the first eight, so that sums come out in order. */
export function laneRow(lane: number): number {
  return (lane >> 1) + (lane & 1) * 8;
}

/**
 * Two places at once: what is looked up is at most 127, and two of it fit into a byte. Bytes are added up in 16 bits, `all` of
 * them as they stand and the upper ones (`odd`) once more by themselves, which are taken off at the end.
 */
function scanFunction(): WasmFunction {
  const [codes, tables, sums, blocks, places, table, left, lower, first, second, found] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ] as const;
  const groups = [
    { all: 11, odd: 12 },
    { all: 13, odd: 14 },
  ] as const;
  const halves = [
    (code: Code) => v128.and(code, get(lower)),
    (code: Code) => v128.and(i16x8.shiftRight(code, constant(4)), get(lower)),
  ] as const;
  const twoPlaces = [
    ...set(first, v128.load(0, get(codes))),
    ...set(second, v128.load(16, get(codes))),
    ...groups.flatMap(({ all, odd }, group) => {
      const half = halves[group as 0 | 1];
      const looked = [first, second].map((code, at) =>
        i8x16.look(v128.load(16 * at, get(table)), half(get(code))),
      ) as readonly Code[];
      return [
        ...set(found, i8x16.add(...looked)),
        ...set(all, i16x8.add(get(all), get(found))),
        ...set(odd, i16x8.add(get(odd), i16x8.shiftRight(get(found), constant(8)))),
      ];
    }),
    ...[...advance(codes, 32), ...advance(table, 32), ...advance(left, -2)],
  ];
  const addUp = groups.flatMap(({ all, odd }, group) => {
    const even = i16x8.subtract(get(all), i16x8.shiftLeft(get(odd), constant(8)));
    return [even, get(odd)].flatMap((eight, part) =>
      [i32x4.lowerOf(eight), i32x4.upperOf(eight)].flatMap((four, half) => {
        const at = group * 64 + part * 32 + half * 16;
        return v128.store(at, get(sums), f32x4.add(v128.load(at, get(sums)), f32x4.ofWhole(four)));
      }),
    );
  });
  const eachBlock = [
    ...groups.flatMap(({ all, odd }) => [...set(all, zeros), ...set(odd, zeros)]),
    ...[...set(table, get(tables)), ...set(left, get(places))],
    ...repeat(twoPlaces, get(left)),
    ...[...addUp, ...advance(sums, 4 * blockRows), ...advance(blocks, -1)],
  ];
  return {
    name: 'scan',
    parameters: 5,
    locals: ['i32', 'i32', ...Array.from({ length: 8 }, () => 'v128' as const)],
    body: [...set(lower, v128.ofBytes(15)), ...when(get(blocks), repeat(eachBlock, get(blocks)))],
  };
}

function settleFunction(): WasmFunction {
  const [sums, scales, smalls, biases, middle, maxima, blocks, four, best] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const fours = Array.from({ length: blockRows / 4 }, (_, at) => {
    const drawn = f32x4.multiply(v128.load(16 * at, get(sums)), v128.load(16 * at, get(scales)));
    const moved = f32x4.multiply(v128.load(0, get(middle)), v128.load(16 * at, get(smalls)));
    return [
      ...set(four, f32x4.add(f32x4.add(drawn, moved), v128.load(16 * at, get(biases)))),
      ...v128.store(16 * at, get(sums), get(four)),
      ...set(best, at === 0 ? get(four) : f32x4.max(get(best), get(four))),
    ];
  }).flat();
  const lanes = [0, 1, 2, 3].map((lane) => f32x4.lane(lane, get(best)));
  const largest = lanes.reduce((one, other) => f32.max(one, other));
  const eachBlock = [
    ...[...fours, ...f32.store(0, get(maxima), largest), ...advance(maxima, 4), ...advance(blocks, -1)],
    ...[sums, scales, smalls, biases].flatMap((address) => advance(address, 4 * blockRows)),
  ];
  return {
    name: 'settle',
    parameters: 7,
    locals: ['v128', 'v128'],
    body: when(get(blocks), repeat(eachBlock, get(blocks))),
  };
}

function multiplyFunction(): WasmFunction {
  const [query, matrix, rows, scales, results, count, stride] = [0, 1, 2, 3, 4, 5, 6] as const;
  const [row, number, at, sum] = [7, 8, 9, 10] as const;
  const numbers = i32.add(get(row), get(at));
  const asked = i32.add(get(query), i32.shiftLeft(get(at), constant(1)));
  const sixteen = [0, 1].flatMap((half) =>
    set(sum, i32x4.add(get(sum), i32x4.dot(v128.loadWidened(8 * half, numbers), v128.load(16 * half, asked)))),
  );
  const total = [0, 1, 2, 3].map((lane) => i32x4.lane(lane, get(sum))).reduce((one, other) => i32.add(one, other));
  const scale = f32.load(0, i32.add(get(scales), i32.shiftLeft(get(number), constant(2))));
  const eachRow = [
    ...set(number, i32.load(0, get(rows))),
    ...set(row, i32.add(get(matrix), i32.multiply(get(number), get(stride)))),
    ...[...set(at, constant(0)), ...set(sum, zeros)],
    ...repeat([...sixteen, ...advance(at, 16)], i32.isLess(get(at), get(stride))),
    ...f32.store(0, get(results), f32.multiply(scale, f32.ofWhole(total))),
    ...[...advance(rows, 4), ...advance(results, 4), ...advance(count, -1)],
  ];
  return {
    name: 'multiply',
    parameters: 7,
    locals: ['i32', 'i32', 'i32', 'v128'],
    body: when(get(count), repeat(eachRow, get(count))),
  };
}
