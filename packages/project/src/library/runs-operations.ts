import { checkRunFile, type RunMarks } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { requireName } from '../host/required-names.ts';
import type { RunRecord } from '../host/run-outcome.ts';
import { findRun } from '../records/find-run.ts';
import { folderCatalog } from '../records/folder-catalog.ts';
import { catalogOf, markRun, marksOf, openRecord, workState } from '../records/open-record.ts';
import { refuseRecord } from '../records/record-failure.ts';
import { isAtEngine, placeAtEngine, runIdOf, shownPlace } from '../records/record-place.ts';
import { removeRun } from '../records/remove-run.ts';
import { findRunFile, listRunIds, runPath } from '../records/runs-folder.ts';
import { type RunSummary, readRunSummary } from '../run-catalog/run-summary.ts';
import { keptRuns, surplusRuns } from '../run-catalog/surplus-runs.ts';
import type { Runs } from './project.ts';
import { readSettings } from './read-settings.ts';
import { importSettings, limitSettings, listSettings, marksSettings } from './record-settings.ts';

export function runsOn(host: ProjectHost): Runs {
  const folder = host.runsFolder;
  const find = async (run?: string): Promise<RunRecord> => {
    const file = await findRun(run, host);
    return { id: runIdOf(file), file, path: shownPlace(file, host.folder) };
  };
  return {
    folder,
    list: async (given = {}) => {
      const { limit = Infinity, at = 'folder', tag } = readSettings(listSettings, given);
      const places = at === 'folder' ? listRunIds(folder).map((id) => runPath(folder, id)) : await placesAtEngine(host);
      const listed: RunSummary[] = [];
      const marks = await allMarks(at, host);
      const isAsked = (place: string): boolean =>
        tag === undefined || marks.get(runIdOf(place))?.tags.includes(tag) === true;
      for (const place of places.filter(isAsked).slice(0, limit)) {
        listed.push(withMarks(await readRunSummary(place, host), marks.get(runIdOf(place))));
      }
      return listed;
    },
    find,
    summary: async (run) => {
      const place = await findRun(run, host);
      return withMarks(await readRunSummary(place, host), await marksOf(place, host));
    },
    mark: async (run, change) => {
      const read = readSettings(marksSettings, change);
      return await markRun(await findRun(run, host), read, host);
    },
    open: async (run) => await openRecord(await findRun(run, host), host),
    standing: async (run) => {
      const place = await findRun(run, host);
      const { runStanding } = await import('../run-catalog/run-standing.ts');
      await using store = await openRecord(place, host);
      return await runStanding(store, place, host);
    },
    isRunning: async (run) => (await workState(await findRun(run, host), host)) === 'running',
    remove: async (run) => {
      // Where other operations take the newest run, nobody means to lose it.
      if (typeof run !== 'string' || run === '') throw new ProjectFailure('which run is to be removed? Give its name');
      const { file, id } = await find(run);
      if (isAtEngine(file)) await (await catalogOf(file, host)).remove(id);
      else removeRun(file, id);
    },
    kept: () => keptRuns(host),
    surplus: async (limits) => surplusRuns(await keptRuns(host), readSettings(limitSettings, limits)),
    import: async (from, given = {}) => {
      requireName(from, 'the folder of a run');
      const settings = readSettings(importSettings, given);
      const { importRun } = await import('../run-catalog/import-run.ts');
      return await importRun(from, settings, host);
    },
    check: async (run) => await checkRunFile(findRunFile(run, host)).catch(refuseRecord),
  };
}

function withMarks(summary: RunSummary, marks: RunMarks | undefined): RunSummary {
  return marks === undefined ? summary : { ...summary, marks };
}

async function allMarks(at: 'folder' | 'engine', host: ProjectHost): Promise<ReadonlyMap<string, RunMarks>> {
  if (at === 'folder') return await folderCatalog(host.runsFolder).marks();
  return (await host.engine?.catalog())?.marks() ?? new Map();
}

async function placesAtEngine({ engine }: ProjectHost): Promise<readonly string[]> {
  if (engine === undefined) throw new ProjectFailure('no engine is named', { code: 'EngineNotNamed' });
  const catalog = await engine.catalog();
  return (await catalog.ids()).map((id) => placeAtEngine(catalog.shown, id));
}
