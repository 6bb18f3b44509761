import { resolve } from 'node:path';
import {
  CatalogueError,
  type OpenedCatalogue,
  openCatalogue,
  openRetriever,
  type ToolCatalogue,
  type ToolRetriever,
} from '@unroll/nodes/tool-catalogue';
import { ProjectFailure } from '@unroll/project';
import type { Io } from '../../io.ts';

/** @throws ProjectFailure when the catalogue cannot be read */
export function openTools(path: string, io: Io): OpenedCatalogue {
  return orFailure(() => openCatalogue(resolve(io.folder, path), path));
}

/** @throws ProjectFailure when the retriever cannot be read, or is one of other tools */
export function openTrained(path: string, catalogue: ToolCatalogue, io: Io): ToolRetriever {
  return orFailure(() => openRetriever(resolve(io.folder, path), path, catalogue));
}

function orFailure<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new ProjectFailure(error.message, { code: error.code });
  }
}
