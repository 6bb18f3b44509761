import { isUtf8 } from 'node:buffer';
import { type AnswerHeaders, notFetched, responseOf } from './fetch.ts';
import { loadUndici } from './load-undici.ts';

/** Where requests go, and what is the same in all of them: one object for many requests. */
export interface PostTarget {
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PostRequest {
  readonly target: PostTarget;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Bytes of the answer, unpacked, that are taken; the usual limit where absent. */
  readonly mostBytes?: number;
}

/** What an answer in JSON holds; of any other, and of none, what `fetch` would have given. */
export type PostAnswer =
  | { readonly json: unknown; readonly headers: AnswerHeaders }
  | { readonly fetched: () => Promise<Response> };

/** Never rejects. */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

/** @param bytes may be used again once this returns */
export function answerOf(status: number, headers: AnswerHeaders, bytes: Buffer, mostBytes: number): PostAnswer {
  const type = String(headers['content-type']);
  const isPlain = headers['content-encoding'] === undefined && type.startsWith('application/json');
  if (status !== 200 || !isPlain || !isUtf8(bytes)) {
    const kept = Buffer.from(bytes);
    return { fetched: () => responseOf(status, headers, kept, mostBytes) };
  }
  const text = bytes.toString('utf8');
  try {
    return { json: JSON.parse(text), headers };
  } catch {
    return { fetched: async () => unread(text, status, type) };
  }
}

async function unread(text: string, status: number, type: string): Promise<Response> {
  const { Response } = await loadUndici();
  return new Response(text, { status, headers: { 'content-type': type } });
}

export function failedWith(cause: unknown, signal: AbortSignal): PostAnswer {
  return { fetched: () => Promise.reject(notFetched(cause, signal)) };
}
