import { openDispatcher } from './dispatcher.ts';

export interface BytesRequest {
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** More is not read: the connection is given up. */
  readonly mostBytes: number;
}

export type BytesResult =
  | { readonly ok: true; readonly status: number; readonly type: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** One request whose answer is read up to a limit; follows no redirects, never rejects. */
export async function askForBytes(asked: BytesRequest): Promise<BytesResult> {
  const { url, method, headers, body, signal, mostBytes } = asked;
  const dispatcher = await openDispatcher();
  try {
    const { origin, pathname, search } = new URL(url);
    const answer = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: method as 'GET',
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
      signal,
    });
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of answer.body as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > mostBytes) {
        return { ok: false, code: 'TOO_LARGE', message: `the service answered more than ${mostBytes} bytes` };
      }
      parts.push(part);
    }
    const type = String(answer.headers['content-type'] ?? '');
    return { ok: true, status: answer.statusCode, type, bytes: Buffer.concat(parts) };
  } catch (thrown) {
    const { name, message, code } = thrown as Error & { readonly code?: string };
    return { ok: false, code: code ?? name, message: message };
  }
}
