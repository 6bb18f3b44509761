import { tmpdir } from 'node:os';
import { allOf } from '@unroll/engine';
import { type CatalogWorld, runCatalogContract, runInfo } from '@unroll/engine/testing';
import { projectOn } from '@unroll/project';
import { expect, test } from 'vitest';
import { openRunLog } from '../record/postgres-run-log.ts';
import { createRun } from '../record/stored-run.ts';
import { testHost } from '../testing/engine-world.ts';
import { freshEngine, startProxy } from '../testing/index.ts';
import { engineCatalog, openEngineCatalog } from './engine-catalog.ts';

async function engineWorld(): Promise<CatalogWorld> {
  const engine = await freshEngine();
  const { database } = engine;
  await database.query(`INSERT INTO unroll.bundle (id, manifest) VALUES ('flow', '{}')`);
  return {
    catalog: engineCatalog(database),
    async create(info) {
      await createRun(database, info);
      return await openRunLog(database, info.id);
    },
    async work(id) {
      await database.query(
        `INSERT INTO unroll.run_work (run, bundle, settings, version) SELECT number, 'flow', '{}', '' FROM unroll.run WHERE id = $1
         ON CONFLICT (run) DO UPDATE SET state = 'running', attempt = run_work.attempt + 1`,
        [id],
      );
      return async (how) => {
        await database.query(
          `UPDATE unroll.run_work w SET state = $2 FROM unroll.run r WHERE r.number = w.run AND r.id = $1`,
          [id, how],
        );
      };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

test.each(runCatalogContract(engineWorld))('an engine $name', { timeout: 60_000 }, ({ run }) => run());

test('what PostgreSQL refuses while a run is read is told in words', async () => {
  await using engine = await freshEngine();
  const info = runInfo();
  await createRun(engine.database, info);
  await using proxy = await startProxy(engine.url);
  await using catalog = await openEngineCatalog(proxy.url);
  await using reader = await catalog.open('r');
  proxy.block();
  const failure = {
    code: 'EngineUnreachable',
    message: expect.stringContaining(`there is no PostgreSQL at ${catalog.shown}`),
  };
  await expect(reader.rowCounts()).rejects.toMatchObject(failure);
  await expect(allOf(reader.rows())).rejects.toMatchObject(failure);
  await expect(catalog.stampOf('r')).rejects.toMatchObject(failure);
  const host = testHost(tmpdir(), () => undefined);
  const engineRuns = { isFirst: true, catalog: async () => ({ ...catalog, ids: async () => ['r'] }) };
  await expect(projectOn({ ...host, engine: engineRuns }).runs.list({ at: 'engine' })).rejects.toMatchObject(failure);
});
