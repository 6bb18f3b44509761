/**
 * How rows of 8-bit numbers are told in half or a quarter of the bits. Two bits a number where numbers spread about normally, as
 * those of embedding services do: every dimension has the four levels that come closest to a sample. Four bits where most
 * numbers are 0 (the offline embedder's), since then a few large ones make all the difference: fifteen even steps.
 */
export interface ShortCodes {
  readonly dimensions: number;
  readonly bits: 2 | 4;
  /** Codes of a row: a code tells two numbers of two bits, or one of four. Even. */
  readonly places: number;
  /** `[dimensions][2 ** bits]`: what stands for a number. Ascending. */
  readonly levels: Float32Array;
  /** `[dimensions]` */
  readonly means: Float32Array;
  /** `[dimensions]`: mean square of what is lost, in a row whose levels are drawn apart by its scale (`encodeRow`). */
  readonly losses: Float32Array;
}

/**
 * @param sample `[any][dimensions]`, at least one row of whole numbers from -127 to 127
 *
 * Lloyd, Least squares quantization in PCM (1982).
 */
export function fitShortCodes(sample: Float32Array, dimensions: number): ShortCodes {
  const bits = isMostlyZero(sample) ? 4 : 2;
  const count = sample.length / dimensions;
  const codes: ShortCodes = {
    dimensions,
    bits,
    places: Math.ceil((dimensions * bits) / 8) * 2,
    levels: new Float32Array(dimensions * 2 ** bits),
    means: new Float32Array(dimensions),
    losses: new Float32Array(dimensions),
  };
  const values = new Float32Array(count);
  for (let dimension = 0; dimension < dimensions; dimension += 1) {
    for (let row = 0; row < count; row += 1) values[row] = sample[row * dimensions + dimension] as number;
    codes.levels.set(bits === 4 ? evenLevels : bestLevels(values), dimension * 2 ** bits);
    codes.means[dimension] = values.reduce((sum, value) => sum + value, 0) / count;
  }
  for (let row = 0; row < count; row += 1)
    addLosses(sample.subarray(row * dimensions, (row + 1) * dimensions), codes, count);
  return codes;
}

function isMostlyZero(sample: Float32Array): boolean {
  let zeros = 0;
  for (const value of sample) if (value === 0) zeros += 1;
  return zeros > sample.length / 2;
}

/** The first is never used: as many steps above 0 as below. */
const evenLevels = Array.from({ length: 16 }, (_, level) => ((level - 8) * 127) / 7);

type Levels = readonly [number, number, number, number];
/** More change the levels by less than their numbers are apart. */
const rounds = 8;

function bestLevels(values: Float32Array): Levels {
  let levels = normalLevels(values);
  for (let round = 0; round < rounds; round += 1) levels = meansOf(values, levels);
  return levels;
}

/** The best ones for numbers that spread normally (Max, Quantizing for minimum distortion, 1960). */
function normalLevels(values: Float32Array): Levels {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  const deviation = Math.sqrt(Math.max(0, squares / values.length - mean * mean));
  return [mean - 1.51 * deviation, mean - 0.453 * deviation, mean + 0.453 * deviation, mean + 1.51 * deviation];
}

/** A level to which no number belongs stays. */
function meansOf(values: Float32Array, levels: Levels): Levels {
  const sums: [number, number, number, number] = [0, 0, 0, 0];
  const counts: [number, number, number, number] = [0, 0, 0, 0];
  for (const value of values) {
    const level = levelOf(value, levels, 0);
    sums[level] += value;
    counts[level] += 1;
  }
  const mean = (level: 0 | 1 | 2 | 3): number => (counts[level] === 0 ? levels[level] : sums[level] / counts[level]);
  return [mean(0), mean(1), mean(2), mean(3)];
}

/** The nearest of the four levels from `from` on. */
function levelOf(value: number, levels: ArrayLike<number>, from: number): 0 | 1 | 2 | 3 {
  const twice = 2 * value;
  const [second, third] = [levels[from + 1] as number, levels[from + 2] as number];
  if (twice > second + third) return twice > third + (levels[from + 3] as number) ? 3 : 2;
  return twice > (levels[from] as number) + second ? 1 : 0;
}

function addLosses(row: Float32Array, codes: ShortCodes, count: number): void {
  const { levels, means, losses, bits } = codes;
  const scale = encodeRow(row, codes, new Uint8Array(codes.places));
  for (let at = 0; at < row.length; at += 1) {
    const [value, mean] = [row[at] as number, means[at] as number];
    const level = levels[at * 2 ** bits + levelIn(value, at, codes)] as number;
    losses[at] = (losses[at] as number) + (value - mean - scale * (level - mean)) ** 2 / count;
  }
}

function levelIn(value: number, dimension: number, { bits, levels }: ShortCodes): number {
  return bits === 4 ? Math.round((value * 7) / 127) + 8 : levelOf(value, levels, 4 * dimension);
}

/**
 * @param row `[dimensions]` whole numbers from -127 to 127
 * @param into `[places]`: becomes the codes of the row, 0 to 15
 * @returns by how much its levels are to be drawn apart from the means, so that its product with itself is right: a level
 *   is nearer to the mean than what it stands for
 */
export function encodeRow(row: Float32Array, codes: ShortCodes, into: Uint8Array): number {
  const { levels, means, bits } = codes;
  let own = 0;
  let given = 0;
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at] as number;
    const mean = means[at] as number;
    const level = bits === 4 ? Math.round((value * 7) / 127) + 8 : levelOf(value, levels, 4 * at);
    if (bits === 4) into[at] = level;
    else into[at >> 1] = (at & 1) === 0 ? level : (into[at >> 1] as number) | (level << 2);
    own += (value - mean) * (value - mean);
    given += (value - mean) * ((levels[(at << bits) + level] as number) - mean);
  }
  return given * maxApart > own ? own / given : maxApart;
}

/** Of a row that is told by its levels at all. */
const maxApart = 4;

/** Products of a query with all that a code may tell, as small whole numbers. */
export interface LookUpTables {
  /** `[places][16]`, 0 to 127. */
  readonly tables: Uint8Array;
  /** What is added to the sum of what was looked up before the scale of the row draws it apart. */
  readonly start: number;
  /** What is added after that. */
  readonly middle: number;
  /** The product of the query with the row is about the sum through this. */
  readonly unit: number;
  /** How far off that is: one deviation. */
  readonly deviation: number;
}

/** @param query `[dimensions]` */
export function lookUpTables(query: Float32Array, codes: ShortCodes): LookUpTables {
  const { places, means, losses, dimensions } = codes;
  const products = codes.bits === 4 ? productsOfOne(query, codes) : productsOfTwo(query, codes);
  const { least, widest, sum } = rangesOf(products, places);
  let middle = 0;
  let loss = 0;
  for (let at = 0; at < dimensions; at += 1) {
    const number = query[at] as number;
    middle += number * (means[at] as number);
    loss += number * number * (losses[at] as number);
  }
  const unit = widest === 0 ? 1 : 127 / widest;
  const tables = new Uint8Array(16 * places);
  for (let at = 0; at < tables.length; at += 1)
    tables[at] = ((products[at] as number) - (least[at >> 4] as number)) * unit + 0.5;
  const rounding = places / (12 * unit * unit);
  const start = (sum - middle) * unit;
  return { tables, start, middle: middle * unit, unit, deviation: Math.sqrt(loss + rounding) };
}

/** `[places][16]` */
function productsOfOne(query: Float32Array, { levels, places, dimensions }: ShortCodes): Float32Array {
  const products = new Float32Array(16 * places);
  for (let at = 0; at < 16 * dimensions; at += 1) products[at] = (query[at >> 4] as number) * (levels[at] as number);
  return products;
}

/** `[places][16]` */
function productsOfTwo(query: Float32Array, { levels, places, dimensions }: ShortCodes): Float32Array {
  const single = new Float32Array(8 * places);
  for (let at = 0; at < 4 * dimensions; at += 1) single[at] = (query[at >> 2] as number) * (levels[at] as number);
  const products = new Float32Array(16 * places);
  for (let at = 0; at < products.length; at += 1) {
    const from = (at >> 4) * 8;
    products[at] = (single[from + (at & 3)] as number) + (single[from + 4 + ((at >> 2) & 3)] as number);
  }
  return products;
}

interface Ranges {
  /** `[places]` */
  readonly least: Float32Array;
  readonly widest: number;
  /** Of the least ones. */
  readonly sum: number;
}

function rangesOf(products: Float32Array, places: number): Ranges {
  const least = new Float32Array(places);
  let widest = 0;
  let sum = 0;
  for (let place = 0; place < places; place += 1) {
    let smallest = Number.POSITIVE_INFINITY;
    let largest = Number.NEGATIVE_INFINITY;
    for (let at = 16 * place; at < 16 * place + 16; at += 1) {
      const product = products[at] as number;
      if (product < smallest) smallest = product;
      if (product > largest) largest = product;
    }
    least[place] = smallest;
    widest = Math.max(widest, largest - smallest);
    sum += smallest;
  }
  return { least, widest, sum };
}
