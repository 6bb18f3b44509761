/**
 * Writes modules in the binary format of WebAssembly 3.0 (W3C), instruction by instruction: what the kernels of the vector
 * search need and no more. A piece of code is its bytes; operands stand before their operator.
 */
export type Code = readonly number[];

/** The types of Node tell the names only. */
interface WebAssemblyObject {
  readonly Memory: new (limits: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export type WasmModule = object;

const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyObject }).WebAssembly;

const types = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
type ValueType = keyof typeof types;

export interface WasmFunction {
  readonly name: string;
  /** Numbered from 0; all of them 32-bit integers. */
  readonly parameters: number;
  /** Numbered on from the parameters. */
  readonly locals: readonly ValueType[];
  readonly body: Code;
}

/** Functions without results that work on one imported memory. */
export function compileModule(functions: readonly WasmFunction[]): WasmModule {
  const signatures = functions.map(({ parameters }) => [
    0x60,
    ...vector(Array.from({ length: parameters }, () => [types.i32])),
    ...vector([]),
  ]);
  const exported = functions.map(({ name }, at) => [...text(name), 0x00, ...unsigned(at)]);
  const bodies = functions.map(({ locals, body }) => {
    const code = [...vector(locals.map((type) => [1, types[type]])), ...body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return new webAssembly.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, vector(signatures)),
      ...section(2, vector([[...text('e'), ...text('m'), 0x02, 0x00, ...unsigned(1)]])),
      ...section(3, vector(functions.map((_, at) => unsigned(at)))),
      ...section(7, vector(exported)),
      ...section(10, vector(bodies)),
    ]),
  );
}

/** @param bytes of memory; at most 4 GiB */
export function startModule(
  module: WasmModule,
  bytes: number,
): { readonly memory: WasmMemory; readonly exports: Readonly<Record<string, unknown>> } {
  const memory = new webAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / 65_536)) });
  return { memory, exports: new webAssembly.Instance(module, { e: { m: memory } }).exports };
}

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const zeros: Code = [0xfd, ...unsigned(12), ...Array.from({ length: 16 }, () => 0)];

/** The body, again and again while `condition` holds after it; at least once. */
export const repeat = (body: Code, condition: Code): Code => [
  ...[0x03, 0x40, ...body, ...condition],
  ...[0x0d, 0x00, 0x0b],
];
export const when = (condition: Code, body: Code): Code => [...condition, 0x04, 0x40, ...body, 0x0b];
/** Adds to a local what is known beforehand. */
export const advance = (local: number, by: number): Code => set(local, i32.add(get(local), constant(by)));

const plain =
  (code: number) =>
  (...operands: readonly Code[]): Code => [...operands.flat(), code];

const simd =
  (code: number) =>
  (...operands: readonly Code[]): Code => [...operands.flat(), 0xfd, ...unsigned(code)];

/** Reads or writes memory; `further` is added to the address. Of any alignment. */
const memorySimd =
  (code: number) =>
  (further: number, ...operands: readonly Code[]): Code => [
    ...operands.flat(),
    ...[0xfd, ...unsigned(code), 0, ...unsigned(further)],
  ];

export const i32 = {
  add: plain(0x6a),
  multiply: plain(0x6c),
  shiftLeft: plain(0x74),
  isZero: plain(0x45),
  isLess: plain(0x49),
  load: (further: number, address: Code): Code => [...address, 0x28, 2, ...unsigned(further)],
} as const;

export const f32 = {
  load: (further: number, address: Code): Code => [...address, 0x2a, 2, ...unsigned(further)],
  store: (further: number, address: Code, value: Code): Code => [...address, ...value, 0x38, 2, ...unsigned(further)],
  multiply: plain(0x94),
  max: plain(0x97),
  ofWhole: plain(0xb2),
} as const;

export const v128 = {
  load: memorySimd(0),
  store: memorySimd(11),
  /** Eight signed bytes as eight 16-bit numbers. */
  loadWidened: memorySimd(1),
  and: simd(0x4e),
  ofBytes: (byte: number): Code => [0xfd, ...unsigned(12), ...Array.from({ length: 16 }, () => byte)],
} as const;

export const i8x16 = { add: simd(0x6e), look: simd(0x100) } as const;
export const i16x8 = {
  add: simd(0x8e),
  subtract: simd(0x91),
  shiftLeft: simd(0x8b),
  shiftRight: simd(0x8d),
} as const;
export const i32x4 = {
  add: simd(0xae),
  /** Products of 16-bit numbers, neighbours added. */
  dot: simd(0xba),
  lowerOf: simd(0xa9),
  upperOf: simd(0xaa),
  lane: (lane: number, of: Code): Code => [...of, 0xfd, ...unsigned(27), lane],
} as const;
export const f32x4 = {
  add: simd(0xe4),
  multiply: simd(0xe6),
  max: simd(0xe9),
  ofWhole: simd(0xfb),
  lane: (lane: number, of: Code): Code => [...of, 0xfd, ...unsigned(31), lane],
} as const;

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(name: string): Code {
  return [...unsigned(name.length), ...new TextEncoder().encode(name)];
}

/** Unsigned LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128. */
function signed(value: number): Code {
  const last = value >= -64 && value < 64;
  return last ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
