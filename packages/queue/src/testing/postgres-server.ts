import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A real PostgreSQL on an ephemeral port of the loopback, with a data folder of its own. It ends with this process, however that ends. */
export interface PostgresServer extends AsyncDisposable {
  /** Of its owner, without a database: `postgres://postgres:…@127.0.0.1:40123`. The same after it was started again. */
  readonly url: string;
  /** Ends it at once, as a crash does (`pg_ctl stop -m immediate`). */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
}

type Answer = { readonly url: string } | { readonly failure: string };

export async function startPostgres(): Promise<PostgresServer> {
  const keeper = spawn(
    process.execPath,
    ['--no-warnings', fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url))],
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  );
  const url = await order(keeper, 'start');
  return {
    url,
    kill: async () => void (await order(keeper, 'kill')),
    start: async () => void (await order(keeper, 'start')),
    async [Symbol.asyncDispose]() {
      const ended = once(keeper, 'exit');
      keeper.disconnect();
      await ended;
    },
  };
}

/** The process is kept running only while it waits for an answer. */
async function order(keeper: ChildProcess, what: 'start' | 'kill'): Promise<string> {
  keeper.ref();
  keeper.channel?.ref();
  const answered = Promise.withResolvers<Answer>();
  const onExit = (code: number | null): void =>
    answered.resolve({ failure: `the keeper of PostgreSQL ended with ${code}` });
  keeper.once('message', answered.resolve);
  keeper.once('exit', onExit);
  keeper.send(what);
  const answer = await answered.promise;
  keeper.off('exit', onExit);
  keeper.unref();
  keeper.channel?.unref();
  if ('failure' in answer) throw new Error(answer.failure);
  return answer.url;
}
