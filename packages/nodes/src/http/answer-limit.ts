import { type Connection, PrepareError } from '@unroll/engine';

/** Bytes of one answer, unpacked, that are taken where a connection does not say how many. */
export const usualMostBytes = 32 * 2 ** 20;

/** An answer of more bytes than are taken. The connection it came over is given up. */
export class AnswerTooLarge extends Error {
  readonly code = 'ANSWER_TOO_LARGE';

  constructor(maxBytes: number) {
    super(`the answer is larger than the ${maxBytes} bytes that are taken of one (max_response_bytes)`);
    this.name = 'AnswerTooLarge';
  }
}

/** @throws PrepareError where `max_response_bytes` of the connection is no whole number above 0 */
export function maxBytesOf({ name, configs }: Connection): number {
  const written = configs['max_response_bytes'] ?? '';
  if (written === '') return usualMostBytes;
  const most = Number(written);
  if (Number.isSafeInteger(most) && most > 0) return most;
  const message = `max_response_bytes of connection "${name}" is "${written}": expected a whole number of bytes above 0`;
  throw new PrepareError(
    { code: 'InvalidConnection', message, retryable: false },
    {
      problem: `max_response_bytes of connection "${name}" is "${written}"`,
      expected: 'expected a whole number of bytes above 0',
    },
  );
}

/** Bytes of an answer as they come in. @throws AnswerTooLarge once there are more than are taken */
export class CountedBytes {
  readonly maxBytes: number;
  #seen = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  add(bytes: number): void {
    this.#seen += bytes;
    if (this.#seen > this.maxBytes) throw new AnswerTooLarge(this.maxBytes);
  }
}
