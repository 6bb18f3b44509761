import type { ProjectHost } from '../host/project-host.ts';
import { folderCatalog } from '../records/folder-catalog.ts';
import { placeAtEngine } from '../records/record-place.ts';
import { listRunIds, madeFolder, runPath } from '../records/runs-folder.ts';

/** Where a run is, and how its record stands. */
export interface SeenRun {
  readonly place: string;
  readonly stamp: string;
}

/**
 * The runs of the folder and of the engine by their ids, each newest first. Of two with one id there is the one that this id means
 * where it is typed.
 */
export async function seenRuns({ runsFolder, engine }: ProjectHost): Promise<ReadonlyMap<string, SeenRun>> {
  const stamps = [...(await folderCatalog(runsFolder).stamps())];
  const here = stamps.map(([id, stamp]) => [id, { place: runPath(runsFolder, id), stamp }] as const);
  if (engine === undefined) return new Map(here);
  const catalog = await engine.catalog();
  const atEngine = [...(await catalog.stamps())];
  const there = atEngine.map(([id, stamp]) => [id, { place: placeAtEngine(catalog.shown, id), stamp }] as const);
  return new Map(engine.isFirst ? [...here, ...there] : [...there, ...here]);
}

/** Place of a run by its whole id, those that evaluations made among them; nothing that leads elsewhere is looked at. */
export async function placeOfRun(id: string, { runsFolder, engine }: ProjectHost): Promise<string | undefined> {
  const folder = [runsFolder, madeFolder(runsFolder)].find((one) => listRunIds(one).includes(id));
  const here = folder === undefined ? undefined : runPath(folder, id);
  if (engine === undefined || (here !== undefined && !engine.isFirst)) return here;
  const catalog = await engine.catalog();
  return (await catalog.ids()).includes(id) ? placeAtEngine(catalog.shown, id) : here;
}
