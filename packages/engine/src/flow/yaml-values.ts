import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { isMerge, keyText, type Locator, spanOf } from './locate-node.ts';

/** Values one text may unfold to through aliases; beyond it a small file would fill the memory. */
const maxValues = 1_000_000;

/** Reads what the nodes of a document hold, aliases followed and merge keys merged; what is wrong gathers in `diagnostics`. */
export class ValueReader {
  readonly diagnostics: Diagnostic[] = [];
  private readonly locator: Locator;
  private readonly file: SourceFile;
  private readonly anchored = new Map<Node, JsonValue>();
  private readonly open = new Set<Node>();
  private count = 0;

  constructor(locator: Locator, file: SourceFile) {
    this.locator = locator;
    this.file = file;
  }

  read(node: unknown): JsonValue {
    if (isAlias(node)) return this.readAlias(this.locator.target(node), node);
    if (isScalar(node)) return (node.value ?? null) as JsonValue;
    if (!isMap(node) && !isSeq(node)) return null;
    this.open.add(node);
    this.count += node.items.length;
    const value = isMap(node) ? this.readMap(node) : node.items.map((item) => this.read(item));
    this.open.delete(node);
    if (node.anchor !== undefined) this.anchored.set(node, value);
    return value;
  }

  private readAlias(target: Node | undefined, alias: Alias): JsonValue {
    if (target === undefined) return this.refuse(`nothing is named "&${alias.source}" before this alias`, alias);
    if (this.open.has(target)) return this.refuse('this alias stands inside what it stands for', alias);
    const known = this.anchored.get(target);
    if (known === undefined) return this.read(target);
    this.count += sizeOf(known, maxValues - this.count);
    if (this.count > maxValues) return this.refuse(`the aliases unfold to more than ${maxValues} values`, alias);
    return known;
  }

  private refuse(message: string, node: Node): JsonValue {
    if (!this.diagnostics.some((known) => known.message === message)) {
      this.diagnostics.push({ severity: 'error', code: 'FLOW_YAML', message, ...spanOf(node, this.file) });
    }
    return null;
  }

  private readMap(map: YAMLMap): JsonValue {
    const readAlone = (node: unknown): JsonValue => new ValueReader(this.locator, this.file).read(node);
    this.diagnostics.push(...duplicateKeys(map, this.file, readAlone));
    const own: [string, JsonValue][] = [];
    const merged: [string, JsonValue][] = [];
    for (const pair of map.items) {
      if (isMerge(pair)) merged.push(...this.mergedEntries(this.read(pair.value), pair));
      else own.push([keyText(pair), this.read(pair.value)]);
    }
    // What is written here wins, then the first of several merged mappings.
    const known = new Set(own.map(([key]) => key));
    const added = merged.filter(([key]) => !known.has(key) && known.add(key));
    return Object.fromEntries([...own, ...added]);
  }

  private mergedEntries(value: JsonValue, pair: Pair): readonly [string, JsonValue][] {
    const sources = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    if (sources.every(isMapping)) return sources.flatMap((source) => Object.entries(source));
    this.refuse('"<<" takes a mapping, or a list of mappings, to merge', pair.value as Node);
    return [];
  }
}

function sizeOf(value: JsonValue, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const member of Object.values(value)) {
    if (size > limit) return size;
    size += sizeOf(member, limit - size);
  }
  return size;
}

/** @param read gives the value of a node and tells nothing of what is wrong in it */
function duplicateKeys(map: YAMLMap, file: SourceFile, read: (node: unknown) => JsonValue): readonly Diagnostic[] {
  const first = new Map<string, Pair>();
  const found: Diagnostic[] = [];
  for (const pair of map.items) {
    const key = keyText(pair);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, pair);
      continue;
    }
    const { span: mapping } = spanOf(map, file);
    const again = spanOf(pair.key, file);
    const values = { value: read(pair.value), firstValue: read(before.value) };
    found.push({
      severity: 'error',
      code: 'FLOW_DUPLICATE_KEY',
      message: `the key "${key}" is written twice`,
      ...again,
      notes: [{ message: 'first written here', ...spanOf(before.key, file) }],
      details: { kind: 'duplicate-key', mapping, key, again: again.span, ...values },
    });
  }
  return found;
}
