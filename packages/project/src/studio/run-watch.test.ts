import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteRunLog } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import type { ProjectHost } from '../host/project-host.ts';
import { folderCatalog } from '../records/folder-catalog.ts';
import { placeAtEngine } from '../records/record-place.ts';
import { lockRun } from '../records/run-lock.ts';
import type { LiveEvent } from '../studio-contract/contract.ts';
import { RunWatch } from './run-watch.ts';

const shown = 'postgres://runs.example/flows';

test('a run that ends after it was read and before the first look is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-watch-'));
  // After the log is closed: a record that is gone while it is written is a failure.
  using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
  const path = join(folder, 'r.run');
  await using _log = createSqliteRunLog(path, {
    ...{ id: 'r', flowPath: 'ask', flowName: 'ask', flowDigest: 'd', startedAt: 1000 },
    ...{ nodes: [], data: { path: 'd.jsonl', total: 0 } },
  });
  const lock = lockRun(path, 'r');
  // The runs of a server, which answers only once the run is over.
  const reached = Promise.withResolvers<void>();
  const stamps = async () => {
    await reached.promise;
    return await folderCatalog(folder).stamps();
  };
  const catalog = async () => ({ ...folderCatalog(folder), shown, stamps });
  const host = {
    runsFolder: join(folder, 'none'),
    engine: { isFirst: true, catalog },
    now: () => 2000,
    environment: {},
    folder,
  };
  using watch = new RunWatch(host as unknown as ProjectHost);
  const place = placeAtEngine(shown, 'r');
  expect((await watch.line(place))?.status).toBe('Running');
  const heard = Promise.withResolvers<LiveEvent>();
  using _listening = watch.listen(heard.resolve);
  lock[Symbol.dispose]();
  reached.resolve();
  expect(await heard.promise).toMatchObject({ type: 'run', run: { id: 'r', status: 'Completed' } });
});

test('of many runs the newest are in the list at once, and each list that is asked for has more of the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'many-runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let run = 0; run < 50; run += 1) {
    const id = `r${String(run).padStart(2, '0')}`;
    const info = { id, flowPath: 'ask', flowName: 'ask', flowDigest: 'd', startedAt: run, nodes: [] };
    await createSqliteRunLog(join(folder, `${id}.run`), info)[Symbol.asyncDispose]();
    utimesSync(join(folder, `${id}.run`), run, run);
  }
  const host = { runsFolder: folder, now: () => 2000, environment: {}, folder } as unknown as ProjectHost;
  using watch = new RunWatch(host, undefined, 0);
  const seen: [number, number][] = [];
  for (let times = 0; times < 4; times += 1) {
    const { lines, unread } = await watch.list();
    expect(lines.map(({ id }) => id)).toEqual(ids.slice(0, lines.length));
    seen.push([lines.length, unread]);
  }
  expect(seen).toEqual([
    [20, 30],
    [40, 10],
    [50, 0],
    [50, 0],
  ]);
  using waiting = new RunWatch(host, undefined, 0);
  expect((await waiting.list('en', true)).lines).toHaveLength(50);
});

const ids = Array.from({ length: 50 }, (_, run) => `r${String(49 - run).padStart(2, '0')}`);
