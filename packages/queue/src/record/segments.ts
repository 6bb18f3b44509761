import { constants, crc32, zstdCompressSync } from 'node:zlib';
import { RunDamageError } from '@unroll/engine';
import type { Queryable } from '../database/database.ts';
import { unzipped } from '../database/unzipped.ts';
import type { ValuePlace } from './stored-records.ts';

/** Bytes before compression; one longer value has a segment of its own. */
const capacity = 128 * 1024;
/** Of one commit, as `segment_number` counts; the last of them holds whatever is left. */
const maxSegments = 1024;

export interface PackedSegment {
  readonly id: number;
  /** Bytes before compression. */
  readonly size: number;
  /** CRC-32 of `bytes`. */
  readonly checksum: number;
  /** Compressed with zstd. */
  readonly bytes: Uint8Array;
}

/** Texts of one commit in as few segments as they need. */
export class SegmentPacker {
  private readonly closed: PackedSegment[] = [];
  private texts: Uint8Array[] = [];
  private used = 0;
  private id: number;

  /** @param first id of the first segment; the others follow it */
  constructor(first: number) {
    this.id = first;
  }

  add(text: string): ValuePlace {
    const bytes = Buffer.from(text);
    const isFull = this.used > 0 && this.used + bytes.length > capacity;
    if (isFull && this.closed.length < maxSegments - 1) this.close();
    const place = { segment: this.id, start: this.used, size: bytes.length };
    this.texts.push(bytes);
    this.used += bytes.length;
    return place;
  }

  all(): readonly PackedSegment[] {
    if (this.used > 0) this.close();
    return this.closed;
  }

  private close(): void {
    const bytes = zstdCompressSync(Buffer.concat(this.texts), {
      params: { [constants.ZSTD_c_compressionLevel]: 1 },
    });
    this.closed.push({ id: this.id, size: this.used, checksum: crc32(bytes), bytes });
    this.texts = [];
    this.used = 0;
    this.id += 1;
  }
}

export type StoredSegment = readonly [id: number, size: number, checksum: number, bytes: Uint8Array];
export const segmentColumns = 'id, size, checksum, bytes';

/** What a segment holds; undefined where it is not what was written. */
export function unpackSegment([, size, checksum, bytes]: StoredSegment): Buffer | undefined {
  if (checksum !== crc32(bytes)) return undefined;
  return unzipped(bytes, size);
}

/** Bytes that are kept of segments read before. */
const maxKept = 64 * capacity;

/** Segments read last, those of one run; no byte of one is taken before its checksum was looked at. */
export class SegmentCache {
  private readonly schema: string;
  private readonly run: number;
  private readonly name: string;
  /** Null where it is damaged or missing. */
  private readonly kept = new Map<number, Buffer | null>();

  /** @param name of the run, for what is said of damage */
  constructor(schema: string, run: number, name: string) {
    this.schema = schema;
    this.run = run;
    this.name = name;
  }

  /** Before values of these segments are read. */
  async load(through: Queryable, ids: Iterable<number>): Promise<void> {
    const wanted = new Set(ids);
    const missing = [...wanted].filter((id) => !this.kept.has(id));
    this.forgetAllBut(wanted);
    if (missing.length === 0) return;
    const sql = `SELECT ${segmentColumns} FROM ${this.schema}.segment WHERE run = $1 AND id = ANY($2::bigint[])`;
    const found = await through.lists<StoredSegment>(sql, [this.run, missing]);
    for (const id of missing) this.kept.set(id, null);
    for (const segment of found) this.kept.set(segment[0], unpackSegment(segment) ?? null);
  }

  /** @throws RunDamageError when its segment is not what was written */
  read({ segment, start, size }: ValuePlace): string {
    const held = this.kept.get(segment);
    if (held === undefined) throw new Error(`bug: segment ${segment} was not loaded`);
    if (held === null || start < 0 || size < 0 || held.length < start + size) throw segmentDamage(this.name, segment);
    return held.toString('utf8', start, start + size);
  }

  private forgetAllBut(wanted: ReadonlySet<number>): void {
    let bytes = this.kept.values().reduce((sum, segment) => sum + (segment?.length ?? 0), 0);
    for (const [id, segment] of this.kept) {
      if (bytes <= maxKept) return;
      if (wanted.has(id)) continue;
      this.kept.delete(id);
      bytes -= segment?.length ?? 0;
    }
  }
}

export function segmentDamage(name: string, segment: number): RunDamageError {
  return new RunDamageError({ message: `segment ${segment} of the run ${name} is damaged` });
}
