import { readJson } from '../http/ask-service.ts';

type Fetch = typeof globalThis.fetch;

/** What a service said with a refusal. */
export interface ErrorBody {
  readonly text: string;
  readonly location: string | undefined;
}

const errorBodies = new WeakMap<object, ErrorBody>();

/** A `fetch` that keeps the body of each refusal: the client library throws most of it away. */
export function keepingErrorBodies(fetch: Fetch): Fetch {
  return async (input, options) => {
    const response = await fetch(input, options);
    if (!response.ok) {
      const location = response.headers.get('location') ?? undefined;
      errorBodies.set(response.headers, { text: await response.clone().text(), location });
    }
    return response;
  };
}

/** What came with a refusal of these headers. */
export function errorBodyOf(headers: object | undefined): ErrorBody | undefined {
  return headers === undefined ? undefined : errorBodies.get(headers);
}

/** The message in the body a service refused with, wherever that kind of service puts it; undefined where it has none. */
export function errorBodyMessage(headers: object | undefined): string | undefined {
  const { text = '' } = errorBodyOf(headers) ?? {};
  const body = readJson(text);
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, message } = body as { readonly error?: unknown; readonly message?: unknown };
  const inner = typeof error === 'object' && error !== null ? (error as { readonly message?: unknown }).message : error;
  return [inner, message].find((one) => typeof one === 'string');
}
