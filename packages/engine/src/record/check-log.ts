import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

/**
 * Whether records that were committed are lost with SQLite's write-ahead log: SQLite takes a log up to the first frame that
 * is not sound and passes over the rest without a word. A process that is killed while it writes leaves at most a part of
 * a frame at the log's end or, when it had just begun the log again, a frame before those of the last turn, which have other salts.
 *
 * https://www.sqlite.org/fileformat2.html#walformat
 *
 * @param isInUse whether the record file says that it has such a log (`PRAGMA journal_mode`)
 */
export function isLogDamaged(path: string, isInUse: () => boolean): boolean {
  const log = `${path}-wal`;
  if (!existsSync(log) || statSync(log).size < headerSize + frameHeaderSize) return false;
  if (!isInUse()) return true;
  const file = openSync(log, 'r');
  try {
    // Twice, since a process that writes may just have been at it.
    return !isSound(file, statSync(log).size) && !isSound(file, statSync(log).size);
  } finally {
    closeSync(file);
  }
}

const headerSize = 32;
const frameHeaderSize = 24;
const magic = 0x377f0682;

function isSound(file: number, size: number): boolean {
  const header = Buffer.alloc(headerSize);
  readSync(file, header, 0, headerSize, 0);
  const first = header.readUInt32BE(0);
  const pageSize = header.readUInt32BE(8);
  if ((first & ~1) >>> 0 !== magic || pageSize < 512 || pageSize > 65536) return false;
  const sum = new LogSum(first === magic);
  sum.add(header.subarray(0, 24));
  if (!sum.isAt(header, 24)) return false;
  const frames = [...framesOf(file, size, header, sum)];
  const end = frames.findIndex(({ isWhole }) => !isWhole);
  if (end < 0) return true;
  const rest = frames.slice(end + 1);
  const isTornLast = rest.length > 0 || frames[end]?.isOfThisTurn !== true;
  return isTornLast && !rest.some(({ isOfThisTurn }) => isOfThisTurn);
}

interface Frame {
  /** It and all before it are as they were written. */
  readonly isWhole: boolean;
  /** One of its salts is the log's, so that a changed bit in the other does not hide it. */
  readonly isOfThisTurn: boolean;
}

function* framesOf(file: number, size: number, header: Buffer, sum: LogSum): Generator<Frame> {
  const frame = Buffer.alloc(frameHeaderSize + header.readUInt32BE(8));
  for (let at = headerSize; at + frame.length <= size; at += frame.length) {
    readSync(file, frame, 0, frame.length, at);
    const [isFirstSalt, isSecondSalt] = [8, 12].map(
      (salt) => frame.compare(header, salt + 8, salt + 12, salt, salt + 4) === 0,
    );
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(frameHeaderSize));
    yield {
      isWhole: isFirstSalt === true && isSecondSalt === true && sum.isAt(frame, 16),
      isOfThisTurn: isFirstSalt === true || isSecondSalt === true,
    };
  }
}

/** SQLite's running checksum of a log. */
class LogSum {
  private readonly isLittleEndian: boolean;
  private one = 0;
  private two = 0;

  constructor(isLittleEndian: boolean) {
    this.isLittleEndian = isLittleEndian;
  }

  /** @param bytes a multiple of 8 */
  add(bytes: Buffer): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let { one, two } = this;
    for (let at = 0; at < bytes.length; at += 8) {
      one = (one + view.getUint32(at, this.isLittleEndian) + two) >>> 0;
      two = (two + view.getUint32(at + 4, this.isLittleEndian) + one) >>> 0;
    }
    this.one = one;
    this.two = two;
  }

  /** Whether the sum so far is what is written at a place. */
  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.one && bytes.readUInt32BE(at + 4) === this.two;
  }
}
