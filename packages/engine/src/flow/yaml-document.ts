import {
  type Alias,
  type CollectionTag,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type ScalarTag,
  visit,
  type YAMLMap,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source-file.ts';
import { depthMessage, isTooDeep, MAX_DEPTH } from '../value/depth.ts';
import type { JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import type { SpecPath } from './flow-spec.ts';
import { fullWidthHelp } from './full-width.ts';
import { joinFlowLines } from './join-flow-lines.ts';
import { createLocator, isMerge, keyText, type Locator, spanOf } from './locate-node.ts';
import { dateTags, scalarTags } from './yaml-scalars.ts';

/** A YAML text read into values, with the place of each. */
export interface YamlDocument {
  /** undefined where the text is no YAML; an empty text is null. */
  readonly value?: JsonValue;
  readonly diagnostics: readonly Diagnostic[];
  locate(path: SpecPath, part?: 'key' | 'value'): Span | undefined;
}

/** Values one text may unfold to through aliases; beyond it a small file would fill the memory. */
const maxValues = 1_000_000;

/** Mistakes of syntax that are told of one text; each takes as long as the text is. */
const maxTold = 100;

export interface YamlOptions {
  /** Dates become objects, as Python reads them; else they stay texts. */
  readonly dates?: boolean;
}

/** Reads YAML 1.2 as ruamel.yaml does, with all syntax errors and all duplicate keys at once. */
export function parseYaml(file: SourceFile, { dates = false }: YamlOptions = {}): YamlDocument {
  const document = readDocument(file.text, dates);
  const found = [...withoutFollowing(document.errors), ...document.warnings];
  const syntax = [
    ...found.slice(0, maxTold).map((error) => syntaxDiagnostic(error, file)),
    ...notTold(found.slice(maxTold), file),
  ];
  if (document.errors.length > 0) return { diagnostics: syntax, locate: () => undefined };
  const locator = createLocator(document, file);
  const reader = createReader(locator, file);
  const value = reader.read(document.contents);
  const { diagnostics } = reader;
  const locate = (path: SpecPath, part: 'key' | 'value' = 'value') => locator.locate(path, part);
  if (diagnostics.some(({ code }) => code !== 'FLOW_DUPLICATE_KEY'))
    return { diagnostics: [...syntax, ...diagnostics], locate };
  if (isTooDeep(value)) return { diagnostics: [...syntax, tooDeep(value, locate)], locate };
  return { value, diagnostics: [...syntax, ...diagnostics], locate };
}

/** The library reads what its stack has room for, and aliases lie in one another as deep as somebody likes. */
function tooDeep(value: JsonValue, locate: YamlDocument['locate']): Diagnostic {
  const [key = ''] = Object.entries(value ?? {}).find(([, member]) => isTooDeep(member, MAX_DEPTH - 1)) ?? [];
  const span = locate([Array.isArray(value) ? Number(key) : key]);
  return { severity: 'error', code: 'FLOW_YAML', message: depthMessage(), ...(span === undefined ? {} : { span }) };
}

function readDocument(text: string, dates: boolean): Document {
  const settings = { prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const;
  const document = parseDocument(text, {
    ...settings,
    version: '1.2',
    schema: 'core',
    customTags: (tags) => [...(dates ? dateTags : []), ...scalarTags, ...tags.filter(isNoNumber)],
  });
  if (document.directives?.yaml.version === '1.1') return parseDocument(text, { ...settings, version: '1.1' });
  const start = openedTooFarRight(document);
  const joined = start === undefined ? text : joinFlowLines(text, start);
  return joined === text ? document : readDocument(joined, dates);
}

/** ruamel.yaml's numbers, and no others. */
function isNoNumber(tag: ScalarTag | CollectionTag | string): boolean {
  return typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag);
}

/** Where the first list or mapping opens whose end stands further left than YAML allows. */
function openedTooFarRight({ contents, errors }: Document): number | undefined {
  const end = errors.find(({ code, message }) => code === 'BAD_INDENT' && message.includes('sufficiently indented'))
    ?.pos[0];
  let start: number | undefined;
  if (end === undefined || contents === null) return undefined;
  visit(contents, {
    Collection: (_, { flow, range }) => {
      if (flow !== true || range?.[1] !== end) return undefined;
      start = range[0];
      return visit.BREAK;
    },
  });
  return start;
}

/**
 * Where the reader lost its way, each further token is unexpected too, and where it had no more room, nothing was closed: that tells
 * nobody anything.
 */
function withoutFollowing(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const deepest = errors.find(hasNoRoom);
  if (deepest !== undefined) return [deepest];
  const first = errors.findIndex(isLost);
  return errors.filter((error, at) => at <= first || !isLost(error));
}

/** One mistake for all that would be too many to read. */
function notTold(
  [first, ...others]: readonly (YAMLParseError | YAMLWarning)[],
  file: SourceFile,
): readonly Diagnostic[] {
  if (first === undefined) return [];
  const { span, severity } = syntaxDiagnostic(first, file);
  const message = `${others.length + 1} more mistakes follow, which are told once those before are mended`;
  return [{ severity, code: 'FLOW_YAML', message, ...(span === undefined ? {} : { span }) }];
}

function isLost({ message }: { readonly message: string }): boolean {
  return /^Unexpected .* (at node end|in YAML stream)/.test(message);
}

function syntaxDiagnostic(
  error: { readonly name: string; readonly message: string; readonly pos: readonly [number, number] },
  file: SourceFile,
): Diagnostic {
  const [start, end] = error.pos;
  const span = { file, start: Math.min(start, file.text.length), end: Math.min(end, file.text.length) };
  const message = plainMessage(error);
  const help = fullWidthHelp(file, start, message.startsWith('Missing closing'));
  const shared = { code: 'FLOW_YAML', message, span, ...(help === undefined ? {} : { help }) };
  if (error.name === 'YAMLWarning') return { severity: 'warning', ...shared };
  return { severity: 'error', ...shared, details: { kind: 'unreadable-yaml' } };
}

/** The library gives up at the level that its stack has no room for, a pattern's among them, and at all above it. */
function hasNoRoom({ message }: { readonly message: string }): boolean {
  return message.startsWith('Maximum call stack') || message.endsWith('Stack overflow');
}

function plainMessage(error: { readonly message: string }): string {
  if (isLost(error)) return 'nothing may stand here: the value before it is complete';
  if (error.message.startsWith('Source contains multiple documents')) {
    return 'a second document begins here, and only one is read: take out the line';
  }
  if (hasNoRoom(error)) return 'nested deeper than can be read';
  return error.message.replace(/\.$/, '');
}

interface Reader {
  readonly diagnostics: Diagnostic[];
  read(node: unknown): JsonValue;
}

function createReader(locator: Locator, file: SourceFile): Reader {
  const diagnostics: Diagnostic[] = [];
  const anchored = new Map<Node, JsonValue>();
  const open = new Set<Node>();
  let count = 0;

  const read = (node: unknown): JsonValue => {
    if (isAlias(node)) return readAlias(locator.target(node), node);
    if (isScalar(node)) return (node.value ?? null) as JsonValue;
    if (!isMap(node) && !isSeq(node)) return null;
    open.add(node);
    count += node.items.length;
    const value = isMap(node) ? readMap(node) : node.items.map(read);
    open.delete(node);
    if (node.anchor !== undefined) anchored.set(node, value);
    return value;
  };

  const readAlias = (target: Node | undefined, alias: Alias): JsonValue => {
    if (target === undefined) return refuse(`nothing is named "&${alias.source}" before this alias`, alias);
    if (open.has(target)) return refuse('this alias stands inside what it stands for', alias);
    const known = anchored.get(target);
    if (known === undefined) return read(target);
    count += sizeOf(known, maxValues - count);
    if (count > maxValues) return refuse(`the aliases unfold to more than ${maxValues} values`, alias);
    return known;
  };

  const refuse = (message: string, node: Node): JsonValue => {
    if (!diagnostics.some((known) => known.message === message)) {
      diagnostics.push({ severity: 'error', code: 'FLOW_YAML', message, ...spanOf(node, file) });
    }
    return null;
  };

  const readMap = (map: YAMLMap): JsonValue => {
    diagnostics.push(...duplicateKeys(map, file, (node) => createReader(locator, file).read(node)));
    const own: [string, JsonValue][] = [];
    const merged: [string, JsonValue][] = [];
    for (const pair of map.items) {
      if (isMerge(pair)) merged.push(...mergedEntries(read(pair.value), pair));
      else own.push([keyText(pair), read(pair.value)]);
    }
    // What is written here wins, then the first of several merged mappings.
    const known = new Set(own.map(([key]) => key));
    const added = merged.filter(([key]) => !known.has(key) && known.add(key));
    return Object.fromEntries([...own, ...added]);
  };

  const mergedEntries = (value: JsonValue, pair: Pair): readonly [string, JsonValue][] => {
    const sources = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    if (sources.every(isMapping)) return sources.flatMap((source) => Object.entries(source));
    refuse('"<<" takes a mapping, or a list of mappings, to merge', pair.value as Node);
    return [];
  };

  return { diagnostics, read };
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
