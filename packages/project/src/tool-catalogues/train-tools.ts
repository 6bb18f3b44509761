import { didYouMean, type JsonObject, parseJson } from '@unroll/engine';
import {
  makeQueries,
  maxTrained,
  stringifyRetriever,
  type ToolCatalogue,
  type TrainingProgress,
  type TrainingQuery,
  trainRetriever,
} from '@unroll/nodes/tool-catalogue';
import { writeOutputFile } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { readTextFile } from '../host/text-file.ts';
import { openTools } from './open-tools.ts';

const madeSeed = 1;

export interface TrainingSettings {
  /** A file of `{query, relevant}`, a line each; or how many requests are made of the documentation. */
  readonly queries: { readonly file: string } | { readonly made: number };
  /** A file of names of tools, one a line, that are kept out of it. */
  readonly unseen?: string | undefined;
}

export interface TrainingFollowing {
  readonly onBegun: (about: { readonly tools: number; readonly queries: number; readonly unseen: number }) => void;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
}

export interface TrainedTools {
  readonly tools: number;
  /** Of the file. */
  readonly bytes: number;
}

/**
 * A small retriever for the tools of one catalogue.
 *
 * @param out the file to write, from the current folder
 * @throws ProjectFailure where a file cannot be read or written, naming the first line that is wrong, or there are too many tools
 */
export function trainTools(
  path: string,
  out: string,
  { queries: asked, unseen: unseenFile }: TrainingSettings,
  { onBegun, onProgress }: TrainingFollowing,
  system: System,
): TrainedTools {
  const { catalogue } = openTools(path, system);
  const { tools } = catalogue;
  if (tools.length > maxTrained) {
    throw new ProjectFailure(`${path} has ${tools.length} tools; at most ${maxTrained} can be trained on`);
  }
  const queries =
    'made' in asked ? makeQueries(tools, asked.made, madeSeed) : readQueries(asked.file, catalogue, system);
  const unseen = unseenFile === undefined ? new Set<number>() : readUnseen(unseenFile, catalogue, system);
  onBegun({ tools: tools.length, queries: queries.length, unseen: unseen.size });
  const model = trainRetriever(tools, queries, { unseen, ...(onProgress === undefined ? {} : { onProgress }) });
  const bytes = stringifyRetriever(model, tools);
  writeOutputFile(out, bytes, system);
  return { tools: tools.length, bytes: bytes.length };
}

function readQueries(path: string, catalogue: ToolCatalogue, system: System): readonly TrainingQuery[] {
  const text = readTextFile(path, system);
  const places = placesOf(catalogue);
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const place = `${path}:${at + 1}`;
    const { query, relevant } = objectOf(line, place);
    if (typeof query !== 'string' || !Array.isArray(relevant)) {
      throw new ProjectFailure(`${place}: expected {"query": "…", "relevant": ["name of a tool", …]}`);
    }
    return [{ query, relevant: relevant.map((name) => placeOf(String(name), places, place)) }];
  });
}

function readUnseen(path: string, catalogue: ToolCatalogue, system: System): ReadonlySet<number> {
  const places = placesOf(catalogue);
  const lines = readTextFile(path, system).split('\n');
  return new Set(
    lines.flatMap((line, at) => (line.trim() === '' ? [] : [placeOf(line.trim(), places, `${path}:${at + 1}`)])),
  );
}

function placesOf({ tools }: ToolCatalogue): ReadonlyMap<string, number> {
  return new Map(tools.map(({ name }, at) => [name, at]));
}

function objectOf(line: string, place: string): JsonObject {
  try {
    const value = parseJson(line);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  } catch {
    throw new ProjectFailure(`${place}: no JSON`);
  }
}

function placeOf(name: string, places: ReadonlyMap<string, number>, line: string): number {
  const place = places.get(name);
  if (place !== undefined) return place;
  throw new ProjectFailure(`${line}: the catalogue has no tool "${name}"`, { help: didYouMean(name, places.keys()) });
}
