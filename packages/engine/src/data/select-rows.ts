import type { DataRow } from './data-row.ts';

/** Line numbers a text like `0-9,15` names, both ends included; undefined for one that cannot be read. */
export function parseLines(text: string): ((line: number) => boolean) | undefined {
  const ranges = text.split(',').map((part) => /^\s*(\d+)\s*(?:(-)\s*(\d+)?)?\s*$/.exec(part));
  if (ranges.some((range) => range === null)) return undefined;
  const bounds = ranges.map((range) => {
    const from = Number(range?.[1]);
    const to = range?.[2] === undefined ? from : Number(range[3] ?? Number.POSITIVE_INFINITY);
    return [from, to] as const;
  });
  return (line) => bounds.some(([from, to]) => line >= from && line <= to);
}

/** Only the rows a choice takes. */
export async function* pickRows(
  rows: AsyncIterable<DataRow>,
  isTaken: (line: number) => boolean,
): AsyncGenerator<DataRow, void> {
  for await (const row of rows) {
    if (isTaken(row.line)) yield row;
  }
}

/**
 * `size` rows drawn at random, in their own order; the same seed draws the same rows of the same data. Reservoir
 * sampling (Vitter's algorithm R) over a mulberry32 stream.
 */
export async function sampleRows(
  rows: AsyncIterable<DataRow>,
  size: number,
  seed: number,
): Promise<readonly DataRow[]> {
  const random = mulberry32(seed);
  const kept: DataRow[] = [];
  let seen = 0;
  for await (const row of rows) {
    seen += 1;
    if (kept.length < size) kept.push(row);
    else {
      const at = Math.floor(random() * seen);
      if (at < size) kept[at] = row;
    }
  }
  return kept.sort((one, other) => one.line - other.line);
}

/** Tommy Ettinger's mulberry32: a number from 0 up to 1 at each call. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
