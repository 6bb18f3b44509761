import { Transform, type TransformCallback } from 'node:stream';

/** A body that is larger than what may be received, in bytes. */
export class SizeLimitError extends Error {
  constructor(size: number | undefined, limit: number) {
    super(`the answer ${size === undefined ? 'is larger than' : `of ${size} bytes is larger than`} ${limit} bytes`);
  }
}

/** Passes bytes on, and fails with `SizeLimitError` once there are more than `limit`. */
export class LimitedBody extends Transform {
  private readonly limit: number;
  private seen = 0;

  constructor(limit: number) {
    super();
    this.limit = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.seen += chunk.length;
    if (this.seen > this.limit) done(new SizeLimitError(undefined, this.limit));
    else done(null, chunk);
  }
}
