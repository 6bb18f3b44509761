import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { errorAnswer } from '../answers/json-answer.ts';

/** Refuses a body that is larger. One whose length is told is not made a stream for that, which costs as much as a row. */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const refuse = (): Response => errorAnswer(413, 'BodyTooLarge', `The body is larger than ${maxBytes} bytes.`);
  const limitStream = bodyLimit({ maxSize: maxBytes, onError: refuse });
  return async (context, next) => {
    if (context.req.header('transfer-encoding') !== undefined) return await limitStream(context, next);
    const bytes = Number(context.req.header('content-length') ?? 0);
    return bytes > maxBytes ? refuse() : await next();
  };
}
