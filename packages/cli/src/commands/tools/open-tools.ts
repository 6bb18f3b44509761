import { resolve } from 'node:path';
import { CatalogueError, type OpenedCatalogue, openCatalogue } from '@unroll/nodes/tool-catalogue';
import { CommandFailure } from '../../command-failure.ts';
import type { Io } from '../../io.ts';

/** @throws CommandFailure when the catalogue cannot be read */
export function openTools(path: string | undefined, io: Io): OpenedCatalogue {
  if (path === undefined) throw new CommandFailure('no catalogue is named');
  try {
    return openCatalogue(resolve(io.folder, path), path);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new CommandFailure(error.message, { code: error.code });
  }
}
