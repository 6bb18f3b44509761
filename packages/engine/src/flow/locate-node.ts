import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml';
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

/** Finds places in a document. */
export interface Locator {
  /** Where the value at a path stands, or its key; undefined where nothing is there. */
  locate(path: SpecPath, part: 'key' | 'value'): Span | undefined;
  /** What an alias stands for; undefined where nothing before it has that name. */
  target(alias: Alias): Node | undefined;
}

/** Looks at each mapping once, and once at the whole for its aliases: each further question takes as many steps as its path. */
export function createLocator(document: Document, file: SourceFile): Locator {
  const mappings = new Map<YAMLMap, Mapping>();
  let targets: ReadonlyMap<Alias, Node> | undefined;

  const target = (alias: Alias): Node | undefined => {
    targets ??= aliasTargets(document);
    return targets.get(alias);
  };

  const findPair = (map: YAMLMap, key: string): Pair | undefined => {
    const mapping = mappings.get(map) ?? mappingOf(map);
    mappings.set(map, mapping);
    const own = mapping.own.get(key);
    if (own !== undefined) return own;
    for (const pair of mapping.merged) {
      const found = findMerged(pair.value, key);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const findMerged = (written: unknown, key: string): Pair | undefined => {
    const source = isAlias(written) ? target(written) : written;
    if (isMap(source)) return findPair(source, key);
    if (!isSeq(source)) return undefined;
    for (const item of source.items) {
      const found = findMerged(item, key);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const stepInto = (node: unknown, step: string | number): Place | undefined => {
    const entered = isAlias(node) ? target(node) : node;
    if (isMap(entered)) return findPair(entered, String(step));
    const item = isSeq(entered) && typeof step === 'number' ? entered.items[step] : undefined;
    return item === undefined ? undefined : { key: item, value: item };
  };

  const locate = (path: SpecPath, part: 'key' | 'value'): Span | undefined => {
    let place: Place | undefined = { key: undefined, value: document.contents };
    for (const step of path) {
      place = stepInto(place.value, step);
      if (place === undefined) return undefined;
    }
    const value = spanOf(place.value, file).span;
    const key = spanOf(place.key, file).span;
    return part === 'key' ? (key ?? value) : (value ?? key);
  };

  return { locate, target };
}

interface Place {
  readonly key: unknown;
  readonly value: unknown;
}

interface Mapping {
  /** By their keys; of one written twice the last. */
  readonly own: ReadonlyMap<string, Pair>;
  readonly merged: readonly Pair[];
}

function mappingOf({ items }: YAMLMap): Mapping {
  const own = items.filter((pair) => !isMerge(pair));
  return { own: new Map(own.map((pair) => [keyText(pair), pair])), merged: items.filter(isMerge) };
}

/** Each alias takes what had its name last before it. */
function aliasTargets(document: Document): ReadonlyMap<Alias, Node> {
  const named = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias: (_, alias) => {
      const node = named.get(alias.source);
      if (node !== undefined) targets.set(alias, node);
    },
    Node: (_, node) => {
      if (node.anchor !== undefined) named.set(node.anchor, node);
    },
  });
  return targets;
}
