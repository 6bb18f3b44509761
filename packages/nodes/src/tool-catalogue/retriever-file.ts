import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CatalogueError } from './catalogue-file.ts';
import type { CatalogueTool } from './catalogue-tool.ts';
import { fewestBuckets, maxTrained } from './train-retriever.ts';
import type { ToolWeights } from './trained-retriever.ts';

const format = 1;

/** No first line is longer. */
export const headBytes = 1000;

/**
 * The bytes of a trained retriever: a line of JSON that says what it is, then, little-endian, `rarity` as float32
 * `[buckets]`, a scale a tool as float32 `[tools]`, and weights in steps of that scale as int8 `[buckets][tools]`.
 */
export function stringifyRetriever(model: ToolWeights, tools: readonly CatalogueTool[]): Uint8Array {
  const { tools: count, buckets, weights, rarity } = model;
  const head = { unroll_tool_retriever: format, tools: count, buckets, catalogue: catalogueDigest(tools) };
  const line = new TextEncoder().encode(`${JSON.stringify(head)}\n`);
  const scales = scalesOf(model);
  const steps = new Int8Array(weights.length);
  for (let at = 0; at < weights.length; at += 1) {
    steps[at] = Math.round((weights[at] as number) / (scales[at % count] as number));
  }
  const out = new Uint8Array(line.length + 4 * (buckets + count) + steps.length);
  out.set(line);
  const view = new DataView(out.buffer);
  let place = line.length;
  for (const value of [...rarity, ...scales]) {
    view.setFloat32(place, value, true);
    place += 4;
  }
  out.set(new Uint8Array(steps.buffer), place);
  return out;
}

/**
 * Reads a trained retriever for the tools it was trained on.
 *
 * @param path for messages
 * @throws CatalogueError where it is none, is broken, or was trained on other tools
 */
export function parseRetriever(path: string, bytes: Uint8Array, tools: readonly CatalogueTool[]): ToolWeights {
  const { tools: count, buckets, start } = checkRetriever(path, bytes, bytes.length, tools);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const floats = (from: number, length: number): Float32Array =>
    Float32Array.from({ length }, (_, at) => view.getFloat32(from + 4 * at, true));
  const rarity = floats(start, buckets);
  const scales = floats(start + 4 * buckets, count);
  const place = start + 4 * (buckets + count);
  const weights = new Float32Array(buckets * count);
  for (let at = 0; at < weights.length; at += 1) {
    weights[at] = view.getInt8(place + at) * (scales[at % count] as number);
  }
  return { tools: count, buckets, weights, rarity };
}

/**
 * What the beginning of a trained retriever tells, which is enough to know whether it can be used.
 *
 * @param beginning its first {@link headBytes} bytes at least
 * @param size of the whole file
 * @throws CatalogueError where it is none, is broken, or was trained on other tools
 */
export function checkRetriever(
  path: string,
  beginning: Uint8Array,
  size: number,
  tools: readonly CatalogueTool[],
): { readonly tools: number; readonly buckets: number; readonly start: number } {
  const end = beginning.indexOf(10);
  const head = readHead(path, new TextDecoder().decode(beginning.subarray(0, Math.max(0, Math.min(end, headBytes)))));
  const { tools: count, buckets } = head;
  if (count !== tools.length || head.catalogue !== catalogueDigest(tools)) {
    throw new CatalogueError(`${path} was trained on another catalogue; train it again: flow tools train`);
  }
  const start = end + 1;
  if (size !== start + 4 * (buckets + count) + buckets * count) throw new CatalogueError(`${path} is cut off`);
  return { tools: count, buckets, start };
}

/** Whether a file that could not be read as text begins as retrievers do. */
export function isRetriever(path: string): boolean {
  try {
    return readFileSync(path).subarray(0, headBytes).toString('latin1').startsWith('{"unroll_tool_retriever":');
  } catch {
    return false;
  }
}

interface Head {
  readonly tools: number;
  readonly buckets: number;
  readonly catalogue: string;
}

function readHead(path: string, line: string): Head {
  const read = /^\{"unroll_tool_retriever":(\d+),"tools":(\d+),"buckets":(\d+),"catalogue":"([0-9a-f]+)"\}$/.exec(line);
  if (read === null) {
    throw new CatalogueError(`${path} is no trained retriever; make one: flow tools train <catalogue> --out ${path}`);
  }
  const [, written, tools, buckets, catalogue = ''] = read;
  if (Number(written) !== format)
    throw new CatalogueError(`${path} has format ${written}, this version reads ${format}`);
  const isSound = Number(tools) <= maxTrained && Number(buckets) >= fewestBuckets && Number(buckets) <= 2 ** 15;
  if (!isSound) throw new CatalogueError(`${path} is broken`);
  return { tools: Number(tools), buckets: Number(buckets), catalogue };
}

/** Digest of the names, in their order: weights belong to places. */
function catalogueDigest(tools: readonly CatalogueTool[]): string {
  const hash = createHash('sha256');
  for (const { name } of tools) hash.update(`${name}\n`);
  return hash.digest('hex').slice(0, 16);
}

/** The largest weight of a tool is 127 steps. */
function scalesOf({ tools, weights }: ToolWeights): Float32Array {
  const largest = new Float32Array(tools);
  for (let at = 0; at < weights.length; at += 1) {
    const size = Math.abs(weights[at] as number);
    if (size > (largest[at % tools] as number)) largest[at % tools] = size;
  }
  return largest.map((size) => size / 127 || 1);
}
