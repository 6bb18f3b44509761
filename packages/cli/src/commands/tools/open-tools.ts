import { resolve } from 'node:path';
import {
  CatalogueError,
  narrowedRetriever,
  type OpenedCatalogue,
  openCatalogue,
  openRetriever,
  type ToolCatalogue,
  type ToolRetriever,
  withinCategories,
} from '@unroll/nodes/tool-catalogue';
import { ProjectFailure } from '@unroll/project';
import type { Io } from '../../io.ts';

/** @throws ProjectFailure when the catalogue cannot be read */
export function openTools(path: string, io: Io): OpenedCatalogue {
  return orFailure(() => openCatalogue(resolve(io.folder, path), path));
}

/** @throws ProjectFailure where there is no such category */
export function openCategories(whole: OpenedCatalogue, categories: readonly string[]): OpenedCatalogue {
  return orFailure(() => withinCategories(whole, categories));
}

/**
 * @param within the tools that may be found
 * @throws ProjectFailure when the retriever cannot be read, or is one of other tools
 */
export function openTrained(path: string, catalogue: ToolCatalogue, within: ToolCatalogue, io: Io): ToolRetriever {
  const trained = orFailure(() => openRetriever(resolve(io.folder, path), path, catalogue));
  return within === catalogue ? trained : narrowedRetriever(trained, catalogue, within);
}

function orFailure<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new ProjectFailure(error.message, { code: error.code });
  }
}
