import { blockRows, laneRow, maxPlaces } from './vector-kernel.ts';

/** Addresses in the memory of the kernel, each of them a multiple of 16. */
export interface Layout {
  readonly blocks: number;
  /** Codes of a row. */
  readonly places: number;
  /** Of a row of 8-bit numbers, filled up to a multiple of 16. */
  readonly stride: number;
  /** `[rows][stride]` 8-bit numbers. */
  readonly small: number;
  /** `[blocks][places][16]` codes, the first 512 places of all blocks first. */
  readonly codes: number;
  readonly tables: number;
  readonly query: number;
  /** `[blocks][32]`, as are the two that follow. */
  readonly sums: number;
  readonly scales: number;
  readonly biases: number;
  readonly smallScales: number;
  readonly middle: number;
  readonly maxima: number;
  readonly chosen: number;
  readonly results: number;
  readonly end: number;
}

export function layOut(rows: number, dimensions: number, places: number): Layout {
  const blocks = Math.ceil(rows / blockRows);
  const stride = Math.ceil(dimensions / 16) * 16;
  const sizes = {
    small: blocks * blockRows * stride,
    codes: blocks * places * 16,
    tables: places * 16,
    query: stride * 2,
    sums: blocks * blockRows * 4,
    scales: blocks * blockRows * 4,
    biases: blocks * blockRows * 4,
    smallScales: blocks * blockRows * 4,
    middle: 16,
    maxima: blocks * 4,
    chosen: blocks * blockRows * 4,
    results: blocks * blockRows * 4,
  };
  let end = 0;
  const addresses = Object.entries(sizes).map(([name, size]) => {
    const address = end;
    end += Math.ceil(size / 16) * 16;
    return [name, address] as const;
  });
  return { blocks, places, stride, end, ...(Object.fromEntries(addresses) as Record<keyof typeof sizes, number>) };
}

export function arraysIn(buffer: ArrayBuffer, layout: Layout) {
  const rows = layout.blocks * blockRows;
  return {
    bytes: new Uint8Array(buffer),
    small: new Int8Array(buffer, layout.small, rows * layout.stride),
    query: new Int16Array(buffer, layout.query, layout.stride),
    sums: new Float32Array(buffer, layout.sums, rows),
    scales: new Float32Array(buffer, layout.scales, rows),
    biases: new Float32Array(buffer, layout.biases, rows),
    smallScales: new Float32Array(buffer, layout.smallScales, rows),
    middle: new Float32Array(buffer, layout.middle, 4),
    maxima: new Float32Array(buffer, layout.maxima, layout.blocks),
    chosen: new Int32Array(buffer, layout.chosen, rows),
    results: new Float32Array(buffer, layout.results, rows),
  };
}

export type Arrays = ReturnType<typeof arraysIn>;

/** The byte that holds a code of a row. */
export function placeOf({ codes, blocks, places }: Layout, row: number, place: number): number {
  const chunk = Math.floor(place / maxPlaces);
  const inChunk = Math.min(maxPlaces, places - chunk * maxPlaces);
  const block = row >> 5;
  const from = codes + chunk * maxPlaces * 16 * blocks + block * inChunk * 16;
  return from + (place - chunk * maxPlaces) * 16 + (laneOf[row & 15] as number);
}

/** The byte of sixteen that a row has. */
const laneOf = Uint8Array.from({ length: 16 }, (_, row) =>
  Array.from({ length: 16 }, (_, lane) => lane).findIndex((lane) => laneRow(lane) === row),
);
