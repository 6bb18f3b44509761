import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteRunLog, makeFolder } from '@unroll/engine';
import { expect, test } from 'vitest';
import type { ProjectHost } from '../host/project-host.ts';
import { projectOn } from '../library/open-project.ts';
import { DiffPages } from './diff-pages.ts';
import { Studio } from './studio.ts';

async function writeRun(folder: string, id: string): Promise<void> {
  const info = {
    id,
    flowPath: 'f',
    flowName: 'f',
    flowDigest: '',
    startedAt: 0,
    nodes: [{ name: 'ask', kind: 'python' }],
  };
  await using log = createSqliteRunLog(join(folder, '.flow/runs', `${id}.run`), info);
  for (const line of [0, 1])
    await log.append([{ line, node: 'ask', kind: 'python', status: 'Completed', inputs: {}, output: id }], {
      ...{ line, status: 'Completed', inputs: {}, outputs: { answer: id }, startedAt: 0, durationMs: 1 },
    });
}

test('a page of two runs takes the comparison it was given, for the places and options it was made for alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-held-'));
  try {
    makeFolder(join(folder, '.flow/runs'));
    for (const id of ['before', 'after']) await writeRun(folder, id);
    const runsFolder = join(folder, '.flow/runs');
    const host = { folder, runsFolder, environment: {}, now: () => 0 } as unknown as ProjectHost;
    const report = await projectOn(host).diff('before', 'after');
    const given = { left: report.left.place, right: report.right.place, options: {}, compared: report.compared() };
    expect(given.compared.pairs.map(({ left, right }) => [left.line, right.line])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    await using studio = new Studio(host, { isReadOnly: true, opened: [], compared: given });
    const [before, after] = [await studio.held.open('before'), await studio.held.open('after')];
    const diffOf = async (...asked: Parameters<typeof studio.diffs.of>) => (await studio.diffs.of(...asked)).diff;
    expect(await diffOf(before, after, {})).toBe(report.diff);
    expect(await diffOf(before, after, { rename: [] })).toBe(report.diff);
    expect(await diffOf(after, before, {})).not.toBe(report.diff);
    expect(await diffOf(before, after, { turns: 'each' })).not.toBe(report.diff);
    await using alone = new Studio(host, { isReadOnly: true, opened: [] });
    const asked = { left: 'before', right: 'after' };
    expect(await new DiffPages(studio).page(asked)).toEqual(await new DiffPages(alone).page(asked));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
