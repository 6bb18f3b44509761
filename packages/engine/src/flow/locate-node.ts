import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { SourceFile, Span } from '../source/source-file.ts';
import type { SpecPath } from './flow-spec.ts';
/** Whether a pair is `<<`, which takes another mapping in. */
export function isMerge(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.value === '<<';
}

/** The key of a pair, as JSON has it. */
export function keyText(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

/** Where a node of the document stands; nothing where the reader has no place for it. */
export function spanOf(node: unknown, file: SourceFile): { readonly span?: Span } {
  const range = (node as Node | null)?.range;
  if (range === null || range === undefined) return {};
  const [start, valueEnd] = range;
  const text = file.text.slice(start, valueEnd).trimEnd();
  return { span: { file, start, end: start + text.length } };
}

/** Where the value at a path stands, or its key; undefined where nothing is there. */
export function locateNode(
  document: Document,
  file: SourceFile,
  path: SpecPath,
  part: 'key' | 'value',
): Span | undefined {
  let place: Place | undefined = { key: undefined, value: document.contents };
  for (const step of path) {
    place = stepInto(document, place.value, step);
    if (place === undefined) return undefined;
  }
  const value = spanOf(place.value, file).span;
  const key = spanOf(place.key, file).span;
  return part === 'key' ? (key ?? value) : (value ?? key);
}

interface Place {
  readonly key: unknown;
  readonly value: unknown;
}

function stepInto(document: Document, node: unknown, step: string | number): Place | undefined {
  const target = isAlias(node) ? node.resolve(document) : node;
  if (isMap(target)) return findPair(document, target, String(step));
  const item = isSeq(target) && typeof step === 'number' ? target.items[step] : undefined;
  return item === undefined ? undefined : { key: item, value: item };
}

function findPair(document: Document, map: YAMLMap, key: string): Pair | undefined {
  const own = map.items.findLast((pair) => !isMerge(pair) && keyText(pair) === key);
  if (own !== undefined) return own;
  for (const pair of map.items.filter(isMerge)) {
    const found = findMerged(document, pair.value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findMerged(document: Document, written: unknown, key: string): Pair | undefined {
  const source = isAlias(written) ? written.resolve(document) : written;
  if (isMap(source)) return findPair(document, source, key);
  if (!isSeq(source)) return undefined;
  for (const item of source.items) {
    const found = findMerged(document, item, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
