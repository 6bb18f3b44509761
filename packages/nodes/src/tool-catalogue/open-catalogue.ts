import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { readNamedFile, refusalOf } from '@unroll/engine';
import { CatalogueError, parseCatalogue } from './catalogue-file.ts';
import { readTools } from './read-tools.ts';
import { isRetriever, parseRetriever } from './retriever-file.ts';
import { createCatalogue, nameTools, type ToolCatalogue } from './tool-catalogue.ts';
import { FeatureRetriever, type Ranking, type ToolRetriever } from './tool-retriever.ts';
import { TrainedRetriever } from './trained-retriever.ts';

/** A catalogue that is open, and what finds tools in it. */
export interface OpenedCatalogue {
  readonly catalogue: ToolCatalogue;
  /** Made when it is first asked for. */
  retriever(ranking: Ranking): FeatureRetriever;
}

/**
 * Opens a `.tools` file, or a file that describes tools. It is read once and again only after it has changed.
 *
 * @param path absolute
 * @param shown for messages
 * @throws CatalogueError
 */
export function openCatalogue(path: string, shown: string): OpenedCatalogue {
  const stat = statOf(path, shown);
  const stamp = `${stat.mtimeMs}:${stat.size}`;
  const known = opened.get(path);
  if (known?.stamp === stamp) return known.catalogue;
  const catalogue = withRetrievers(readCatalogue(path, shown));
  opened.set(path, { stamp, catalogue });
  return catalogue;
}

/**
 * Opens what `flow tools train` wrote for a catalogue.
 *
 * @param path absolute
 * @param shown for messages
 * @throws CatalogueError where there is none, or it was trained on other tools
 */
export function openRetriever(path: string, shown: string, { tools }: ToolCatalogue): ToolRetriever {
  statOf(path, shown);
  return new TrainedRetriever(tools, parseRetriever(shown, readFileSync(path), tools));
}

/** @throws CatalogueError where there is no file */
function statOf(path: string, shown: string): Stats {
  if (!existsSync(path)) throw new CatalogueError(`there is no file ${shown}`);
  const stat = statSync(path);
  if (stat.isFile()) return stat;
  throw new CatalogueError(`${shown} cannot be read: ${stat.isDirectory() ? 'it is a folder' : 'it is no file'}`);
}

const opened = new Map<string, { readonly stamp: string; readonly catalogue: OpenedCatalogue }>();

function readCatalogue(path: string, shown: string): ToolCatalogue {
  const text = catalogueText(path, shown);
  if (path.endsWith('.tools')) return parseCatalogue(shown, text);
  const read = readTools({ path: shown, text });
  const named = nameTools(read.tools);
  const mistakes = [...read.mistakes, ...named.mistakes];
  if (mistakes.length === 0) return createCatalogue(named.tools);
  throw new CatalogueError(mistakes.map(({ place, message }) => `${place}: ${message}`).join('\n'));
}

function catalogueText(path: string, shown: string): string {
  try {
    return readNamedFile(path);
  } catch (error) {
    if (isRetriever(path))
      throw new CatalogueError(
        `${shown} is what flow tools train wrote, no catalogue: name the catalogue, and ${shown} as its retriever`,
      );
    throw new CatalogueError(`${shown} cannot be read: ${refusalOf(error) ?? (error as Error).message}`);
  }
}

/** What finds tools in a catalogue, made when it is first asked for. */
export function withRetrievers(catalogue: ToolCatalogue): OpenedCatalogue {
  const made = new Map<Ranking, FeatureRetriever>();
  return {
    catalogue,
    retriever: (ranking) => {
      const before = made.get(ranking);
      if (before !== undefined) return before;
      const retriever = new FeatureRetriever(catalogue.tools, ranking);
      made.set(ranking, retriever);
      return retriever;
    },
  };
}
