import { resolve } from 'node:path';
import {
  CatalogueError,
  narrowedRetriever,
  type OpenedCatalogue,
  openCatalogue,
  openRetriever,
  type Ranking,
  type ToolRetriever,
  withinCategories,
} from '@unroll/nodes/tool-catalogue';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';

/** @throws ProjectFailure when the catalogue cannot be read */
export function openTools(path: string, { folder }: Pick<System, 'folder'>): OpenedCatalogue {
  return orFailure(() => openCatalogue(resolve(folder, path), path));
}

/** How tools are looked for. */
export interface ToolSearch {
  /** Those alone; all where none is named. */
  readonly categories: readonly string[];
  readonly ranking: Ranking;
  /** A file that `trainTools` wrote, in place of the ranking. */
  readonly retriever?: string | undefined;
}

/** @throws ProjectFailure when a file cannot be read, a retriever is one of other tools, or there is no such category */
export function openToolSearch(
  path: string,
  { categories, ranking, retriever }: ToolSearch,
  system: Pick<System, 'folder'>,
): ToolRetriever {
  const whole = openTools(path, system);
  const within = orFailure(() => withinCategories(whole, categories));
  if (retriever === undefined) return within.retriever(ranking);
  const trained = orFailure(() => openRetriever(resolve(system.folder, retriever), retriever, whole.catalogue));
  if (within.catalogue === whole.catalogue) return trained;
  return narrowedRetriever(trained, whole.catalogue, within.catalogue);
}

function orFailure<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new ProjectFailure(error.message, { code: error.code });
  }
}
