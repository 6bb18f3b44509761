import { limitServices, openModelService } from '@unroll/nodes';
import { openDatabase } from '../database/open-database.ts';
import { openSharedLimits } from './shared-limits.ts';

/**
 * A worker as far as limits are concerned: calls a model through its client library as often as told, all at once.
 * Arguments: address of the database, of the model, the limit as JSON, how many calls. Prints how many were answered.
 */
const [engine = '', model = '', limit = '{}', count = '1'] = process.argv.slice(2);
await using database = await openDatabase(engine, { connections: 3 });
await using limits = openSharedLimits(database);
const open = limitServices(openModelService, () => JSON.parse(limit), limits.permitsOf);
const service = await open({
  name: 'mine',
  type: 'open_ai',
  configs: { base_url: model },
  secrets: { api_key: 'key-of-a-test' },
});
const request = { model: 'counting', messages: [{ role: 'user', content: 'count me' }] };
const { signal } = new AbortController();
const results = await Promise.all(
  Array.from({ length: Number(count) }, () => service?.call('chat', request, { signal })),
);
process.stdout.write(`${results.filter((result) => result?.ok).length}\n`);
