import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { type DatabaseSync, IndexError, openIndexDatabase } from '@unroll/nodes/build-index';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';

/** @throws ProjectFailure when it is not there or cannot be used */
export function openIndexFile(given: string, system: Pick<System, 'folder'>, access: 'read' | 'write'): DatabaseSync {
  const path = requireIndexFile(given, system);
  try {
    return openIndexDatabase(path, access, given);
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    const isBroken = error.code === 'IndexInvalid' && access === 'write';
    const help = isBroken ? `flow index build … --out ${shellWord(given)} --rebuild makes it again` : undefined;
    throw new ProjectFailure(error.message, { code: error.code, help });
  }
}

/**
 * @returns its path
 * @throws ProjectFailure when there is none
 */
export function requireIndexFile(given: string, { folder }: Pick<System, 'folder'>): string {
  const path = resolve(folder, given);
  if (!existsSync(path)) {
    const names = readdirSync(folder).filter((name) => name.endsWith('.index'));
    const help = didYouMean(given, names) ?? 'flow index build <folder> --out name.index makes one';
    throw new ProjectFailure(`there is no index ${given}`, { code: 'IndexNotFound', help });
  }
  if (statSync(path).isDirectory()) {
    throw new ProjectFailure(`${given} cannot be read: it is a folder`, { code: 'IndexInvalid' });
  }
  return path;
}
