import { createInterface } from 'node:readline';
import type { CallLimit } from '@unroll/nodes';
import { limitServices, openModelService } from '@unroll/nodes';
import { openDatabase } from '../database/open-database.ts';
import { openSharedLimits } from './shared-limits.ts';

/** What a caller is told, as a line of JSON. */
export interface CallingTask {
  /** Address of the database. */
  readonly engine: string;
  /** Address of the model. */
  readonly model: string;
  readonly limit: CallLimit;
  /** How many calls. */
  readonly calls: number;
}

/**
 * A worker as far as limits are concerned: for each task calls a model through its client library as often as told, all at
 * once, and prints how many were answered. Its limits and its connections to the database end with the task.
 */
for await (const line of createInterface(process.stdin)) process.stdout.write(`${await answered(JSON.parse(line))}\n`);

async function answered({ engine, model, limit, calls }: CallingTask): Promise<number> {
  await using database = await openDatabase(engine, { connections: 3 });
  await using limits = openSharedLimits(database);
  const open = limitServices(openModelService, () => limit, limits.permitsOf);
  const service = await open({
    name: 'mine',
    type: 'open_ai',
    configs: { base_url: model },
    secrets: { api_key: 'key-of-a-test' },
  });
  // By its length it is taken for more than the 100 tokens that the model tells of: no call is early before that is known.
  const request = { model: 'counting', messages: [{ role: 'user', content: 'count me'.repeat(60) }] };
  const { signal } = new AbortController();
  const results = await Promise.all(Array.from({ length: calls }, () => service?.call('chat', request, { signal })));
  return results.filter((result) => result?.ok).length;
}
