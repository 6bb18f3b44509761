import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@unroll/engine';
import { madeWith } from '../host/made-with.ts';
import { outputNotWritable } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { Studio } from '../studio/studio.ts';
import { Answers } from './answers.ts';
import { addRuns, type ExportBounds, exportBounds } from './export-runs.ts';
import { folderPage, readPage } from './page-text.ts';

interface FolderExport {
  /** Absolute; a folder that is not there, is empty, or is an earlier export. */
  readonly folder: string;
  /** As given. */
  readonly shownFolder: string;
  /** Ids. */
  readonly runs: readonly string[];
  /** Of the built page, absolute. */
  readonly pageFolder: string;
  readonly bounds?: ExportBounds;
}

/** What was written. */
interface ExportedFolder {
  readonly files: number;
  readonly bytes: number;
}

/** By this file a folder is known as an export, which may be made again. */
const markFile = 'unroll-export.json';

/**
 * Writes a folder that shows runs without a server: index.html can be opened from disk, or served as it is by any host of files.
 * The folder is there whole or as it was before.
 *
 * @throws ProjectFailure where the folder is something else, or cannot be written
 */
export async function exportFolder(asked: FolderExport, studio: Studio): Promise<ExportedFolder> {
  const target = asked.folder;
  refuseOther(target, asked.shownFolder);
  const made = `${target}.new`;
  try {
    rmSync(made, { recursive: true, force: true });
    makeFolder(join(made, 'data'));
    await writeParts(made, asked, studio);
    rmSync(target, { recursive: true, force: true });
    renameSync(made, target);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (error instanceof Error && 'syscall' in error) throw outputNotWritable(asked.shownFolder, error);
    throw error;
  }
  const sizes = readdirSync(target, { recursive: true }).map((name) => statSync(join(target, String(name))));
  const files = sizes.filter((stat) => stat.isFile());
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

/** @throws ProjectFailure for anything that was not made by an export */
function refuseOther(target: string, shown: string): void {
  if (!existsSync(target)) return;
  const help = 'Name a folder that is not there yet, or an earlier export, which is made anew.';
  if (!statSync(target).isDirectory()) throw new ProjectFailure(`${shown} is a file`, { help });
  if (readdirSync(target).length === 0 || isExport(join(target, markFile))) return;
  throw new ProjectFailure(`${shown} is no export of flow view: it is left as it is`, { help });
}

function isExport(file: string): boolean {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { unroll?: unknown } | null)?.unroll === 'export';
  } catch {
    return false;
  }
}

async function writeParts(
  made: string,
  { runs, pageFolder, bounds = exportBounds }: FolderExport,
  studio: Studio,
): Promise<void> {
  const answers = new Answers();
  const files: Record<string, string> = {};
  const written = new Set<string>();
  const put = (): void => {
    const part = answers.take();
    const questions = [...Object.keys(part.answers), ...Object.keys(part.rows)];
    if (questions.length === 0) return;
    const file = `data/${written.size + 1}.js`;
    written.add(file);
    for (const question of questions) files[question] = file;
    writeFileSync(join(made, file), `unrollExport(${studio.host.redactor.text(JSON.stringify(part))});\n`);
  };
  await addRuns({ runs, bounds, put }, answers, studio);
  const [only, ...others] = runs;
  const start = only === undefined || others.length > 0 ? '/' : `/runs/${encodeURIComponent(only)}`;
  const page = readPage(pageFolder);
  // A script of its own scope: a page from disk may not load modules.
  writeFileSync(join(made, 'studio.js'), `(() => {\n${page.script}\n})();\n`);
  writeFileSync(join(made, 'studio.css'), page.style);
  writeFileSync(join(made, 'icon.svg'), page.icon);
  writeFileSync(join(made, 'index.html'), folderPage({ start, answers: {}, rows: {}, files }, 'Unroll'));
  const mark = { unroll: 'export', release: madeWith().version, runs };
  writeFileSync(join(made, markFile), `${JSON.stringify(mark, null, 2)}\n`);
}
