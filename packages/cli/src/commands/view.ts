import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type EngineRuns, ProjectFailure, type ProjectHost, projectOn, runsFolder } from '@unroll/project';
import { Studio } from '@unroll/project/studio';
import { formatSize } from '@unroll/project/words';
import { type StudioServer, startStudio } from '@unroll/server';
import { exitCode } from '../exit-code.ts';
import { interrupted } from '../interruption.ts';
import type { Io } from '../io.ts';
import type { ViewSettings } from '../options/view-options.ts';
import { hostOf } from '../project-host.ts';
import { openBrowser } from '../serving/open-browser.ts';
import { studioPage } from '../serving/studio-page.ts';

/** `flow view`: the studio on the runs of a folder, until it is told to end. */
export async function view(settings: ViewSettings, io: Io): Promise<number> {
  const { host, opened } = await shownOf(settings, io);
  if (settings.exportTo !== undefined) return await exportRuns(settings.exportTo, { host, opened }, settings, io);
  const stop = io.interruption();
  await using studio = new Studio(host, { isReadOnly: settings.readOnly, opened });
  const { host: address = '127.0.0.1', port = 0 } = settings;
  await using server = await startStudio(studio, {
    host: address,
    port,
    isReadOnly: settings.readOnly,
    pageFolder: await studioPage(),
  });
  tell(server, opened, settings, io);
  await interrupted(stop);
  return exitCode.done;
}

/** Without a name the newest runs. */
const maxExported = 10;

async function exportRuns(to: string, { host, opened }: Shown, settings: ViewSettings, io: Io): Promise<number> {
  const { exportFile, exportFolder, runsView } = await import('@unroll/project/studio-export');
  await using studio = new Studio(host, { isReadOnly: true, opened, isExport: true });
  const newest = (await studio.runs({ limit: maxExported })).runs.map(({ id }) => id);
  const runs = opened.length > 0 ? opened : newest;
  if (runs.length === 0) throw new ProjectFailure('there is no run to export', { help: 'flow run makes one.' });
  const pageFolder = await studioPage();
  const isFile = to.endsWith('.html');
  const bytes = isFile
    ? await exportFile({ file: to, from: io.folder, view: runsView(runs), pageFolder }, studio)
    : (await exportFolder({ folder: resolve(io.folder, to), shownFolder: to, runs, pageFolder }, studio)).bytes;
  const page = isFile ? to : `${to}/index.html`;
  if (settings.json) io.stdout.write(`${JSON.stringify({ page, runs, bytes })}\n`);
  else io.stdout.write(`${page}: ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}, ${formatSize(bytes)}\n`);
  return exitCode.done;
}

interface Shown {
  readonly host: ProjectHost;
  /** Ids of runs. */
  readonly opened: readonly string[];
}

/** A folder is the project that is shown, anything else a run of it. */
async function shownOf(settings: ViewSettings, io: Io): Promise<Shown> {
  const isFolder = (name: string): boolean =>
    statSync(resolve(io.folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = resolve(io.folder, settings.shown.find(isFolder) ?? '.');
  const own = hostOf(settings, io);
  const engine = await reachedEngine(own, io);
  const host = { ...own, folder, runsFolder: runsFolder(settings.runsDir, { ...io, folder }), engine };
  const { runs } = projectOn(host);
  const named = settings.shown.filter((name) => !isFolder(name));
  const found = await Promise.all(named.map((name) => runs.find(name)));
  return { host, opened: found.map(({ id }) => id) };
}

/** That FLOW_ENGINE names one that is not reached is no reason to show nothing. */
async function reachedEngine({ engine }: ProjectHost, io: Io): Promise<EngineRuns | undefined> {
  try {
    await engine?.catalog();
    return engine;
  } catch (error) {
    if (engine?.isFirst === true || !(error instanceof ProjectFailure)) throw error;
    io.stderr.write(`warning: the runs of FLOW_ENGINE are not shown: ${error.message}\n`);
    return undefined;
  }
}

/** The token goes to who started it and to his browser, to nobody else: neither is redacted. */
function tell({ url, token }: StudioServer, opened: readonly string[], settings: ViewSettings, io: Io): void {
  const [only, ...others] = opened;
  const page = only === undefined || others.length > 0 ? '' : `runs/${encodeURIComponent(only)}`;
  const address = `${url}/${page}?token=${token}`;
  io.stdout.write(settings.json ? `${JSON.stringify({ url, token, address })}\n` : `${address}\n`);
  if (settings.open && !settings.json && io.isInteractive) openBrowser(address);
}
