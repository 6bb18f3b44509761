import { didYouMean, type JsonObject, parseJson } from '@unroll/engine';
import {
  makeQueries,
  mostTrained,
  stringifyRetriever,
  type ToolCatalogue,
  type TrainingProgress,
  type TrainingQuery,
  trainRetriever,
} from '@unroll/nodes/tool-catalogue';
import { ProjectFailure, readTextFile, writeOutputFile } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { TrainToolsSettings } from '../../options/tools-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { openTools } from './open-tools.ts';

const madeByDefault = 3000;
const madeSeed = 1;

/** `flow tools train`: a small retriever for the tools of one catalogue. */
export async function train(settings: TrainToolsSettings, io: Io): Promise<number> {
  const { catalogue: path, out } = settings;
  if (out === undefined) {
    const help = `for instance: flow tools train ${path} --out shop.model`;
    throw new ProjectFailure('no file to write is named', { help });
  }
  const { catalogue } = openTools(path, io);
  const { tools } = catalogue;
  if (tools.length > mostTrained) {
    throw new ProjectFailure(`${path} has ${tools.length} tools; at most ${mostTrained} can be trained on`);
  }
  const asked = settings.queries;
  const queries =
    asked === undefined
      ? makeQueries(tools, settings.made ?? madeByDefault, madeSeed)
      : readQueries(asked, catalogue, io);
  const kind = asked === undefined ? 'made of the documentation' : `of ${asked}`;
  const isQuiet = settings.quiet;
  if (!isQuiet) io.stderr.write(`${tools.length} tools, ${queries.length} requests ${kind}\n`);
  const unseen = settings.unseen === undefined ? new Set<number>() : readUnseen(settings.unseen, catalogue, io);
  if (!isQuiet && unseen.size > 0) io.stderr.write(`kept out of it: ${unseen.size}\n`);
  const progress = isQuiet ? {} : { onProgress: (told: TrainingProgress) => io.stderr.write(passLine(told)) };
  const model = trainRetriever(tools, queries, { unseen, ...progress });
  const bytes = stringifyRetriever(model, tools);
  writeOutputFile(out, bytes, io);
  io.stdout.write(
    settings.json
      ? stringifyJsonLine({ model: out, tools: tools.length, bytes: bytes.length })
      : `${out}: ${tools.length} tools, ${(bytes.length / 1e6).toFixed(1)} MB\n`,
  );
  return exitCode.done;
}

function passLine({ stage, pass, passes, loss }: TrainingProgress): string {
  return `${stage.padEnd(8)} ${pass}/${passes}  loss ${loss.toFixed(3)}\n`;
}

/** @throws ProjectFailure naming the first line that is wrong */
function readQueries(path: string, catalogue: ToolCatalogue, io: Io): readonly TrainingQuery[] {
  const text = readTextFile(path, io);
  const places = new Map(catalogue.tools.map(({ name }, at) => [name, at]));
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const { query, relevant } = objectOf(line, `${path}:${at + 1}`);
    if (typeof query !== 'string' || !Array.isArray(relevant)) {
      throw new ProjectFailure(`${path}:${at + 1}: expected {"query": "…", "relevant": ["name of a tool", …]}`);
    }
    return [{ query, relevant: relevant.map((name) => placeOf(String(name), places, `${path}:${at + 1}`)) }];
  });
}

/** @throws ProjectFailure naming the first line that is no tool */
function readUnseen(path: string, catalogue: ToolCatalogue, io: Io): ReadonlySet<number> {
  const places = new Map(catalogue.tools.map(({ name }, at) => [name, at]));
  const lines = readTextFile(path, io).split('\n');
  return new Set(
    lines.flatMap((line, at) => (line.trim() === '' ? [] : [placeOf(line.trim(), places, `${path}:${at + 1}`)])),
  );
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
