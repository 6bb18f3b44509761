type Fetch = typeof globalThis.fetch;

const texts = new WeakMap<object, string>();

/** A `fetch` that keeps the body of each refusal: the client library throws most of it away. */
export function keepingRefusals(fetch: Fetch): Fetch {
  return async (input, options) => {
    const response = await fetch(input, options);
    if (!response.ok) texts.set(response.headers, await response.clone().text());
    return response;
  };
}

/** The message in the body a service refused with, wherever that kind of service puts it; undefined where it has none. */
export function refusalMessage(headers: object | undefined): string | undefined {
  const text = headers === undefined ? undefined : texts.get(headers);
  if (text === undefined) return undefined;
  const body = parse(text);
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, message } = body as { readonly error?: unknown; readonly message?: unknown };
  const inner = typeof error === 'object' && error !== null ? (error as { readonly message?: unknown }).message : error;
  return [inner, message].find((one) => typeof one === 'string');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
