import type { Connection } from '@unroll/engine';
import { maxBytesOf } from '../http/answer-limit.ts';
import { type Fetch, type FetchLimits, openFetch } from '../http/fetch.ts';
import { loadUndici } from '../http/load-undici.ts';
import { Utf8Parts, utf8Text } from '../http/utf8.ts';

/** A `fetch` for providers: answers are held to the connection's limit, and bytes that are no UTF-8 fail instead of being replaced. */
export async function checkedFetch(connection: Connection): Promise<Fetch> {
  const fetch = await openFetch();
  const limits: FetchLimits = { maxBytes: maxBytesOf(connection) };
  return async (input, options) => {
    const response = await fetch(input, { ...options, ...limits });
    if (!response.ok) return response;
    if (!/\bstream\b|ndjson/.test(response.headers.get('content-type') ?? '')) {
      utf8Text(await response.clone().bytes());
      return response;
    }
    if (response.body === null) return response;
    const { Response } = await loadUndici();
    return new Response(response.body.pipeThrough(utf8Only()), response);
  };
}

/** Fails with `NoUtf8` where bytes are none. */
function utf8Only(): TransformStream<Uint8Array, Uint8Array> {
  const parts = new Utf8Parts();
  return new TransformStream({
    transform(part, controller) {
      parts.text(part);
      controller.enqueue(part);
    },
    flush: () => parts.end(),
  });
}
