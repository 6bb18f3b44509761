import type { DatabaseSync } from 'node:sqlite';
import { aggregationPairs, nameOf } from './aggregation-pairs.ts';
import {
  type ComparedNodes,
  compareRowDigests,
  inputsAreSame,
  type PlacesById,
  samePair,
} from './compare-row-digests.ts';
import { DigestDamage } from './digest-damage.ts';
import { type DigestTables, differingInputs, pairByContent, pairByKey, unpairedRows } from './pair-rows.ts';
import { rowOfNumber } from './row-digests.ts';
import { RowPatterns } from './row-patterns.ts';
import { countRows, placeOf } from './row-places.ts';
import type { KeyedRow, NodeAlignment, RowPair, RowPairId, RunComparison } from './run-comparison.ts';
import { type OnDamage, runFileError } from './run-file-error.ts';
import type { RunReader } from './run-reader.ts';
import { openForReading } from './sqlite-driver.ts';
import { NodeNames } from './stored-ends.ts';

export interface RunFile {
  readonly path: string;
  /** The same file, open. */
  readonly store: RunReader;
  /** Told of rows that are left out since they are damaged; without it damage is thrown. */
  readonly onDamage?: OnDamage | undefined;
}

export interface CompareRunFilesOptions {
  /** The nodes to compare, in the order in which they are told. */
  readonly aligned: readonly NodeAlignment[];
  /** What every row is known by, each key once a repetition; without them rows are paired by what went into them, then by line. */
  readonly keys?: { readonly left: Iterable<KeyedRow>; readonly right: Iterable<KeyedRow> } | undefined;
}

/** Compares two record files by the digests of their rows alone. */
export async function compareRunFiles(
  left: RunFile,
  right: RunFile,
  options: CompareRunFilesOptions,
): Promise<RunComparison> {
  const database = openForReading(left.path);
  try {
    return await compareIn(database, left, right, options);
  } catch (error) {
    database.close();
    // Which of the two it is SQLite does not say.
    throw runFileError('read', `${left.path} or ${right.path}`, error);
  }
}

async function compareIn(
  database: DatabaseSync,
  left: RunFile,
  right: RunFile,
  { aligned, keys }: CompareRunFilesOptions,
): Promise<RunComparison> {
  database.prepare('ATTACH ? AS other').run(right.path);
  database.exec('BEGIN');
  const tables = { left: 'main.row_digests', right: 'other.row_digests' };
  const damage = {
    left: new DigestDamage(database, left.path, 'main', left.onDamage),
    right: new DigestDamage(database, right.path, 'other', right.onDamage),
  };
  const counts = { left: countRows(database, tables.left), right: countRows(database, tables.right) };
  const aggregation = await aggregationPairs(aligned, { left: left.store, right: right.store }, damage);
  const names = {
    left: new NodeNames(database, left.path, 'main.nodes'),
    right: new NodeNames(database, right.path, 'other.nodes'),
  };
  const compared = await compareRows(database, {
    tables,
    keys,
    damage,
    stores: { left: left.store, right: right.store },
    ...nodesOf(names, aligned, new Set(aggregation.map(({ node }) => node))),
  });
  const paired = compared.pairs.length;
  const only = { left: counts.left - paired, right: counts.right - paired };
  for (const side of ['left', 'right'] as const) if (only[side] > 0) damage[side].lookAtAll();
  return {
    pairedBy: compared.by,
    left: counts.left,
    right: counts.right,
    onlyLeft: only.left - compared.unreadable,
    onlyRight: only.right - compared.unreadable,
    patterns: compared.patterns.read(),
    aggregation,
    pairs: (patterns, limit) => firstPairs(compared.pairs, new Set(patterns), limit),
    unpaired: (side, limit) => {
      // To look for them takes as long as the comparison.
      if (only[side] === 0) return [];
      return unpairedRows(database, tables, { side, limit, isInPlace: compared.isInPlace }).map(rowOfNumber);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/** The first pairs of these patterns. */
function firstPairs(
  pairs: readonly ComparedPair[],
  patterns: ReadonlySet<number>,
  limit: number,
): readonly RowPairId[] {
  const found = pairs.filter(({ pattern }) => patterns.has(pattern)).slice(0, limit);
  return found.map(({ left, right, pattern }) => ({ pattern, left: rowOfNumber(left), right: rowOfNumber(right) }));
}

/** Names of the nodes to compare, and which place in their list belongs to which id of either file. */
function nodesOf(
  files: { readonly left: NodeNames; readonly right: NodeNames },
  aligned: readonly NodeAlignment[],
  leftOut: ReadonlySet<string>,
): ComparedNodes {
  const compared = aligned.filter((pair) => !leftOut.has(nameOf(pair)));
  const idsOf = (file: NodeNames, name: (pair: NodeAlignment) => string | undefined): PlacesById => {
    const places = new Map(compared.map((pair, place) => [name(pair), place]));
    return new Map(
      [...file.all()].flatMap(([id, { name: of }]) => {
        const place = places.get(of);
        return place === undefined ? [] : [[id, place]];
      }),
    );
  };
  return {
    names: compared.map(nameOf),
    ids: { left: idsOf(files.left, ({ left }) => left), right: idsOf(files.right, ({ right }) => right) },
  };
}

interface CompareRows extends ComparedNodes {
  readonly tables: DigestTables;
  readonly keys: CompareRunFilesOptions['keys'];
  readonly stores: { readonly left: RunReader; readonly right: RunReader };
  readonly damage: { readonly left: DigestDamage; readonly right: DigestDamage };
}

/** Two rows by their numbers, and the id of their pattern. */
interface ComparedPair {
  readonly left: number;
  readonly right: number;
  readonly pattern: number;
}

interface ComparedRows {
  readonly by: RunComparison['pairedBy'];
  /** Every row of the left run is paired with the one at its own place. */
  readonly isInPlace: boolean;
  readonly patterns: RowPatterns;
  /** In the order of the left run. */
  readonly pairs: readonly ComparedPair[];
  /** Pairs that were left out, since a row of them is damaged. */
  readonly unreadable: number;
}

/** Where runs have the same rows at the same places, as they mostly have, no pairs need to be looked for. */
async function compareRows(database: DatabaseSync, request: CompareRows): Promise<ComparedRows> {
  const { tables, keys } = request;
  if (keys === undefined) {
    const inPlace = `${tables.left} l LEFT JOIN ${tables.right} r ON r.row = l.row`;
    const compared = await comparePairs(database, inPlace, request, true);
    if (compared !== undefined) return { by: 'line', isInPlace: true, ...compared };
  }
  const by = keys === undefined ? pairByContent(database, tables) : pairByKey(database, tables, keys);
  const paired = `temp.pairs p CROSS JOIN ${tables.left} l ON l.row = p.left_row CROSS JOIN ${tables.right} r ON r.row = p.right_row`;
  const compared = await comparePairs(database, paired, request, false);
  if (compared === undefined) throw new Error('bug: pairs without a row');
  return { by, isInPlace: false, ...compared };
}

type Digits = readonly [
  ...[leftRow: number, rightRow: number | null, left: string, right: string | null],
  ...[leftChecksum: number, rightChecksum: number],
];

/**
 * Goes through pairs of rows, of which those with the same digests are told by their status alone.
 *
 * @param onlySame gives up, and returns undefined, where a row has no partner or got something else
 */
async function comparePairs(
  database: DatabaseSync,
  paired: string,
  request: CompareRows,
  onlySame: boolean,
): Promise<Pick<ComparedRows, 'patterns' | 'pairs' | 'unreadable'> | undefined> {
  const { ids, stores, damage } = request;
  const patterns = new RowPatterns();
  const pairs: ComparedPair[] = [];
  const add = (left: number, right: number, pair: RowPair): void => {
    pairs.push({ left, right, pattern: patterns.count(pair) });
  };
  let unreadable = 0;
  // What is the same on both sides, checksums too, is what was written.
  const isSame = areAlike(ids) ? 'l.digests = r.digests AND l.checksum = r.checksum' : 'FALSE';
  const select = database.prepare(`SELECT l.row, r.row,
      iif(${isSame}, hex(substr(l.digests, 1, 1)), lower(hex(l.digests))), iif(${isSame}, NULL, lower(hex(r.digests))),
      l.checksum, r.checksum
    FROM ${paired} ORDER BY l.row`);
  select.setReturnArrays(true);
  for (const columns of select.iterate() as Iterable<unknown> as Iterable<Digits>) {
    const [leftRow, rightRow, left, right] = columns;
    if (rightRow === null) return undefined;
    if (right === null) {
      add(leftRow, rightRow, samePair(Number(left)));
      continue;
    }
    if (onlySame && !inputsAreSame(left, right)) return undefined;
    const inputs = await inputsThatDiffer(columns, stores, damage);
    if (inputs === undefined) unreadable += 1;
    else add(leftRow, rightRow, compareRowDigests(left, right, request, inputs));
  }
  return { patterns, pairs, unreadable };
}

/** Both are looked at, so that both are told. */
function arePairSound([leftRow, rightRow, left, right, one, other]: Digits, damage: CompareRows['damage']): boolean {
  const isLeftSound = damage.left.isSound(leftRow, left, one);
  const isRightSound = damage.right.isSound(rightRow ?? 0, right ?? '', other);
  return isLeftSound && isRightSound;
}

const noInputs: readonly string[] = [];

/** Names of the inputs that differ; undefined where a row is damaged, which is told. */
async function inputsThatDiffer(
  columns: Digits,
  stores: CompareRows['stores'],
  damage: CompareRows['damage'],
): Promise<readonly string[] | undefined> {
  const [leftRow, rightRow, left, right] = columns;
  if (!arePairSound(columns, damage)) return undefined;
  if (inputsAreSame(left, right ?? '')) return noInputs;
  const one = await damage.left.orReported(() => stores.left.row(...placeOf(leftRow)));
  const other = await damage.right.orReported(() => stores.right.row(...placeOf(rightRow ?? 0)));
  return one === undefined || other === undefined ? undefined : differingInputs(one, other);
}

/** Whether the same id is the same node in both files, so that equal digests are of equal nodes. */
function areAlike({ left, right }: ComparedNodes['ids']): boolean {
  return [...left].every(([id, place]) => (right.get(id) ?? place) === place);
}
