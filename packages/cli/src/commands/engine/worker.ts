import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withEngine } from '../../engine/with-engine.ts';
import { exitCode } from '../../exit-code.ts';
import { type Io, terminated } from '../../io.ts';
import type { WorkerSettings } from '../../options/engine-options.ts';
import { hostOf } from '../../project-host.ts';

const defaultConcurrency = 8;

/** `flow worker`: runs rows until it is told to end. */
export async function worker(settings: WorkerSettings, io: Io): Promise<number> {
  const { concurrency = defaultConcurrency, connectionsFile, name = `${hostname()}-${process.pid}` } = settings;
  const signal = io.interruption();
  await withEngine(settings, io, 'worker', async ({ runWorker }, database) => {
    io.stderr.write(`worker ${name} waits for work at ${database.shown}\n`);
    await runWorker(
      {
        name,
        concurrency,
        connectionsFile: connectionsFile === undefined ? undefined : resolve(io.folder, connectionsFile),
        cache: cacheFolder(settings, io),
        signal,
        onLine: (line) => io.stderr.write(`${line}\n`),
      },
      hostOf(settings, io),
      database,
    );
  });
  io.stderr.write(`worker ${name} has ended\n`);
  return signal.reason === terminated ? exitCode.done : exitCode.interrupted;
}

function cacheFolder({ cacheDir }: WorkerSettings, { folder, environment }: Io): string {
  if (cacheDir !== undefined) return resolve(folder, cacheDir);
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? '';
  const caches = environment['XDG_CACHE_HOME'] ?? (home === '' ? tmpdir() : join(home, '.cache'));
  return join(caches, 'unroll');
}
