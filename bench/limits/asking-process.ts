import { once } from 'node:events';
import { openDatabase } from '../../packages/queue/src/database/open-database.ts';
import { openSharedLimits } from '../../packages/queue/src/limits/index.ts';

/**
 * Takes permits as fast as it is given them, so many waiting at a time, until a moment. Arguments: address, limit as JSON, calls at a
 * time. Says that it is ready, is told the moment (Unix milliseconds), and prints when it was given each, as JSON.
 */
const [engine = '', limit = '{}', inFlight = '1'] = process.argv.slice(2);
await using database = await openDatabase(engine, { connections: 2 });
await using limits = openSharedLimits(database);
const permits = limits.permitsOf('mine', JSON.parse(limit));
process.stdout.write('ready\n');
const [until] = await once(process.stdin, 'data');
process.stdin.destroy();
const end = AbortSignal.timeout(Number(String(until)) - Date.now());
const givenAt: number[] = [];
async function ask(): Promise<void> {
  while (!end.aborted) {
    const permit = await permits?.take(1, end);
    if (!end.aborted) givenAt.push(Date.now());
    permit?.end({ ok: true, reply: { body: null, usage: { promptTokens: 1, completionTokens: 0, totalTokens: 1 } } });
  }
}
await Promise.all(Array.from({ length: Number(inFlight) }, ask));
process.stdout.write(`${JSON.stringify(givenAt)}\n`);
