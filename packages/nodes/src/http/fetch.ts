import { promisify } from 'node:util';
import type { Dispatcher } from 'undici';

export type Fetch = typeof globalThis.fetch;

export interface PostRequest {
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What an answer in JSON holds; of any other, and of none, what `fetch` would have given. */
export type PostAnswer = { readonly json: unknown } | { readonly fetched: () => Promise<Response> };

export type Post = (request: PostRequest) => Promise<PostAnswer>;

/**
 * The door to undici: `fetch` as far as clients of services use it, over `request`, which keeps connections open and
 * costs about half of undici's own `fetch`. No redirects are followed: services do not answer with them. Loaded when
 * first used.
 */
export async function openFetch(): Promise<Fetch> {
  // undici is CommonJS: once bundled, its names are found on the default export only.
  const { default: undici } = await import('undici');
  const { request } = undici;
  return async (input, options = {}) => {
    const { method = 'GET', headers, body, signal } = options;
    try {
      const answer = await request(String(input), {
        method: method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(new Headers(headers)),
        ...(body === undefined || body === null ? {} : { body: body as string }),
        ...(signal === undefined || signal === null ? {} : { signal }),
      });
      return await responseOf(answer);
    } catch (cause) {
      throw notFetched(cause, signal);
    }
  };
}

/** Posts at the least cost: no `Headers` and no `Response` where the answer is plain JSON. Never rejects. */
export async function openPost(): Promise<Post> {
  const { default: undici } = await import('undici');
  return async ({ signal, ...request }) => {
    try {
      return await answerOf(await undici.getGlobalDispatcher().request({ method: 'POST', ...request, signal }));
    } catch (cause) {
      return { fetched: () => Promise.reject(notFetched(cause, signal)) };
    }
  };
}

function notFetched(cause: unknown, signal: AbortSignal | null | undefined): unknown {
  return signal?.aborted === true ? signal.reason : new TypeError('fetch failed', { cause });
}

async function answerOf(answer: Dispatcher.ResponseData): Promise<PostAnswer> {
  const { statusCode: status, headers, body } = answer;
  const type = String(headers['content-type']);
  if (status !== 200 || headers['content-encoding'] !== undefined || !type.startsWith('application/json')) {
    const response = await responseOf(answer);
    return { fetched: () => Promise.resolve(response) };
  }
  const text = await body.text();
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { fetched: async () => new Response(text, { status, headers: { 'content-type': type } }) };
  }
}

const noBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Events are handed on as they come; any other answer is read first, so that a broken one fails the request. */
async function responseOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) given.append(name, one);
  }
  const options = { status: statusCode, headers: given };
  if (noBody.has(statusCode)) {
    await body.dump();
    return new Response(null, options);
  }
  if (given.get('content-type')?.startsWith('text/event-stream') === true) {
    const { Readable } = await import('node:stream');
    return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, options);
  }
  const bytes = await decoded(await body.bytes(), given.get('content-encoding'));
  return new Response(bytes as Uint8Array<ArrayBuffer>, options);
}

/** Nothing asks for a packed answer; a proxy may pack one all the same. */
async function decoded(bytes: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  if (encoding === null || encoding === 'identity') return bytes;
  const { brotliDecompress, unzip } = await import('node:zlib');
  return await promisify(encoding === 'br' ? brotliDecompress : unzip)(bytes);
}
