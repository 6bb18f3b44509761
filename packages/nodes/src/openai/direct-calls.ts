import type { ModelCall, ModelRequest } from '@unroll/engine';
import type OpenAI from 'openai';
import type { Fetch } from '../http/fetch.ts';
import { loadUndici } from '../http/load-undici.ts';
import type { Post, PostTarget } from '../http/post-answer.ts';
import { untilReset } from './read-retry-after.ts';

export type ModelPath = '/chat/completions' | '/completions' | '/embeddings';

/** What a service answered. */
export interface Answered {
  readonly json: unknown;
  /** It will take no further call before. */
  readonly retryAfterMs?: number;
}

/** The whole way through the client. */
export async function askClient(
  client: OpenAI,
  path: ModelPath,
  options: OpenAI.RequestOptions & { readonly body: ModelRequest },
): Promise<Answered> {
  const { data, response } = await client.post(path, options).withResponse();
  return answered(data, (name) => response.headers.get(name));
}

function answered(json: unknown, header: (name: string) => unknown): Answered {
  const retryAfterMs = untilReset(header);
  return retryAfterMs === undefined ? { json } : { json, retryAfterMs };
}

/** What every request of a path and model goes to, and the same with the headers of calls. */
interface BuiltRequest {
  readonly target: PostTarget;
  readonly withHeaders: WeakMap<object, PostTarget>;
}

/**
 * Calls of a client at a fraction of their cost: it builds the request of a path and model once, key and headers
 * included, and from then on bodies alone are sent. An answer that is not plain JSON, or none, goes through the client as
 * if it had asked itself, so that every failure is its own. Not for keys that change: they would stay as they were.
 */
export class DirectCalls {
  readonly #client: OpenAI;
  readonly #post: Post;
  readonly #built = new Map<string, BuiltRequest | Promise<BuiltRequest>>();

  /** @param client one whose fetch is of `answeredFetch` */
  constructor(client: OpenAI, post: Post) {
    this.#client = client;
    this.#post = post;
  }

  async post(
    path: ModelPath,
    body: ModelRequest,
    { signal, headers }: ModelCall,
    mostBytes: number,
  ): Promise<Answered> {
    const found = this.#request(path, body);
    const target = targetOf(found instanceof Promise ? await found : found, headers);
    const answer = await this.#post({ target, body: JSON.stringify(body), signal, mostBytes });
    if ('json' in answer) return answered(answer.json, (name) => answer.headers[name]);
    const fetchOptions: object = { answered: answer.fetched } satisfies AnsweredOptions;
    return await askClient(this.#client, path, { body, signal, headers: { ...headers }, fetchOptions });
  }

  #request(path: ModelPath, { model = '' }: ModelRequest): BuiltRequest | Promise<BuiltRequest> {
    const key = `${path} ${String(model)}`;
    const known = this.#built.get(key);
    if (known !== undefined) return known;
    const built = buildRequest(this.#client, path, model);
    this.#built.set(key, built);
    built.then(
      (one) => this.#built.set(key, one),
      () => this.#built.delete(key),
    );
    return built;
  }
}

function targetOf({ target, withHeaders }: BuiltRequest, headers: ModelCall['headers']): PostTarget {
  if (headers === undefined) return target;
  const known = withHeaders.get(headers) ?? { ...target, headers: { ...target.headers, ...headers } };
  withHeaders.set(headers, known);
  return known;
}

async function buildRequest(client: OpenAI, path: ModelPath, model: unknown): Promise<BuiltRequest> {
  const { req, url } = await client.buildRequest({ method: 'post', path, body: { model } });
  const { origin, pathname, search } = new URL(url);
  const { Headers } = await loadUndici();
  const headers = Object.fromEntries(new Headers(req.headers));
  return { target: { origin, path: `${pathname}${search}`, headers }, withHeaders: new WeakMap() };
}

interface AnsweredOptions {
  readonly answered?: () => Promise<Response>;
}

/** A `fetch` that gives the answer a direct call has had already. */
export function answeredFetch(fetch: Fetch): Fetch {
  return (input, options) =>
    (options as (RequestInit & AnsweredOptions) | undefined)?.answered?.() ?? fetch(input, options);
}
