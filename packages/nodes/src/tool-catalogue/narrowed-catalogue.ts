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
  const unknown = unknownCategory(opened.catalogue, categories);
  if (unknown !== undefined) {
    const { message, help } = unknown;
    throw new CatalogueError(help === undefined ? message : `${message}; ${help}`);
  }
  return withRetrievers(
    createCatalogue(opened.catalogue.tools.filter(({ category }) => categories.includes(category))),
  );
}

/** The first of some categories that a catalogue does not have, and what may be meant. */
export function unknownCategory(
  { tools }: ToolCatalogue,
  categories: readonly string[],
): { readonly message: string; readonly help?: string | undefined } | undefined {
  const known = new Set(tools.map(({ category }) => category));
  const unknown = categories.find((category) => !known.has(category));
  if (unknown === undefined) return undefined;
  return { message: `the catalogue has no category "${unknown}"`, help: didYouMean(unknown, known) };
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
