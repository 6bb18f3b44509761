import { join } from 'node:path';
import { openDatabase } from '../database/open-database.ts';
import { runWorker } from '../worker/run-worker.ts';
import { type EngineWorld, testHost } from './engine-world.ts';

/** A worker in this process, with connections to the database of its own; it ends as by SIGTERM. */
export function startWorker(
  { folder, url }: Pick<EngineWorld, 'folder' | 'url'>,
  { name = 'w1', concurrency = 4 }: { readonly name?: string; readonly concurrency?: number } = {},
): AsyncDisposable & { readonly lines: readonly string[] } {
  const end = new AbortController();
  const lines: string[] = [];
  const host = testHost(join(folder, `home-of-${name}`), () => undefined);
  const run = async (): Promise<void> => {
    await using database = await openDatabase(url);
    const settings = { name, concurrency, cache: join(folder, 'cache'), signal: end.signal };
    await runWorker({ ...settings, onLine: (line) => lines.push(line) }, host, database);
  };
  const ended = run();
  return {
    lines,
    async [Symbol.asyncDispose]() {
      end.abort();
      await ended;
    },
  };
}
