import { type Alias, Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { scalarTags } from './yaml-scalars.ts';

/** How parts of a value are laid out; a path leads from the root: `['nodes', 2, 'source']`. */
export interface YamlLayout {
  /** Comment above the value at a path, without `#`; with a blank line before it. */
  comment(path: readonly (string | number)[]): string | undefined;
  /** Whether a mapping or list is written on one line. */
  isInline(path: readonly (string | number)[]): boolean;
  /** Name of the anchor of a value that occurs again; a number is added where it is taken. */
  anchor(path: readonly (string | number)[]): string;
}

/**
 * Prints a value as YAML that `parseYaml` reads back as the same. A list or mapping that occurs several times as the same
 * object is written once and referred to.
 */
export function stringifyYaml(root: JsonValue, layout: YamlLayout): string {
  const document = new Document(undefined, {
    version: '1.2',
    schema: 'core',
    customTags: (tags) => [...scalarTags, ...tags],
  });
  document.contents = createPrinter(document, layout, sharedIn(root))(root, []);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

type Path = readonly (string | number)[];

function sharedIn(root: JsonValue): ReadonlySet<object> {
  const seen = new Set<object>();
  const shared = new Set<object>();
  const visit = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null || value instanceof Float) return;
    if (seen.has(value)) {
      if (Object.keys(value).length > 0) shared.add(value);
      return;
    }
    seen.add(value);
    for (const member of Object.values(value)) visit(member);
  };
  visit(root);
  return shared;
}

function createPrinter(
  document: Document,
  layout: YamlLayout,
  shared: ReadonlySet<object>,
): (value: JsonValue, path: Path) => Node {
  const written = new Map<object, YAMLMap | YAMLSeq>();
  const names = new Set<string>();

  const print = (value: JsonValue, path: Path): Node => {
    if (typeof value !== 'object' || value === null || value instanceof Float) return stringifyScalar(value);
    const before = written.get(value);
    if (before !== undefined && shared.has(value)) return alias(before, path);
    const node = isMapping(value) ? stringifyMap(value, path) : stringifySequence(value as readonly JsonValue[], path);
    written.set(value, node);
    if (layout.isInline(path)) node.flow = true;
    return node;
  };

  const alias = (target: YAMLMap | YAMLSeq, path: Path): Alias => {
    if (target.anchor === undefined) {
      const name = layout.anchor(path);
      const free = [name, ...Array.from({ length: names.size + 1 }, (_, index) => `${name}_${index + 2}`)];
      const anchor = free.find((candidate) => !names.has(candidate)) ?? name;
      names.add(anchor);
      target.anchor = anchor;
    }
    return document.createAlias(target, target.anchor);
  };

  const stringifyMap = (value: { readonly [key: string]: JsonValue }, path: Path): YAMLMap => {
    const map = new YAMLMap();
    for (const [key, member] of Object.entries(value)) {
      const name = stringifyScalar(key);
      annotate(name, layout.comment([...path, key]));
      map.items.push(new Pair<Node, Node>(name, print(member, [...path, key])));
    }
    return map;
  };

  const stringifySequence = (value: readonly JsonValue[], path: Path): YAMLSeq => {
    const seq = new YAMLSeq();
    seq.items = value.map((member, index) => {
      const node = print(member, [...path, index]);
      annotate(node, layout.comment([...path, index]));
      return node;
    });
    return seq;
  };

  return print;
}

function annotate(node: Node, comment: string | undefined): void {
  if (comment === undefined) return;
  node.spaceBefore = true;
  if (comment !== '') node.commentBefore = ` ${comment}`;
}

const dateLike = /^\d{4}-\d{1,2}-\d{1,2}/;
/** A first line of blanks: as a block its blanks would be taken for the indentation. */
const blankBegin = /^\n*[ \t]+\n/;

function stringifyScalar(
  value: Exclude<JsonValue, readonly JsonValue[] | { readonly [key: string]: JsonValue }> | Float,
): Scalar {
  if (value instanceof Float) {
    const scalar = new Scalar(value.valueOf());
    scalar.minFractionDigits = 1;
    return scalar;
  }
  const scalar = new Scalar(value);
  // Other readers take a bare date for one.
  if (typeof value === 'string' && (dateLike.test(value) || blankBegin.test(value))) scalar.type = 'QUOTE_DOUBLE';
  return scalar;
}
