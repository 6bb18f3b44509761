import { on } from 'node:events';
import { watch } from 'node:fs';

/** Resolves once it is so: asked at first, and again whenever something in the folder, not below it, has changed. */
export async function untilFiles(folder: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const watcher = watch(folder);
  const changes = on(watcher, 'change');
  try {
    while (!(await isSo())) await changes.next();
  } finally {
    watcher.close();
  }
}
