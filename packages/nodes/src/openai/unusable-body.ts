import { loadUndici } from '../http/load-undici.ts';
import { NoUtf8, Utf8Parts, utf8Text } from '../http/utf8.ts';
import type { StreamEnd } from './read-stream.ts';

type Fetch = typeof globalThis.fetch;

/** A body that is not what was asked for: no JSON, or no stream. */
export class UnusableBody extends Error {
  readonly body: string;

  constructor(message: string, body: string) {
    super(message);
    this.name = 'UnusableBody';
    this.body = body;
  }
}

/** Of what the client library throws, which may hold it as its cause. */
export function unusableBodyOf(thrown: unknown): UnusableBody | undefined {
  const { cause } = (thrown ?? {}) as { readonly cause?: unknown };
  return [thrown, cause].find((one) => one instanceof UnusableBody);
}

/** A whole answer of a model in the place of a stream, as JSON. */
export function wholeAnswerIn(thrown: unknown): unknown {
  const body = unusableBodyOf(thrown)?.body;
  if (body === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(body);
    const { choices, output } = (json ?? {}) as { readonly choices?: unknown; readonly output?: unknown };
    return Array.isArray(choices) || Array.isArray(output) ? json : undefined;
  } catch {
    return undefined;
  }
}

export interface StreamOptions {
  /** Given where a stream is asked for; told how it ended. */
  readonly streamEnd?: StreamEnd;
}

/**
 * A `fetch` that rejects with `UnusableBody` where the client library would lose what the service said: JSON that cannot be read,
 * and whatever comes in the place of a stream. Of a stream it sees how it ends.
 */
export function refusingUnusable(fetch: Fetch): Fetch {
  return async (input, options) => {
    const { streamEnd } = (options ?? {}) as StreamOptions;
    const response = await fetch(input, options);
    if (!response.ok) return response;
    if (streamEnd === undefined) return await checkedJson(response);
    const type = response.headers.get('content-type');
    if (type?.startsWith('text/event-stream') !== true) {
      const text = await response.clone().text();
      if (!/^\s*(data|event|id|retry)?:/.test(text)) throw new UnusableBody(noStream(type), text);
    }
    if (response.body === null) throw new UnusableBody(noStream(type), '');
    const { Response } = await loadUndici();
    return new Response(response.body.pipeThrough(endSeen(streamEnd)), response);
  };
}

async function checkedJson(response: Response): Promise<Response> {
  const type = response.headers.get('content-type');
  if (type?.includes('json') !== true) {
    const said = await response.clone().text();
    if (said.trim() !== '') throw new UnusableBody(`the answer is ${type ?? 'of no type'}, not JSON`, said);
    return response;
  }
  const bytes = await response.clone().bytes();
  const text = readText(
    () => utf8Text(bytes),
    () => Buffer.from(bytes).toString('utf8'),
  );
  try {
    if (text !== '') JSON.parse(text);
  } catch {
    throw new UnusableBody('the answer is said to be JSON and is none', text);
  }
  return response;
}

function noStream(type: string | null): string {
  return `a stream was asked for, and ${type === null ? 'something without a type' : type} came`;
}

/** The event that ends a stream, at the begin of a line. */
const done = /[\r\n]data: ?\[DONE\]/;
const longestBefore = '\ndata: [DONE'.length;

/** @throws UnusableBody where bytes are no UTF-8; with the body as it can be read, where it is there */
function readText<Read>(read: () => Read, body: () => string = () => ''): Read {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof NoUtf8 ? new UnusableBody(thrown.message, body()) : thrown;
  }
}

/**
 * Passes bytes on up to that event, however it is cut into pieces: nothing comes behind it, even where the service leaves the
 * connection open. Fails with `UnusableBody` where bytes are no UTF-8.
 */
function endSeen(end: StreamEnd): TransformStream<Uint8Array, Uint8Array> {
  let last = '\n';
  const parts = new Utf8Parts();
  return new TransformStream({
    transform(part, controller) {
      const text = last + readText(() => parts.text(part));
      controller.enqueue(part);
      last = text.slice(-longestBefore);
      if (!done.test(text)) return;
      end.isDone = true;
      controller.terminate();
    },
    flush: () => readText(() => parts.end()),
  });
}
