import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ModelResult } from '@unroll/engine';
import type { CallLimit, CallPermits, Clock } from '@unroll/nodes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { freshDatabase, startPostgres } from '../testing/index.ts';
import type { CallingTask } from './calling-process.fixture.ts';
import { countingModel } from './counting-model.fixture.ts';
import { openSharedLimits, readPaces } from './index.ts';
import { renewLease } from './stored-lease.ts';
import { takeUnits } from './stored-pace.ts';

const program = fileURLToPath(new URL('./calling-process.fixture.ts', import.meta.url));

interface Caller {
  readonly child: ChildProcess;
  /** @returns how many of its calls were answered */
  call(task: CallingTask): Promise<number>;
}

function startCaller(): Caller {
  const child = spawn(process.execPath, ['--no-warnings', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const counts = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    async call(task) {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      return Number((await counts.next()).value);
    },
  };
}

/** Three processes for all tests: one takes longer to start than to call. */
const callers: Caller[] = [];
beforeAll(() => {
  callers.push(startCaller(), startCaller(), startCaller());
});
afterAll(() => {
  for (const { child } of callers) child.kill();
});

/** What each of the three was answered. */
async function allCall(task: CallingTask): Promise<readonly number[]> {
  return Promise.all(callers.map((caller) => caller.call(task)));
}

async function migrated(url: string): Promise<Database> {
  const database = await openDatabase(url);
  await migrate(database);
  return database;
}

test('units asked for by many at once are handed out one after the other, without gap and overlap', async () => {
  await using fresh = await freshDatabase();
  await using database = await migrated(fresh.url);
  await using other = await openDatabase(fresh.url);
  const units = { requestsMs: 1000, tokensMs: 0, correctionMs: 0 };
  await takeUnits('mine', units, database);
  const sql = `SELECT extract(epoch FROM requests_until) * 1000 AS ms FROM ${database.schema}.pace`;
  const [before] = await database.query<{ ms: string }>(sql);
  const asks = Array.from({ length: 200 }, (_, at) => takeUnits('mine', units, at % 2 === 0 ? database : other));
  const starts = (await Promise.all(asks)).map(({ requestsMs }) => requestsMs).sort((one, next) => one - next);
  const [after] = await database.query<{ ms: string }>(sql);
  expect(Number(after?.ms) - Number(before?.ms)).toBe(200 * 1000);
  // Each is told from its own now.
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeLessThan(200 * 1000);
});

const burst = 50;
const perMinute = 60 * burst;

test.for<{ limit: CallLimit; tokens: number }>([
  { limit: { requests: perMinute }, tokens: 1 },
  { limit: { tokens: 100 * perMinute }, tokens: 100 },
])('three processes together call no faster than $limit allows', { timeout: 60_000 }, async ({ limit, tokens }) => {
  await using fresh = await freshDatabase();
  await using _ = await migrated(fresh.url);
  await using model = await countingModel({ tokens });
  const beganAt = performance.now();
  expect(await allCall({ engine: fresh.url, model: model.url, limit, calls: 50 })).toEqual([50, 50, 50]);
  const tooEarly = model.cameAt.filter((at, index) => index + 1 > burst + ((at - beganAt) * perMinute) / 60_000 + 1);
  expect(tooEarly).toEqual([]);
});

test('three processes together have no more calls under way than a connection may take, and as many', async () => {
  await using fresh = await freshDatabase();
  await using _ = await migrated(fresh.url);
  await using model = await countingModel({ together: { count: 4, ofAll: 60 } });
  const limit = { calls: 4 };
  expect(await allCall({ engine: fresh.url, model: model.url, limit, calls: 20 })).toEqual([20, 20, 20]);
  expect(model.most()).toBe(4);
});

test('calls of a worker that was killed are given to others once its lease is over, and not before', async () => {
  await using fresh = await freshDatabase();
  await using database = await migrated(fresh.url);
  await using limits = openSharedLimits(database);
  await using model = await countingModel({ together: { count: 3, ofAll: 3 } });
  const caller = startCaller();
  const gone = once(caller.child, 'exit');
  void caller.call({ engine: fresh.url, model: model.url, limit: { calls: 2 }, calls: 2 });
  const leases = `SELECT held, wanted FROM ${database.schema}.call_lease ORDER BY held DESC`;
  await model.arrived(2);
  caller.child.kill('SIGKILL');
  await gone;
  const permit = limits.permitsOf('mine', { calls: 2 })?.take(1, new AbortController().signal);
  let leftAt: readonly unknown[] = [];
  while (leftAt.length < 2) leftAt = await database.query(leases);
  expect(leftAt).toEqual([
    { held: 2, wanted: 0 },
    { held: 0, wanted: 1 },
  ]);
  await letPass(10_000, database);
  (await permit)?.end(undefined);
});

test('calls of a worker that died before the clock of the database stepped back are given to others', async () => {
  await using fresh = await freshDatabase();
  await using database = await migrated(fresh.url);
  const wish = { connection: 'mine', held: 2, wanted: 0, most: 2 };
  await renewLease({ ...wish, holder: '00000000-0000-0000-0000-000000000001' }, database);
  const other = { ...wish, holder: '00000000-0000-0000-0000-000000000002', held: 0, wanted: 1 };
  expect((await renewLease(other, database)).granted).toBe(0);
  await database.query(
    `UPDATE ${database.schema}.call_lease SET expires_at = expires_at + interval '1 hour' WHERE held > 0`,
  );
  expect((await renewLease(other, database)).granted).toBe(1);
});

/** For the database: whatever is to be is so much nearer. */
async function letPass(ms: number, database: Database): Promise<void> {
  const past = `$1 * interval '1 millisecond'`;
  const columns = ['requests_until', 'tokens_until', 'closed_until'].map((name) => `${name} = ${name} - ${past}`);
  const { schema } = database;
  await database.query(`UPDATE ${schema}.pace SET ${columns.join(', ')}`, [ms]);
  await database.query(`UPDATE ${schema}.call_lease SET expires_at = expires_at - ${past} WHERE held > 0`, [ms]);
}

/** Time that passes only in `sleep`, here and for the database; others move on with `at`. */
class PassingClock implements Clock {
  at = 0;
  readonly slept: number[] = [];
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  now(): number {
    return this.at;
  }

  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    await letPass(ms, this.database);
    this.at += ms;
  }
}

const refused: ModelResult = {
  ok: false,
  error: { code: 'RateLimitError', message: 'too many', retryable: true },
  retryAfterMs: 90_000,
};

async function call(permits: CallPermits | undefined, result: ModelResult | undefined = undefined): Promise<void> {
  const permit = await permits?.take(1, new AbortController().signal);
  permit?.end(result);
}

test.for<{ limit: CallLimit }>([{ limit: {} }, { limit: { requests: 60 } }])(
  'what one worker is told to wait, all wait: $limit',
  async ({ limit }) => {
    await using fresh = await freshDatabase();
    await using database = await migrated(fresh.url);
    const clocks = [new PassingClock(database), new PassingClock(database)] as const;
    await using one = openSharedLimits(database, clocks[0]);
    await using other = openSharedLimits(database, clocks[1]);
    await call(other.permitsOf('mine', limit));
    await call(one.permitsOf('mine', limit), refused);
    let paces = await readPaces(database);
    while (!paces.some(({ waitMs }) => waitMs > 2000)) paces = await readPaces(database);
    expect(paces).toMatchObject([{ connection: 'mine' }]);
    // What was asked a moment ago is believed, so long.
    clocks[1].at += 1000;
    await call(other.permitsOf('mine', limit));
    const waited = clocks[1].slept.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(60_000);
    expect(waited).toBeLessThan(92_000);
    await call(other.permitsOf('yours', limit));
    expect(clocks[1].slept.reduce((sum, ms) => sum + ms, 0)).toBe(waited);
  },
);

test('a wait goes on while the database is restarted', async () => {
  await using server = await startPostgres();
  await using database = await migrated(`${server.url}/postgres`);
  await using limits = openSharedLimits(database);
  const permits = limits.permitsOf('mine', { requests: 600, tokens: 60_000, calls: 2 });
  await call(permits);
  await server.kill();
  const waiting = call(permits);
  await server.start();
  await waiting;
});
