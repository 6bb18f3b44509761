import type { ModelRequest } from '@unroll/engine';
import type OpenAI from 'openai';
import { untilReset } from './read-retry-after.ts';

export type ModelPath = '/chat/completions' | '/completions' | '/embeddings' | '/responses';

/** What a service answered. */
export interface Answered {
  readonly json: unknown;
  /** It will take no further call before. */
  readonly retryAfterMs?: number;
}

export async function askClient(
  client: OpenAI,
  path: ModelPath,
  options: OpenAI.RequestOptions & { readonly body: ModelRequest },
): Promise<Answered> {
  const { data: json, response } = await client.post(path, options).withResponse();
  const retryAfterMs = untilReset((name) => response.headers.get(name));
  return retryAfterMs === undefined ? { json } : { json, retryAfterMs };
}
