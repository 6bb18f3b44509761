import { runLogContract } from '@unroll/engine/testing';
import { afterAll, beforeAll, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { type FreshDatabase, freshDatabase } from '../testing/fresh-database.ts';
import { runLogOf } from './postgres-run-log.ts';
import { openRunReader } from './postgres-run-reader.ts';
import { createRun } from './stored-run.ts';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = await openDatabase(fresh.url);
  await migrate(database);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

let runs = 0;
const ids = new WeakMap<object, string>();
const contract = runLogContract({
  async create(info) {
    runs += 1;
    const id = `run-of-the-contract-${runs}`;
    const log = runLogOf(database, { ...(await createRun(database, { ...info, id })), info });
    ids.set(log, id);
    return log;
  },
  async open(log) {
    const reader = await openRunReader(database, ids.get(log) ?? '');
    // The runs of the contract all have the same id, which here only one can have.
    return Object.assign(reader, { info: { ...reader.info, id: log.info.id } });
  },
});

test.each(contract)('$name', ({ run }) => run());
