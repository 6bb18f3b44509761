import type { Baseline } from '../baseline/baseline.ts';

/** Rows of two results set side by side. */
export interface PairedRows {
  readonly pairedBy: 'key' | 'line';
  /** Places of a row in the columns of either. */
  readonly pairs: readonly RowPlaces[];
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}

export interface RowPlaces {
  readonly before: number;
  readonly after: number;
  /** Of the later result. */
  readonly line: number;
}

/** Pairs rows by their key where both results have the same one, else by line. A key that is there twice pairs its first row. */
export function pairRows(before: Baseline, after: Baseline): PairedRows {
  const isKeyed = before.keys !== undefined && before.keys.name === after.keys?.name;
  const [befores, afters] = [rowNames(before, isKeyed), rowNames(after, isKeyed)];
  const pairs: RowPlaces[] = [];
  for (const [name, place] of afters) {
    const partner = befores.get(name);
    if (partner !== undefined) pairs.push({ before: partner, after: place, line: after.lines[place] ?? 0 });
  }
  return {
    pairedBy: isKeyed ? 'key' : 'line',
    pairs,
    onlyBefore: before.lines.length - pairs.length,
    onlyAfter: after.lines.length - pairs.length,
  };
}

function rowNames({ keys, lines }: Baseline, isKeyed: boolean): ReadonlyMap<string | number, number> {
  const names = isKeyed && keys !== undefined ? keys.values : lines;
  const places = new Map<string | number, number>();
  for (const [place, name] of names.entries()) if (!places.has(name)) places.set(name, place);
  return places;
}
