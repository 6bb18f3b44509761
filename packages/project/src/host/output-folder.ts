import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { makeFolder } from '@unroll/engine';
import { outputNotWritable } from './output-file.ts';
import { ProjectFailure } from './project-failure.ts';
import type { System } from './project-host.ts';

/**
 * Fills a folder that was asked for. What goes into it is written in a hidden folder of it first and takes its place when it is
 * whole: a full disk leaves nothing that looks whole.
 *
 * @param path as given
 * @param fill writes into the folder it is given; where it refuses what it wrote, nothing is written
 * @param replaced paths in the folder that are removed, once what takes their place is there; all else that is not written stays
 * @throws ProjectFailure when it cannot be written
 */
export function fillFolder(
  path: string,
  { folder }: Pick<System, 'folder'>,
  fill: (folder: string) => void,
  replaced: readonly string[] = [],
): void {
  const target = resolve(folder, path);
  const wasThere = existsSync(target);
  let isWhole = false;
  let hidden: string | undefined;
  try {
    makeFolder(target);
    hidden = mkdtempSync(join(target, '.new-'));
    fill(hidden);
    for (const one of replaced) rmSync(join(target, one), { recursive: true, force: true });
    moveFiles(hidden, target);
    isWhole = true;
  } catch (error) {
    throw error instanceof ProjectFailure ? error : outputNotWritable(path, error);
  } finally {
    if (hidden !== undefined) rmSync(hidden, { recursive: true, force: true });
    if (!isWhole && !wasThere && existsSync(target)) rmSync(target, { recursive: true, force: true });
  }
}

function moveFiles(from: string, to: string): void {
  const files = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  for (const { parentPath, name } of files) {
    const place = join(to, relative(from, join(parentPath, name)));
    makeFolder(dirname(place));
    renameSync(join(parentPath, name), place);
  }
}
