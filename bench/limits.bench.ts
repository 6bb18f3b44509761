import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { migrate } from '../packages/queue/src/database/migrate.ts';
import { openDatabase } from '../packages/queue/src/database/open-database.ts';
import { freshDatabase, startPostgres } from '../packages/queue/src/testing/index.ts';

/** Limits that processes share over PostgreSQL: turns a second where the limit is out of reach, and how near it is kept to. */
const program = fileURLToPath(new URL('./limits/asking-process.ts', import.meta.url));
const processes = 4;
const warmMs = 3000;

await using server = await startPostgres();
await using fresh = await freshDatabase(server);
await using database = await openDatabase(fresh.url);
await migrate(database);

async function givenTo(limit: object, inFlight: number, forMs: number): Promise<readonly number[]> {
  await database.query(`TRUNCATE ${database.schema}.pace, ${database.schema}.call_lease`);
  const asking = await Promise.all(
    Array.from({ length: processes }, async () => {
      const argv = ['--no-warnings', program, fresh.url, JSON.stringify(limit), String(inFlight)];
      const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      return child;
    }),
  );
  const until = Date.now() + warmMs + forMs;
  for (const { stdin } of asking) stdin.write(String(until));
  const given = await Promise.all(
    asking.map(async ({ stdout }) => JSON.parse(await text(stdout)) as readonly number[]),
  );
  const all = given.flat().sort((one, other) => one - other);
  // The burst of the beginning is left out.
  return all.filter((at) => at >= until - forMs);
}

function mostIn(windowMs: number, given: readonly number[]): number {
  let [max, from] = [0, 0];
  for (const [at, moment] of given.entries()) {
    while ((given[from] ?? 0) <= moment - windowMs) from += 1;
    max = Math.max(max, at - from + 1);
  }
  return max;
}

const unlimitedMs = 5000;
const fast = await givenTo({ requests: 1e12 }, 500, unlimitedMs);
process.stdout.write(
  `${processes} processes, limit out of reach: ${Math.round(fast.length / (unlimitedMs / 1000))} turns/s\n`,
);
for (const limit of [{ requests: 6000 }, { tokens: 60_000 }, { requests: 600 }]) {
  const forMs = 30_000;
  const given = await givenTo(limit, 50, forMs);
  const perSecond = ('requests' in limit ? limit.requests : limit.tokens) / 60;
  const off = (given.length / (perSecond * (forMs / 1000)) - 1) * 100;
  process.stdout.write(
    `${processes} processes, ${JSON.stringify(limit)}: ${given.length} in ${forMs / 1000} s, ${off.toFixed(2)} % off; ` +
      `most in 1 s ${mostIn(1000, given)} of ${perSecond} + burst ${perSecond}; in 10 s ${mostIn(10_000, given)} of ${10 * perSecond} + ${perSecond}\n`,
  );
}
