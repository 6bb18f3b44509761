import type { JsonObject } from '../value/json.ts';
import type { DataRow } from './data-row.ts';

/** Beyond it, lines are so far apart that a bit for each would be wasted. */
const maxBits = 2 ** 27;

/**
 * The lines of the rows of a dataset, in its order: a row that carries `line_number` has that line, another its place. No two rows
 * have the same one: where a line is taken already, the row is given one that is free, and told to be in the way.
 */
export class RowLines {
  #bits = new Uint8Array(1024);
  readonly #others = new Set<number>();
  /** All lines before it are taken. */
  #firstFree = 0;

  /** @returns `wanted`: the line it would have, where that is another row's */
  add(row: DataRow): { readonly line: number; readonly wanted?: number } {
    const wanted = wantedLine(row);
    const isFree = !this.#has(wanted);
    const line = isFree ? wanted : this.#free(row.line);
    this.#take(line);
    return isFree ? { line } : { line, wanted };
  }

  #free(place: number): number {
    if (!this.#has(place)) return place;
    while (this.#has(this.#firstFree)) this.#firstFree += 1;
    return this.#firstFree;
  }

  #has(line: number): boolean {
    if (line >= maxBits) return this.#others.has(line);
    return (((this.#bits[line >> 3] ?? 0) >> (line & 7)) & 1) === 1;
  }

  #take(line: number): void {
    if (line >= maxBits) {
      this.#others.add(line);
      return;
    }
    const byte = line >> 3;
    if (byte >= this.#bits.length) {
      const more = new Uint8Array(2 ** Math.ceil(Math.log2(byte + 1)));
      more.set(this.#bits);
      this.#bits = more;
    }
    this.#bits[byte] = (this.#bits[byte] as number) | (1 << (line & 7));
  }
}

function wantedLine(row: DataRow): number {
  return ('values' in row ? ownLine(row.values) : undefined) ?? row.line;
}

/** The line that a row carries as `line_number`; a number of CSV is a text. Undefined where it carries none. */
export function ownLine({ line_number: given }: JsonObject): number | undefined {
  const line = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
  return typeof line === 'number' && Number.isSafeInteger(line) && line >= 0 ? line : undefined;
}
