import { RunDamageError } from '@unroll/engine';
import type { Database, Queryable } from '../database/database.ts';
import { oneMoment } from './one-moment.ts';
import { unnamedNode } from './require-sound.ts';
import { SegmentCache } from './segments.ts';
import {
  nodeEndColumns,
  placeOfNode,
  placeOfRow,
  type RowPlace,
  rowEndColumns,
  rowKey,
  type StoredNode,
  type StoredRow,
} from './stored-records.ts';
import { type NodeName, readNodeNames, type StoredRun } from './stored-run.ts';

/** Some rows of a run with the records of their nodes, in the order these were appended; all of one moment. */
export interface Chunk {
  /** In the order of their places; `row` is absent for rows that have not ended. */
  readonly rows: readonly ChunkRow[];
}

export interface ChunkRow extends RowPlace {
  readonly row: StoredRow | undefined;
  readonly nodes: readonly StoredNode[];
  /** Hexadecimal digits, where they were asked for and are there. */
  readonly digests: string | undefined;
}

/** What of the rows is read. */
export interface ChunkSettings {
  /** Rows at once. */
  readonly size: number;
  /** Whether rows that have not ended come too. */
  readonly open?: boolean;
  /** Whether the values of a row that ended are read, those of its nodes among them; of all where absent. */
  readonly values?: (row: StoredRow) => boolean;
  readonly digests?: boolean;
}

/** Reads the records of a run; values are loaded beside them. */
export class ChunkReader {
  readonly segments: SegmentCache;
  private readonly database: Database;
  private readonly run: number;
  private names: ReadonlyMap<number, NodeName> = new Map();

  constructor(database: Database, { number, info }: StoredRun) {
    this.database = database;
    this.run = number;
    this.segments = new SegmentCache(database.schema, number, info.id);
  }

  /** Names of nodes, by the ids in the chunks read so far. @throws RunDamageError */
  nameOf(id: number): NodeName {
    const name = this.names.get(id);
    if (name === undefined) throw new RunDamageError({ message: unnamedNode });
    return name;
  }

  async *all(settings: ChunkSettings): AsyncGenerator<Chunk, void> {
    let after: RowPlace = { line: -1, repeat: 0 };
    for (;;) {
      const chunk = await this.next(after, settings);
      const last = chunk.rows.at(-1);
      if (last === undefined) return;
      yield chunk;
      after = { line: last.line, repeat: last.repeat };
    }
  }

  /** One row with its values; its records also where it has not ended. */
  async row({ line, repeat }: RowPlace): Promise<ChunkRow> {
    return await this.database.transaction(async (transaction) => {
      const of = 'WHERE run = $1 AND line = $2 AND repeat = $3';
      const { schema } = this.database;
      const [row] = await transaction.lists<StoredRow>(`SELECT ${rowEndColumns} FROM ${schema}.row_end ${of}`, [
        ...[this.run, line, repeat],
      ]);
      const nodes = await transaction.lists<StoredNode>(
        `SELECT ${nodeEndColumns} FROM ${schema}.node_end ${of} ORDER BY segment, start`,
        [this.run, line, repeat],
      );
      const found: ChunkRow = { line, repeat, row, nodes, digests: undefined };
      await this.loadBeside(transaction, [found], () => true);
      return found;
    }, oneMoment);
  }

  private async next(after: RowPlace, settings: ChunkSettings): Promise<Chunk> {
    return await this.database.transaction(async (transaction) => {
      const places = await this.places(transaction, after, settings);
      if (places.length === 0) return { rows: [] };
      const [ends, nodes] = [
        await this.rowEnds(transaction, places, settings.digests === true),
        await this.nodeEnds(transaction, places),
      ];
      const rows = places.map(({ line, repeat }): ChunkRow => {
        const key = rowKey(line, repeat);
        const end = ends.get(key);
        return { line, repeat, row: end?.row, digests: end?.digests, nodes: nodes.get(key) ?? [] };
      });
      const { values = () => true } = settings;
      const held = withinBytes(rows, values);
      await this.loadBeside(transaction, held, values);
      return { rows: held };
    }, oneMoment);
  }

  private async places(
    transaction: Queryable,
    { line, repeat }: RowPlace,
    { size, open = false }: ChunkSettings,
  ): Promise<readonly RowPlace[]> {
    const { schema } = this.database;
    const from = (table: string): string =>
      `(SELECT DISTINCT line, repeat FROM ${schema}.${table} WHERE run = $1 AND (line, repeat) > ($2, $3) ORDER BY line, repeat LIMIT $4)`;
    const sql = open ? `${from('row_end')} UNION ${from('node_end')} ORDER BY line, repeat LIMIT $4` : from('row_end');
    return await transaction.query<RowPlace>(sql, [this.run, line, repeat, size]);
  }

  private async rowEnds(
    transaction: Queryable,
    places: readonly RowPlace[],
    hasDigests: boolean,
  ): Promise<ReadonlyMap<number, { readonly row: StoredRow; readonly digests: string | undefined }>> {
    const sql = `SELECT ${rowEndColumns}${hasDigests ? ", encode(digests, 'hex')" : ''}
      FROM ${this.database.schema}.row_end WHERE run = $1 AND ${between}`;
    const found = await transaction.lists<readonly [...StoredRow, string | null | undefined]>(sql, [
      this.run,
      ...boundsOf(places),
    ]);
    return new Map(
      found.map(([...columns]) => {
        const digests = columns[9] ?? undefined;
        return [rowKey(columns[0], columns[1]), { row: columns.slice(0, 9) as unknown as StoredRow, digests }];
      }),
    );
  }

  private async nodeEnds(
    transaction: Queryable,
    places: readonly RowPlace[],
  ): Promise<ReadonlyMap<number, readonly StoredNode[]>> {
    const sql = `SELECT ${nodeEndColumns} FROM ${this.database.schema}.node_end WHERE run = $1 AND ${between}
      ORDER BY segment, start`;
    const found = await transaction.lists<StoredNode>(sql, [this.run, ...boundsOf(places)]);
    return Map.groupBy(found, ([line, repeat]) => rowKey(line, repeat));
  }

  /** Names of the nodes and segments with the values. */
  private async loadBeside(
    transaction: Queryable,
    rows: readonly ChunkRow[],
    values: (row: StoredRow) => boolean,
  ): Promise<void> {
    if (rows.some(({ nodes }) => nodes.some(([, , id]) => !this.names.has(id)))) await this.readNames(transaction);
    const read = rows.filter(({ row }) => row === undefined || values(row));
    const segments = read.flatMap(({ row, nodes }) => [
      ...(row === undefined ? [] : [placeOfRow(row).segment]),
      ...nodes.map((node) => placeOfNode(node).segment),
    ]);
    await this.segments.load(transaction, segments);
  }

  private async readNames(through: Queryable): Promise<void> {
    this.names = await readNodeNames(through, this.database.schema, this.run);
  }
}

/** Bytes of values from which on a chunk is full: rows that hold pictures are some megabytes each. */
const maxBytes = 4 * 2 ** 20;

/** The first of them; one at least. */
function withinBytes(rows: readonly ChunkRow[], values: (row: StoredRow) => boolean): readonly ChunkRow[] {
  let bytes = 0;
  const full = rows.findIndex(({ row, nodes }) => {
    if (row !== undefined && !values(row)) return false;
    bytes +=
      (row === undefined ? 0 : placeOfRow(row).size) + nodes.reduce((sum, one) => sum + placeOfNode(one).size, 0);
    return bytes >= maxBytes;
  });
  return full === -1 ? rows : rows.slice(0, full + 1);
}

const between = '(line, repeat) BETWEEN ($2::int, $3::int) AND ($4::int, $5::int)';

function boundsOf(places: readonly RowPlace[]): readonly number[] {
  const [first, last] = [places[0], places.at(-1)] as [RowPlace, RowPlace];
  return [first.line, first.repeat, last.line, last.repeat];
}
