import { openFetch } from './fetch.ts';

/** An answer of a service as far as tools look at it. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export type HttpResult =
  | { readonly ok: true; readonly answer: HttpAnswer }
  /** No answer: class and message of what happened. */
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** One request over http or https; never rejects. */
export async function askService({ url, ...options }: HttpRequest): Promise<HttpResult> {
  const fetch = await openFetch();
  try {
    const response = await fetch(url, options);
    return { ok: true, answer: { status: response.status, text: await response.text() } };
  } catch (thrown) {
    const error = thrown as Error & { readonly cause?: Error };
    const told = error.cause ?? error;
    return { ok: false, code: told.name, message: told.message };
  }
}

/** undefined where the text is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
