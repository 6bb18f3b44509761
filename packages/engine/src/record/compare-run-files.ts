import type { DatabaseSync } from 'node:sqlite';
import { inputsAreSame, type PlacesById, RowDigestComparer } from './compare-row-digests.ts';
import { fillRowDigests } from './fill-row-digests.ts';
import { type DigestTables, differingInputs, pairByContent, pairByKey, unpairedRows } from './pair-rows.ts';
import { recordDigest } from './record-digest.ts';
import { rowOfNumber } from './row-digests.ts';
import { nodePair, RowPatterns } from './row-patterns.ts';
import type { KeyedRow, NodeAlignment, NodePair, RowPairId, RunComparison } from './run-comparison.ts';
import { firstWithRowDigests } from './run-file-schema.ts';
import type { RunStore } from './run-store.ts';
import { openForReading } from './sqlite-driver.ts';
import { type RunFile, withSegments } from './with-segments.ts';

export interface CompareRunFilesOptions {
  /** The nodes to compare, in the order in which they are told. */
  readonly aligned: readonly NodeAlignment[];
  /** What every row is known by, each key once a repetition; without them rows are paired by what went into them, then by line. */
  readonly keys?: { readonly left: Iterable<KeyedRow>; readonly right: Iterable<KeyedRow> } | undefined;
}

/** Compares two record files by the digests of their rows alone: 20 bytes a pair are held in memory. */
export function compareRunFiles(
  left: RunFile,
  right: RunFile,
  { aligned, keys }: CompareRunFilesOptions,
): RunComparison {
  const [one, other] = [withSegments(left), withSegments(right)];
  const database = openForReading(one.path);
  database.prepare('ATTACH ? AS other').run(other.path);
  database.exec('BEGIN');
  const tables = { left: digestTable(database, 'main'), right: digestTable(database, 'other') };
  const counts = { left: countRows(database, 'main.row_ends'), right: countRows(database, 'other.row_ends') };
  const aggregation = aggregationPairs(aligned, left.store, right.store);
  const compared = compareRows(database, {
    ...{ tables, keys, rows: counts.left, stores: { left: left.store, right: right.store } },
    ...nodesOf(database, aligned, new Set(aggregation.map(({ node }) => node))),
  });
  const only = { left: counts.left - compared.pairs.count, right: counts.right - compared.pairs.count };
  return {
    pairedBy: compared.by,
    left: counts.left,
    right: counts.right,
    onlyLeft: only.left,
    onlyRight: only.right,
    patterns: compared.patterns.read(),
    aggregation,
    pairs: (patterns, limit) => compared.pairs.find(new Set(patterns), limit),
    unpaired: (side, limit) => {
      // To look for them takes as long as the comparison.
      if (only[side] === 0) return [];
      return unpairedRows(database, tables, { side, limit, isInPlace: compared.isInPlace }).map(rowOfNumber);
    },
    [Symbol.dispose]: () => {
      database.close();
      one.dispose();
      other.dispose();
    },
  };
}

function nameOf({ left, right }: NodeAlignment): string {
  return right ?? left ?? '';
}

/** Name of the table with a file's digests; in a file of format 4 they are gathered first, which takes a while. */
function digestTable(database: DatabaseSync, schema: 'main' | 'other'): string {
  const { user_version: version } = database.prepare(`PRAGMA ${schema}.user_version`).get() as { user_version: number };
  if (version >= firstWithRowDigests) return `${schema}.row_digests`;
  const into = `temp.${schema}_digests`;
  database.exec(`CREATE TEMP TABLE ${schema}_digests (row INTEGER PRIMARY KEY, digests BLOB NOT NULL) STRICT`);
  fillRowDigests(database, { from: schema, into });
  return into;
}

function countRows(database: DatabaseSync, table: string): number {
  return (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
}

interface ComparedNodes {
  readonly names: readonly string[];
  readonly ids: { readonly left: PlacesById; readonly right: PlacesById };
}

/** Names of the nodes to compare, and which place in their list belongs to which id of either file. */
function nodesOf(
  database: DatabaseSync,
  aligned: readonly NodeAlignment[],
  leftOut: ReadonlySet<string>,
): ComparedNodes {
  const compared = aligned.filter((pair) => !leftOut.has(nameOf(pair)));
  const idsOf = (schema: string, name: (pair: NodeAlignment) => string | undefined): PlacesById => {
    const places = new Map(compared.map((pair, place) => [name(pair), place]));
    const nodes = database.prepare(`SELECT id, name FROM ${schema}.nodes`).all();
    return new Map(
      nodes.flatMap(({ id, name: of }) => {
        const place = places.get(String(of));
        return place === undefined ? [] : [[Number(id), place]];
      }),
    );
  };
  return {
    names: compared.map(nameOf),
    ids: { left: idsOf('main', ({ left }) => left), right: idsOf('other', ({ right }) => right) },
  };
}

interface CompareRows extends ComparedNodes {
  readonly tables: DigestTables;
  readonly keys: CompareRunFilesOptions['keys'];
  /** How many rows of the left run there are. */
  readonly rows: number;
  readonly stores: { readonly left: RunStore; readonly right: RunStore };
}

interface ComparedRows {
  readonly by: RunComparison['pairedBy'];
  /** Every row of the left run is paired with the one at its own place. */
  readonly isInPlace: boolean;
  readonly patterns: RowPatterns;
  readonly pairs: PairList;
}

/** Where runs have the same rows at the same places, as they mostly have, no pairs need to be looked for. */
function compareRows(database: DatabaseSync, request: CompareRows): ComparedRows {
  const { tables, keys } = request;
  if (keys === undefined) {
    const inPlace = `${tables.left} l LEFT JOIN ${tables.right} r ON r.row = l.row`;
    const compared = comparePairs(database, inPlace, request, true);
    if (compared !== undefined) return { by: 'line', isInPlace: true, ...compared };
  }
  const by = keys === undefined ? pairByContent(database, tables) : pairByKey(database, tables, keys);
  const paired = `temp.pairs p CROSS JOIN ${tables.left} l ON l.row = p.left_row CROSS JOIN ${tables.right} r ON r.row = p.right_row`;
  const compared = comparePairs(database, paired, request, false);
  if (compared === undefined) throw new Error('bug: pairs without a row');
  return { by, isInPlace: false, ...compared };
}

type Digits = readonly [leftRow: number, rightRow: number | null, left: string, right: string | null];

/**
 * Goes through pairs of rows, of which those with the same digests are told by their status alone.
 *
 * @param onlySame gives up, and returns undefined, where a row has no partner or got something else
 */
function comparePairs(
  database: DatabaseSync,
  paired: string,
  { names, ids, rows, stores }: CompareRows,
  onlySame: boolean,
): Pick<ComparedRows, 'patterns' | 'pairs'> | undefined {
  const patterns = new RowPatterns(names);
  const comparer = new RowDigestComparer(patterns, names.length, ids);
  const pairs = new PairList(rows);
  const isSame = areAlike(ids) ? 'l.digests = r.digests' : 'FALSE';
  const select = database.prepare(`SELECT l.row, r.row,
      iif(${isSame}, hex(substr(l.digests, 1, 1)), hex(l.digests)), iif(${isSame}, NULL, hex(r.digests))
    FROM ${paired} ORDER BY l.row`);
  select.setReturnArrays(true);
  for (const [leftRow, rightRow, left, right] of select.iterate() as Iterable<unknown> as Iterable<Digits>) {
    if (rightRow === null) return undefined;
    if (right === null) {
      pairs.add(leftRow, rightRow, comparer.countSame(left));
      continue;
    }
    const isSameInput = inputsAreSame(left, right);
    if (onlySame && !isSameInput) return undefined;
    const inputs = isSameInput ? noInputs : differingInputs(stores, rowOfNumber(leftRow), rowOfNumber(rightRow));
    pairs.add(leftRow, rightRow, comparer.count(left, right, inputs));
  }
  return { patterns, pairs };
}

const noInputs: readonly string[] = [];

/** Whether the same id is the same node in both files, so that equal digests are of equal nodes. */
function areAlike({ left, right }: ComparedNodes['ids']): boolean {
  return [...left].every(([id, place]) => (right.get(id) ?? place) === place);
}

/** Pairs of rows by number, with the ids of their patterns, in the order of the left run. */
class PairList {
  count = 0;
  private readonly lefts: Float64Array;
  private readonly rights: Float64Array;
  private readonly patterns: Uint32Array;

  /** @param most how many pairs there can be */
  constructor(most: number) {
    this.lefts = new Float64Array(most);
    this.rights = new Float64Array(most);
    this.patterns = new Uint32Array(most);
  }

  add(left: number, right: number, pattern: number): void {
    this.lefts[this.count] = left;
    this.rights[this.count] = right;
    this.patterns[this.count] = pattern;
    this.count += 1;
  }

  /** The first pairs of these patterns. */
  find(patterns: ReadonlySet<number>, limit: number): readonly RowPairId[] {
    const found: RowPairId[] = [];
    for (let at = 0; at < this.count && found.length < limit; at += 1) {
      const pattern = this.patterns[at] as number;
      if (!patterns.has(pattern)) continue;
      const [left, right] = [this.lefts[at] as number, this.rights[at] as number];
      found.push({ pattern, left: rowOfNumber(left), right: rowOfNumber(right) });
    }
    return found;
  }
}

/** Nodes that run once over all rows keep their records with the first line. */
function aggregationPairs(aligned: readonly NodeAlignment[], left: RunStore, right: RunStore): readonly NodePair[] {
  const isOverRows = ({ info }: RunStore, name: string | undefined): boolean =>
    info.nodes.some((node) => node.name === name && node.aggregation === true);
  const recordsOf = (store: RunStore) => new Map(store.nodes(0).map((run) => [run.node, recordDigest(run)]));
  const found = aligned.filter((pair) => isOverRows(left, pair.left) || isOverRows(right, pair.right));
  const [lefts, rights] = found.length === 0 ? [] : [recordsOf(left), recordsOf(right)];
  return found.map((pair) => {
    const [one, other] = [lefts?.get(pair.left ?? ''), rights?.get(pair.right ?? '')];
    const fingerprints = [one?.fingerprint, other?.fingerprint];
    return nodePair(nameOf(pair), {
      left: one?.status,
      right: other?.status,
      outputDiffers: one?.outputHash !== other?.outputHash,
      inputsDiffer: one?.inputsHash !== other?.inputsHash,
      fingerprintDiffers: fingerprints.includes(undefined) ? undefined : one?.fingerprint !== other?.fingerprint,
    });
  });
}
