import { didYouMean } from '@unroll/engine';
import { CatalogueError } from './catalogue-file.ts';
import { type OpenedCatalogue, withRetrievers } from './open-catalogue.ts';
import { createCatalogue, type ToolCatalogue } from './tool-catalogue.ts';
import type { ToolRetriever } from './tool-retriever.ts';

/**
 * The tools of some categories alone, ranked among each other as if there were no others; all of them for no category.
 *
 * @throws CatalogueError where the catalogue has no such category
 */
export function withinCategories(opened: OpenedCatalogue, categories: readonly string[]): OpenedCatalogue {
  if (categories.length === 0) return opened;
  const known = new Set(opened.catalogue.tools.map(({ category }) => category));
  for (const category of categories) {
    if (known.has(category)) continue;
    const help = didYouMean(category, known);
    throw new CatalogueError(`the catalogue has no category "${category}"${help === undefined ? '' : `; ${help}`}`);
  }
  return withRetrievers(
    createCatalogue(opened.catalogue.tools.filter(({ category }) => categories.includes(category))),
  );
}

/** What a retriever of all tools finds among some of them. */
export function narrowedRetriever(all: ToolRetriever, { tools }: ToolCatalogue, within: ToolCatalogue): ToolRetriever {
  return {
    find: (query, count) =>
      all
        .find(query, tools.length)
        .filter(({ tool }) => within.find(tool.name) !== undefined)
        .slice(0, count),
  };
}
