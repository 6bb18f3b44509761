import type { AnswerHeaders } from './fetch.ts';

/** An answer that is whole. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Of the buffer that was read, where it came in one piece: to be used before more is read into it. */
  readonly body: Buffer;
  /** Milliseconds for which the connection can take another request; 0 where it cannot. */
  readonly keptMs: number;
}

/** What was read is no answer of HTTP/1.1. */
export class BrokenAnswer extends Error {}

/** A connection that says nothing of how long it is kept is taken for gone after so long, as undici does. */
const usuallyKeptMs = 4000;
const mostKeptMs = 600_000;
/** Off what the other side says, for the time a request is on its way. */
const onTheWayMs = 1000;
const mostHeadBytes = 64 * 1024;
const none = Buffer.alloc(0);

/**
 * Reads answers of HTTP/1.1 to POST (RFC 9112): bodies by length, in chunks, or up to the end of the connection. Whatever
 * is not as the standard says is refused, so that no answer is taken for another request's.
 */
export class AnswerReader {
  private head: Head | undefined;
  private rest = none;
  private parts: Buffer[] = [];
  private chunks: ChunkReader | undefined;
  private left = 0;

  /** @returns the answer once it is whole @throws BrokenAnswer */
  read(part: Buffer): ReadAnswer | undefined {
    let bytes = this.rest.length === 0 ? part : Buffer.concat([this.rest, part]);
    this.rest = none;
    while (this.head === undefined) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) return this.keepHead(bytes);
      const head = readHead(bytes.toString('latin1', 0, end));
      bytes = bytes.subarray(end + 4);
      if (head.status < 200) continue;
      this.head = head;
      this.left = head.length;
      if (head.framing === 'chunks') this.chunks = new ChunkReader();
    }
    return this.readBody(this.head, bytes);
  }

  /** The other side ended the connection. @returns the answer where that was its end @throws BrokenAnswer */
  end(): ReadAnswer {
    const { head, parts } = this;
    if (head?.framing !== 'end') throw new BrokenAnswer('other side closed');
    return { status: head.status, headers: head.headers, body: Buffer.concat(parts), keptMs: 0 };
  }

  private keepHead(bytes: Buffer): undefined {
    if (bytes.length > mostHeadBytes) throw new BrokenAnswer('the head of the answer is too long');
    this.rest = Buffer.from(bytes);
  }

  private readBody(head: Head, bytes: Buffer): ReadAnswer | undefined {
    if (this.chunks !== undefined) {
      const left = this.chunks.read(bytes);
      return left === undefined ? undefined : this.answer(head, Buffer.concat(this.chunks.parts), left);
    }
    if (head.framing === 'length' && bytes.length >= this.left) {
      const last = bytes.subarray(0, this.left);
      const body = this.parts.length === 0 ? last : Buffer.concat([...this.parts, last]);
      return this.answer(head, body, bytes.length - this.left);
    }
    this.left -= bytes.length;
    if (bytes.length > 0) this.parts.push(Buffer.from(bytes));
    return undefined;
  }

  /** @param more bytes that nobody asked for */
  private answer({ status, headers, keptMs }: Head, body: Buffer, more: number): ReadAnswer {
    this.head = undefined;
    this.chunks = undefined;
    if (this.parts.length > 0) this.parts = [];
    return { status, headers, body, keptMs: more > 0 ? 0 : keptMs };
  }
}

interface Head {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly framing: 'length' | 'chunks' | 'end';
  /** Bytes of the body, where they are told. */
  readonly length: number;
  readonly keptMs: number;
}

function readHead(text: string): Head {
  const lines = text.split('\r\n');
  const [, minor, status = ''] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(lines[0] ?? '') ?? [];
  if (minor === undefined || status === '101') throw new BrokenAnswer('the answer is no HTTP/1.1');
  const headers: Record<string, string | string[]> = {};
  for (let at = 1; at < lines.length; at += 1) readHeader(lines[at] as string, headers);
  const isEmpty = status === '204' || status === '304' || status < '200';
  const framed = isEmpty ? ({ framing: 'length', length: 0 } as const) : framingOf(headers);
  const isKept = framed.framing !== 'end' && staysOpen(headers['connection'], minor === '1');
  return { status: Number(status), headers, ...framed, keptMs: isKept ? keptMsOf(headers['keep-alive']) : 0 };
}

const names = new Map<string, string>();

function readHeader(line: string, headers: Record<string, string | string[]>): void {
  const colon = line.indexOf(':');
  const written = line.slice(0, Math.max(colon, 0));
  const name = names.get(written) ?? headerName(written);
  const value = line.slice(colon + 1).trim();
  const before = headers[name];
  if (before === undefined || !Object.hasOwn(headers, name)) headers[name] = value;
  else headers[name] = [...(Array.isArray(before) ? before : [before]), value];
}

function headerName(written: string): string {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(written) || written === '__proto__') {
    throw new BrokenAnswer('a header of the answer has no name');
  }
  const name = written.toLowerCase();
  if (names.size < 500) names.set(written, name);
  return name;
}

function framingOf(headers: AnswerHeaders): Pick<Head, 'framing' | 'length'> {
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined) {
    if (String(coding).toLowerCase() === 'chunked' && length === undefined) return { framing: 'chunks', length: 0 };
    throw new BrokenAnswer('the length of the answer is not told in a way that is known');
  }
  if (length === undefined) return { framing: 'end', length: Number.POSITIVE_INFINITY };
  if (typeof length === 'string' && /^\d{1,15}$/.test(length)) return { framing: 'length', length: Number(length) };
  throw new BrokenAnswer('the length of the answer is no number');
}

function staysOpen(connection: AnswerHeaders[string], isUsual: boolean): boolean {
  const told = String(connection ?? '').toLowerCase();
  return isUsual ? !/\bclose\b/.test(told) : /\bkeep-alive\b/.test(told);
}

function keptMsOf(keepAlive: AnswerHeaders[string]): number {
  if (keepAlive === undefined) return usuallyKeptMs;
  const [, seconds] = /(?:^|[\s,])timeout=(\d{1,6})/i.exec(String(keepAlive)) ?? [];
  return seconds === undefined ? usuallyKeptMs : Math.min(mostKeptMs, Number(seconds) * 1000 - onTheWayMs);
}

const longestChunkLine = 4096;

/** A body in chunks (RFC 9112, 7.1); what stands in the trailer is left out. */
class ChunkReader {
  readonly parts: Buffer[] = [];
  private rest = none;
  /** Bytes of the chunk that are still to come. */
  private left = 0;
  private expects: 'size' | 'data' | 'line end' | 'trailer' = 'size';

  /** @returns once the body is whole, the number of bytes after it */
  read(part: Buffer): number | undefined {
    const bytes = this.rest.length === 0 ? part : Buffer.concat([this.rest, part]);
    this.rest = none;
    let at = 0;
    for (;;) {
      if (this.expects === 'data') {
        const data = bytes.subarray(at, at + this.left);
        this.parts.push(Buffer.from(data));
        at += data.length;
        this.left -= data.length;
        if (this.left > 0) return undefined;
        this.expects = 'line end';
      }
      const end = bytes.indexOf('\r\n', at);
      if (end === -1) return this.keepLine(bytes.subarray(at));
      const line = bytes.toString('latin1', at, end);
      at = end + 2;
      if (this.isLast(line)) return bytes.length - at;
    }
  }

  private keepLine(bytes: Buffer): undefined {
    if (bytes.length > longestChunkLine) throw new BrokenAnswer('a chunk of the answer has no size');
    this.rest = Buffer.from(bytes);
  }

  private isLast(line: string): boolean {
    if (this.expects === 'trailer') return line === '';
    if (this.expects === 'line end') {
      if (line !== '') throw new BrokenAnswer('a chunk of the answer is longer than its size');
      this.expects = 'size';
      return false;
    }
    const [, size] = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line) ?? [];
    if (size === undefined) throw new BrokenAnswer('a chunk of the answer has no size');
    this.left = Number.parseInt(size, 16);
    this.expects = this.left === 0 ? 'trailer' : 'data';
    return false;
  }
}
