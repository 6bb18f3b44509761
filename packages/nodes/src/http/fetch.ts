import { promisify } from 'node:util';
import type { Dispatcher } from 'undici';

type Fetch = typeof globalThis.fetch;

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
      if (signal?.aborted === true) throw signal.reason;
      throw new TypeError('fetch failed', { cause });
    }
  };
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
