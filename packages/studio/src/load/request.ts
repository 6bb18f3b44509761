import { signal } from '@preact/signals';
import type { ErrorAnswer, Exported } from '@unroll/project/studio-contract';
import { exportedPage } from '../route/exported-page.ts';
import { language, words } from '../words/words.ts';
import { exportedAnswer } from './exported-answer.ts';

/** What a request failed with, in the server's words. */
export type Failure = ErrorAnswer['error'];

export type Answer<T> = { readonly value: T } | { readonly failure: Failure };

/** The server could not be reached the last time it was asked. */
export const isLost = signal(false);

export const apiBase = '/api/studio/v1/';

/** Asks for JSON; a refusal, or no server, is a failure in the answer. Throws only when `signal` ended it. */
export async function request<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  if (exportedPage !== undefined) return await fromExport<T>(path, exportedPage, signal);
  return send<T>(path, signal === undefined ? {} : { signal });
}

async function fromExport<T>(path: string, page: Exported, signal: AbortSignal | undefined): Promise<Answer<T>> {
  // A file of the export may be missing.
  const value = await exportedAnswer(path, page).catch(() => undefined);
  signal?.throwIfAborted();
  if (value !== undefined) return { value: value as T };
  const { notExported, notExportedHelp } = words.peek();
  return { failure: { code: 'NotExported', message: notExported, help: notExportedHelp } };
}

export async function send<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  const headers = { accept: 'application/json', 'accept-language': language.peek(), ...init.headers };
  let response: Response;
  try {
    response = await fetch(apiBase + path, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    isLost.value = true;
    return { failure: { code: 'NotConnected', message: words.peek().lost } };
  }
  isLost.value = false;
  const body: unknown = await response.json().catch(() => undefined);
  // Asked for no longer while it was read.
  init.signal?.throwIfAborted();
  if (response.ok && body !== undefined) return { value: body as T };
  return { failure: failureOf(body) ?? { code: String(response.status), message: response.statusText } };
}

/** Sends JSON; as `send`. */
export async function sendJson<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Answer<T>> {
  const headers = { 'content-type': 'application/json' };
  const ending = signal === undefined ? {} : { signal };
  return send<T>(path, { method, headers, body: JSON.stringify(body), ...ending });
}

export function failureOf(body: unknown): Failure | undefined {
  const found = (body as Partial<ErrorAnswer> | undefined)?.error;
  if (found === undefined) return undefined;
  const { code, message, help } = found;
  return words.peek().failure(help === undefined ? { code, message } : { code, message, help });
}

/** A failure in one line. */
export function failureText({ message, help }: Failure): string {
  if (help === undefined) return message;
  if (language.peek() === 'ja') return `${message.replace(/。$/, '')}。${help}`;
  return message.endsWith('.') ? `${message} ${help}` : `${message}. ${help}`;
}
