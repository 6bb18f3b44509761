import { join } from 'node:path';
import { openDatabase } from '../database/open-database.ts';
import { runWorker } from '../worker/run-worker.ts';
import { type EngineWorld, testHost } from './engine-world.ts';

interface LocalWorker extends AsyncDisposable {
  /** What it has said. */
  readonly lines: readonly string[];
  /** Resolves once it has said a line with the text. */
  said(text: string): Promise<void>;
}

/** A worker in this process, with connections to the database of its own; it ends as by SIGTERM. */
export function startWorker(
  { folder, url }: Pick<EngineWorld, 'folder' | 'url'>,
  { name = 'w1', connectionsFile }: { readonly name?: string; readonly connectionsFile?: string } = {},
): LocalWorker {
  const end = new AbortController();
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  const onLine = (line: string): void => {
    lines.push(line);
    for (const watch of watchers) watch();
  };
  const host = testHost(join(folder, `home-of-${name}`), () => undefined);
  const run = async (): Promise<void> => {
    await using database = await openDatabase(url);
    const cache = join(folder, 'cache');
    await runWorker({ name, concurrency: 4, connectionsFile, cache, signal: end.signal, onLine }, host, database);
  };
  const ended = run();
  return {
    lines,
    said: (text) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (!lines.some((line) => line.includes(text))) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    async [Symbol.asyncDispose]() {
      end.abort();
      await ended;
    },
  };
}
