/**
 * A WebAssembly function that multiplies one vector with every row of a matrix of 4-bit numbers, 128 of them at a time. What it
 * waits for is memory, so the rows are as short as they can be (bench/index.bench.ts). Written instruction by instruction in
 * `kernelModule`; the test beside this file compares it with the loop.
 */
export interface DotKernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  /**
   * Writes for each row `scale * (sum of the products - offset)`, as 32-bit floats.
   *
   * @param query address of signed bytes, `2 * stride` of them
   * @param matrix address of `rows * stride` bytes; of each 16, the lower halves are 16 numbers from 0 to 15 and the upper
   *   halves the 16 that follow
   * @param scales address of 32-bit floats, one a row
   * @param results address of `rows` results
   * @param stride bytes of a row, a multiple of 64
   */
  dots(
    query: number,
    matrix: number,
    scales: number,
    results: number,
    rows: number,
    stride: number,
    offset: number,
  ): void;
}

/** @param bytes size of the memory it works on; at most 4 GiB */
export function createDotKernel(bytes: number): DotKernel {
  const memory = new webAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / 65_536)) });
  module ??= new webAssembly.Module(kernelModule());
  const { exports } = new webAssembly.Instance(module, { e: { m: memory } });
  return { memory, dots: exports['d'] as DotKernel['dots'] };
}

/** The types of Node tell the names only. */
interface WebAssemblyObject {
  readonly Memory: new (limits: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyObject }).WebAssembly;
let module: object | undefined;

/**
 * The module in the binary format of WebAssembly 3.0 (W3C). As text:
 *
 *     (func (export "d") (param $query i32) (param $matrix i32) (param $scales i32) (param $results i32) (param $rows i32)
 *                        (param $stride i32) (param $offset i32)
 *       (local $at i32) (local $row v128) (local $pairs v128) (local $sum v128) (local $lower v128)
 *       (local.set $lower (v128.const 15 …))
 *       (loop $rows_loop
 *         (if (i32.eqz (local.get $rows)) (then (return)))
 *         (local.set $sum (v128.const 0)) (local.set $at (i32.const 0))
 *         (loop $numbers_loop
 *           (local.set $pairs (v128.const 0))
 *           …four times, 16 bytes of the row and 32 of the query further each time:
 *             (local.set $row (v128.load (i32.add (local.get $matrix) (local.get $at))))
 *             (local.set $pairs (i16x8.add (i16x8.add (local.get $pairs)
 *               (i16x8.relaxed_dot_i8x16_i7x16_s
 *                 (v128.load (i32.add (local.get $query) (i32.shl (local.get $at) (i32.const 1))))
 *                 (v128.and (local.get $row) (local.get $lower))))
 *               (i16x8.relaxed_dot_i8x16_i7x16_s
 *                 (v128.load offset=16 (i32.add …the same…))
 *                 (v128.and (i16x8.shr_u (local.get $row) (i32.const 4)) (local.get $lower)))))
 *           (local.set $sum (i32x4.add (local.get $sum) (i32x4.extadd_pairwise_i16x8_s (local.get $pairs))))
 *           (br_if $numbers_loop (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $stride))))
 *         (f32.store (local.get $results) (f32.mul (f32.load (local.get $scales))
 *           (f32.convert_i32_s (i32.sub …the four lanes of $sum added… (local.get $offset)))))
 *         …$results and $scales go on by 4, $matrix by $stride, $rows by -1…
 *         (br $rows_loop)))
 *
 * A pair is at most 2 * 15 * 127, and eight of them fit into 16 bits; so the relaxed product is the same on all machines.
 */
function kernelModule(): Uint8Array {
  const types = vector([0x60, ...vector(...Array.from({ length: 7 }, () => [i32])), ...vector()]);
  const imports = vector([...name('e'), ...name('m'), 0x02, 0x00, ...unsigned(1)]);
  const functions = vector([0]);
  const exports = vector([...name('d'), 0x00, 0]);
  const body = [...vector([1, i32], [4, v128]), ...kernelBody(), op.end];
  const code = vector([...unsigned(body.length), ...body]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...[...section(1, types), ...section(2, imports), ...section(3, functions), ...section(7, exports)],
    ...section(10, code),
  ]);
}

const i32 = 0x7f;
const v128 = 0x7b;
const noResult = 0x40;

const [query, matrix, scales, results, rows, stride, offset, at, row, pairs, sum, lower] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
] as const;

const op = { loop: 0x03, if: 0x04, end: 0x0b, br: 0x0c, brIf: 0x0d, return: 0x0f } as const;
const [i32Add, i32Sub, i32Shl, i32Eqz, i32LessUnsigned] = [[0x6a], [0x6b], [0x74], [0x45], [0x49]] as const;
const [f32Load, f32Store, f32Multiply, f32OfWhole] = [[0x2a, 2, 0], [0x38, 2, 0], [0x94], [0xb2]] as const;
const [both, shiftPairs, addPairs, widenPairs] = [simd(0x4e), simd(0x8d), simd(0x8e), simd(0x7e)] as const;
const [dotPairs, addLanes] = [simd(0x112), simd(0xae)] as const;

function kernelBody(): readonly number[] {
  const total = [0, 1, 2, 3].flatMap((lane) => [...get(sum), ...extractLane(lane), ...(lane === 0 ? [] : i32Add)]);
  const result = [...get(scales), ...f32Load, ...total, ...get(offset), ...i32Sub, ...f32OfWhole, ...f32Multiply];
  const eachRow = [
    ...[...get(rows), ...i32Eqz, op.if, noResult, op.return, op.end],
    ...[...vectorOf(0), ...set(sum), ...constant(0), ...set(at)],
    ...[op.loop, noResult, ...numbersLoop(), op.end],
    ...[...get(results), ...result, ...f32Store],
    ...[results, scales].flatMap((address) => [...get(address), ...constant(4), ...i32Add, ...set(address)]),
    ...[...get(matrix), ...get(stride), ...i32Add, ...set(matrix)],
    ...[...get(rows), ...constant(1), ...i32Sub, ...set(rows), op.br, 0],
  ];
  return [...vectorOf(15), ...set(lower), op.loop, noResult, ...eachRow, op.end];
}

function numbersLoop(): readonly number[] {
  const queryAddress = [...get(query), ...get(at), ...constant(1), ...i32Shl, ...i32Add];
  const numbers = [0, 1, 2, 3].flatMap((part) => [
    ...[...get(matrix), ...get(at), ...i32Add, ...loadVector(16 * part), ...set(row), ...get(pairs)],
    ...[...queryAddress, ...loadVector(32 * part), ...get(row), ...get(lower), ...both, ...dotPairs, ...addPairs],
    ...[...queryAddress, ...loadVector(32 * part + 16), ...get(row), ...constant(4), ...shiftPairs, ...get(lower)],
    ...[...both, ...dotPairs, ...addPairs, ...set(pairs)],
  ]);
  return [
    ...[...vectorOf(0), ...set(pairs), ...numbers],
    ...[...get(sum), ...get(pairs), ...widenPairs, ...addLanes, ...set(sum)],
    ...[...get(at), ...constant(64), ...i32Add, ...tee(at), ...get(stride), ...i32LessUnsigned, op.brIf, 0],
  ];
}

function get(local: number): readonly number[] {
  return [0x20, local];
}

function set(local: number): readonly number[] {
  return [0x21, local];
}

function tee(local: number): readonly number[] {
  return [0x22, local];
}

/** @param value 0 to 8191: one or two bytes of signed LEB128 */
function constant(value: number): readonly number[] {
  return value < 0x40 ? [0x41, value] : [0x41, (value & 0x7f) | 0x80, value >> 7];
}

function simd(code: number): readonly number[] {
  return [0xfd, ...unsigned(code)];
}

/** Sixteen times the same byte. */
function vectorOf(byte: number): readonly number[] {
  return [...simd(12), ...Array.from({ length: 16 }, () => byte)];
}

/** Of any alignment. */
function loadVector(further: number): readonly number[] {
  return [...simd(0), 0, ...unsigned(further)];
}

function extractLane(lane: number): readonly number[] {
  return [...simd(27), lane];
}

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...unsigned(content.length), ...content];
}

function vector(...items: readonly (readonly number[])[]): readonly number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function name(text: string): readonly number[] {
  return [...unsigned(text.length), ...new TextEncoder().encode(text)];
}

/** Unsigned LEB128. */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
