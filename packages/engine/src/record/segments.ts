import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { journalChecksum, segmentChecksum } from './checksums.ts';
import { RunDamageError } from './run-file-error.ts';

/** Where a payload lies: `segment * 2^32 + first byte`. Grows with time, so it also tells the order of appending. */
export interface PayloadPlace {
  readonly place: number;
  /** Bytes of UTF-8. */
  readonly size: number;
}

const segmentFactor = 2 ** 32;
const capacity = 128 * 1024;
/** Room for a segment at once, and one byte more: decompression then asks for no second piece. */
const decompression = { chunkSize: capacity + 64 };

/**
 * Gathers payloads into segments of at most 128 KB (a longer payload has one of its own). A commit that comes before the
 * segment is full keeps its part in the journal as it is; a full segment is compressed and takes the journal's place. So
 * commits can be as frequent as durability asks, and segments stay large enough to compress well.
 */
export class SegmentWriter {
  private readonly claim: StatementSync;
  private readonly addJournal: StatementSync;
  private readonly seal: StatementSync;
  private readonly dropJournal: StatementSync;
  private buffer = Buffer.allocUnsafe(capacity);
  private segment: number | undefined;
  private used = 0;
  private journaled = 0;

  constructor(database: DatabaseSync) {
    this.claim = database.prepare('INSERT INTO segments (id, bytes) VALUES (NULL, NULL) RETURNING id');
    this.addJournal = database.prepare('INSERT INTO journal (segment, start, bytes, checksum) VALUES (?, ?, ?, ?)');
    this.seal = database.prepare('UPDATE segments SET bytes = ?, checksum = ? WHERE id = ?');
    this.dropJournal = database.prepare('DELETE FROM journal WHERE segment = ?');
  }

  /** Inside a transaction. */
  add(text: string): PayloadPlace {
    this.makeRoom(text);
    this.segment ??= (this.claim.get() as { id: number }).id;
    const start = this.used;
    const size = this.buffer.write(text, start);
    this.used += size;
    return { place: this.segment * segmentFactor + start, size };
  }

  /** Inside a transaction that is about to be committed. */
  keep(): void {
    if (this.segment === undefined || this.used === this.journaled) return;
    const bytes = this.buffer.subarray(this.journaled, this.used);
    const checksum = journalChecksum(this.segment, this.journaled, bytes);
    this.addJournal.run(this.segment, this.journaled, bytes, checksum);
    this.journaled = this.used;
  }

  /** Compresses what the open segment holds; the next payload begins another. */
  close(): void {
    if (this.segment === undefined) return;
    const bytes = compress(this.buffer.subarray(0, this.used));
    this.seal.run(bytes, segmentChecksum(this.segment, bytes), this.segment);
    if (this.journaled > 0) this.dropJournal.run(this.segment);
    this.segment = undefined;
    this.used = 0;
    this.journaled = 0;
    if (this.buffer.length > capacity) this.buffer = Buffer.allocUnsafe(capacity);
  }

  private makeRoom(text: string): void {
    if (this.used + text.length * 3 <= this.buffer.length) return;
    const size = Buffer.byteLength(text);
    if (this.used + size <= this.buffer.length) return;
    this.close();
    if (size > this.buffer.length) this.buffer = Buffer.allocUnsafe(size);
  }
}

/**
 * Compresses segments that a process which was killed left in the journal.
 *
 * @throws RunDamageError when the journal is not what was written
 */
export function closeLeftSegments(database: DatabaseSync, path: string): void {
  const left = database.prepare('SELECT DISTINCT segment FROM journal').all() as unknown as { segment: number }[];
  for (const { segment } of left) {
    const { bytes, isWhole } = readJournal(database, segment);
    if (!isWhole) throw segmentDamage(path, segment);
    const compressed = compress(bytes);
    database
      .prepare('UPDATE segments SET bytes = ?, checksum = ? WHERE id = ?')
      .run(compressed, segmentChecksum(segment, compressed), segment);
    database.prepare('DELETE FROM journal WHERE segment = ?').run(segment);
  }
}

interface JournalRow {
  readonly start: number;
  readonly bytes: Uint8Array;
  readonly checksum: number;
}

/** What of an open segment is in the journal, up to what is damaged. */
function readJournal(database: DatabaseSync, segment: number): { readonly bytes: Buffer; readonly isWhole: boolean } {
  const select = 'SELECT start, bytes, checksum FROM journal WHERE segment = ? ORDER BY start';
  const rows = database.prepare(select).all(segment) as unknown as readonly JournalRow[];
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const { start, bytes, checksum } of rows) {
    const isSound = start === end && bytes instanceof Uint8Array && checksum === journalChecksum(segment, start, bytes);
    if (!isSound) return { bytes: Buffer.concat(parts), isWhole: false };
    parts.push(bytes);
    end += bytes.length;
  }
  return { bytes: Buffer.concat(parts), isWhole: true };
}

function segmentDamage(path: string, segment: number): RunDamageError {
  return new RunDamageError({ message: `segment ${segment} of the run record ${path} is damaged` });
}

/** Ids of the segments, closed or open, that are not what was written. */
export function damagedSegments(database: DatabaseSync): ReadonlySet<number> {
  const damaged = new Set<number>();
  const closed = database.prepare('SELECT id, bytes, checksum FROM segments').iterate();
  for (const { id, bytes, checksum } of closed as Iterable<unknown> as Iterable<StoredSegment & { id: number }>) {
    if (bytes !== null && !isSound(id, bytes, checksum)) damaged.add(id);
  }
  for (const { segment } of database.prepare('SELECT DISTINCT segment FROM journal').all()) {
    if (!readJournal(database, Number(segment)).isWhole) damaged.add(Number(segment));
  }
  return damaged;
}

interface StoredSegment {
  readonly bytes: Uint8Array | null;
  readonly checksum: number | null;
}

function isSound(id: number, bytes: Uint8Array, checksum: number | null): boolean {
  return bytes instanceof Uint8Array && checksum === segmentChecksum(id, bytes);
}

/** Bytes that are kept of segments read before; of longer ones only the last. */
const keptBytes = 16 * capacity;
/** Bytes from which a buffer shares its memory with no other. */
const ownMemory = 128 * 1024;

/** Where in its segment a payload begins. */
function startInSegment({ place }: Pick<PayloadPlace, 'place'>): number {
  return place % segmentFactor;
}

/** Reads payloads, no byte of which is taken before its checksum was looked at; keeps the segments read last. */
export class SegmentReader {
  private readonly database: DatabaseSync;
  private readonly path: string;
  private readonly select: StatementSync;
  private readonly kept = new Map<number, Buffer>();
  private keptSize = 0;
  private readSize = 0;
  private lastSegment = -1;
  private last: Buffer = Buffer.alloc(0);

  /** @param path for what is said of damage */
  constructor(database: DatabaseSync, path: string) {
    this.database = database;
    this.path = path;
    this.select = database.prepare('SELECT bytes, checksum FROM segments WHERE id = ?');
  }

  /** Of payloads, so far. */
  get bytesRead(): number {
    return this.readSize;
  }

  /** @throws RunDamageError when the segment is not what was written */
  read(place: PayloadPlace): string {
    this.readSize += place.size;
    const start = startInSegment(place);
    return this.bytesWith(place).toString('utf8', start, start + place.size);
  }

  /** The bytes among which a payload is, from `startInSegment` on; not to be kept, their memory is given back. */
  private bytesWith({ place, size }: PayloadPlace): Buffer {
    const segment = Math.floor(place / segmentFactor);
    const end = place - segment * segmentFactor + size;
    const bytes = segment === this.lastSegment && end <= this.last.length ? this.last : this.bytesOf(segment, end);
    if (bytes.length < end) throw segmentDamage(this.path, segment);
    this.lastSegment = segment;
    this.last = bytes;
    return bytes;
  }

  private bytesOf(segment: number, end: number): Buffer {
    const kept = this.kept.get(segment);
    if (kept !== undefined && kept.length >= end) {
      this.kept.delete(segment);
      this.kept.set(segment, kept);
      return kept;
    }
    // A journal that has grown is read again in place of what was kept of it.
    if (kept !== undefined) this.giveBack(segment, kept);
    const bytes = this.stored(segment) ?? this.journaled(segment, end);
    for (const [oldest, old] of this.kept) {
      if (this.keptSize + bytes.length <= keptBytes) break;
      this.giveBack(oldest, old);
    }
    this.kept.set(segment, bytes);
    this.keptSize += bytes.length;
    return bytes;
  }

  /** At once: until the heap is collected, segments that nobody reads any more would be most of what is in memory. */
  private giveBack(segment: number, bytes: Buffer): void {
    this.kept.delete(segment);
    this.keptSize -= bytes.length;
    if (segment === this.lastSegment) this.lastSegment = -1;
    if (bytes.buffer.byteLength >= ownMemory) (bytes.buffer as ArrayBuffer).transfer(0);
  }

  private stored(segment: number): Buffer | undefined {
    const row = this.select.get(segment) as StoredSegment | undefined;
    if (row === undefined || row.bytes === null) return undefined;
    if (!isSound(segment, row.bytes, row.checksum)) throw segmentDamage(this.path, segment);
    return zstdDecompressSync(row.bytes, decompression);
  }

  /** A writer may have compressed the segment between the two looks. */
  private journaled(segment: number, end: number): Buffer {
    const { bytes } = readJournal(this.database, segment);
    return bytes.length >= end ? bytes : (this.stored(segment) ?? bytes);
  }
}

/** The constant is read here, since with it Node loads its compression. */
function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}
