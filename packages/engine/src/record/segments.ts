import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

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
    this.addJournal = database.prepare('INSERT INTO journal (segment, start, bytes) VALUES (?, ?, ?)');
    this.seal = database.prepare('UPDATE segments SET bytes = ? WHERE id = ?');
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
    this.addJournal.run(this.segment, this.journaled, this.buffer.subarray(this.journaled, this.used));
    this.journaled = this.used;
  }

  /** Compresses what the open segment holds; the next payload begins another. */
  close(): void {
    if (this.segment === undefined) return;
    this.seal.run(compress(this.buffer.subarray(0, this.used)), this.segment);
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

/** Compresses segments that a process which was killed left in the journal. */
export function closeLeftSegments(database: DatabaseSync): void {
  const left = database.prepare('SELECT DISTINCT segment FROM journal').all() as unknown as { segment: number }[];
  for (const { segment } of left) {
    const bytes = compress(readJournal(database, segment));
    database.prepare('UPDATE segments SET bytes = ? WHERE id = ?').run(bytes, segment);
    database.prepare('DELETE FROM journal WHERE segment = ?').run(segment);
  }
}

function readJournal(database: DatabaseSync, segment: number): Buffer {
  const parts = database.prepare('SELECT bytes FROM journal WHERE segment = ? ORDER BY start').all(segment);
  return Buffer.concat(parts.map(({ bytes }) => bytes as Uint8Array));
}

const keptSegments = 16;
/** Bytes from which a buffer shares its memory with no other. */
const ownMemory = 128 * 1024;

/** Where in its segment a payload begins. */
export function startInSegment({ place }: Pick<PayloadPlace, 'place'>): number {
  return place % segmentFactor;
}

/** Reads payloads; keeps the segments read last. */
export class SegmentReader {
  private readonly database: DatabaseSync;
  private readonly select: StatementSync;
  private readonly kept = new Map<number, Buffer>();
  private lastSegment = -1;
  private last: Buffer = Buffer.alloc(0);

  constructor(database: DatabaseSync) {
    this.database = database;
    this.select = database.prepare('SELECT bytes FROM segments WHERE id = ?');
  }

  read(place: PayloadPlace): string {
    const start = startInSegment(place);
    return this.bytesWith(place).toString('utf8', start, start + place.size);
  }

  /** The bytes among which a payload is, from `startInSegment` on; not to be kept, their memory is given back. */
  bytesWith({ place, size }: PayloadPlace): Buffer {
    const segment = Math.floor(place / segmentFactor);
    const end = place - segment * segmentFactor + size;
    const bytes = segment === this.lastSegment && end <= this.last.length ? this.last : this.bytesOf(segment, end);
    if (bytes.length < end) throw new Error(`bug: segment ${segment} ends before byte ${end}`);
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
    const bytes = this.stored(segment) ?? this.journaled(segment, end);
    this.kept.set(segment, bytes);
    if (this.kept.size > keptSegments) this.giveBackOldest();
    return bytes;
  }

  /** At once: until the heap is collected, segments that nobody reads any more would be most of what is in memory. */
  private giveBackOldest(): void {
    const [oldest] = this.kept;
    if (oldest === undefined) return;
    const [segment, bytes] = oldest;
    this.kept.delete(segment);
    if (bytes.buffer.byteLength >= ownMemory) (bytes.buffer as ArrayBuffer).transfer(0);
  }

  private stored(segment: number): Buffer | undefined {
    const row = this.select.get(segment) as { readonly bytes: Uint8Array | null } | undefined;
    return row?.bytes == null ? undefined : zstdDecompressSync(row.bytes, decompression);
  }

  /** A writer may have compressed the segment between the two looks. */
  private journaled(segment: number, end: number): Buffer {
    const bytes = readJournal(this.database, segment);
    return bytes.length >= end ? bytes : (this.stored(segment) ?? bytes);
  }
}

/** The constant is read here, since with it Node loads its compression. */
function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}
