import { Transform, type TransformCallback } from 'node:stream';
import { Utf8Parts } from './utf8.ts';

/** A body that is larger than what may be received, in bytes. */
export class SizeLimitError extends Error {
  /** The message: the SDK adds to that of an error what helps nobody but its programmers. */
  readonly told: string;

  constructor(size: number | undefined, limit: number) {
    super(`the answer ${size === undefined ? 'is larger than' : `of ${size} bytes is larger than`} ${limit} bytes`);
    this.told = this.message;
  }
}

/** Passes bytes on; fails with `SizeLimitError` once there are more than `limit`, and with `NoUtf8` where a text is none. */
export class LimitedBody extends Transform {
  private readonly limit: number;
  private readonly text: Utf8Parts | undefined;
  private seen = 0;

  constructor(limit: number, isText: boolean) {
    super();
    this.limit = limit;
    this.text = isText ? new Utf8Parts() : undefined;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.seen += chunk.length;
    if (this.seen > this.limit) done(new SizeLimitError(undefined, this.limit));
    else done(...checked(() => this.text?.text(chunk)), chunk);
  }

  override _flush(done: TransformCallback): void {
    done(...checked(() => this.text?.end()));
  }
}

function checked(check: () => unknown): [Error | null] {
  try {
    check();
    return [null];
  } catch (error) {
    return [error as Error];
  }
}
