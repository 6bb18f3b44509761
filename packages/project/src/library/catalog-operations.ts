import { checkRunFile } from '@unroll/engine';
import type { ProjectHost } from '../host/project-host.ts';
import type { RunRecord } from '../host/run-outcome.ts';
import { shownPath } from '../host/shown-path.ts';
import { openRecord } from '../records/open-record.ts';
import { removeRun } from '../records/remove-run.ts';
import { lockState } from '../records/run-lock.ts';
import { findRun, listRunIds, runIdOf, runPath } from '../records/runs-folder.ts';
import { type RunSummary, readRunSummary } from '../run-catalog/run-summary.ts';
import { keptRuns, surplusRuns } from '../run-catalog/surplus-runs.ts';
import type { RunCatalog } from './project.ts';

export function catalogOn(host: ProjectHost): RunCatalog {
  const folder = host.runsFolder;
  const find = (run?: string): RunRecord => {
    const file = findRun(run, host);
    return { id: runIdOf(file), file, path: shownPath(file, host.folder) };
  };
  return {
    folder,
    list: async ({ limit = Infinity } = {}) => {
      const listed: RunSummary[] = [];
      for (const id of listRunIds(folder).slice(0, limit)) listed.push(await readRunSummary(id, runPath(folder, id)));
      return listed;
    },
    find,
    summary: async (run) => {
      const { file, id } = find(run);
      return await readRunSummary(id, file);
    },
    open: async (run) => openRecord(findRun(run, host), host),
    standing: async (run) => {
      const { file } = find(run);
      const { runStanding } = await import('../run-catalog/run-standing.ts');
      await using store = openRecord(file, host);
      return await runStanding(store, file, host);
    },
    isRunning: (run) => lockState(findRun(run, host)) === 'running',
    remove: async (run) => {
      const { file, id } = find(run);
      removeRun(file, id);
    },
    kept: () => keptRuns(host),
    surplus: async (limits) => surplusRuns(await keptRuns(host), limits),
    import: async (from, settings = {}) => {
      const { importRun } = await import('../run-catalog/import-run.ts');
      return await importRun(from, settings, host);
    },
    check: async (run) => await checkRunFile(findRun(run, host)),
  };
}
