import type { SpecPath } from './flow-spec.ts';
import { valueAt } from './shape-text.ts';
import type { YamlDocument } from './yaml-document.ts';

/** `node "agent" of loop "search"`, `input "query"`, `source of node "agent"`; empty for the flow itself. */
export function placeName(document: Pick<YamlDocument, 'value'>, path: SpecPath): string {
  const [section, key] = path;
  if (section === undefined) return '';
  if (section === 'inputs' || section === 'outputs') {
    return key === undefined ? section : within(path.slice(2), `${section.slice(0, -1)} "${key}"`);
  }
  if (section === 'node_variants') return variantPlaceName(path.slice(1));
  if (section !== 'nodes' && section !== 'loops') return within(path.slice(1), String(section));
  if (key === undefined) return section;
  const kind = section === 'nodes' ? 'node' : 'loop';
  const owner = named(document, kind, path.slice(0, 2));
  const [third, fourth] = path.slice(2);
  if (third === 'nodes' && typeof fourth === 'number') {
    return within(path.slice(4), `${named(document, 'node', path.slice(0, 4))} of ${owner}`);
  }
  return within(path.slice(2), owner);
}

function variantPlaceName([node, variants, variant, ...rest]: SpecPath): string {
  if (node === undefined) return 'node_variants';
  const owner = `the variants of node "${node}"`;
  if (variant === undefined) return within(variants === undefined ? [] : [variants], owner);
  return within(rest[0] === 'node' ? rest.slice(1) : rest, `variant "${variant}" of node "${node}"`);
}

function within(rest: SpecPath, owner: string): string {
  return rest.length === 0 ? owner : `"${rest.join('.')}" of ${owner}`;
}

function named(document: Pick<YamlDocument, 'value'>, kind: string, path: SpecPath): string {
  const name = valueAt(document.value ?? null, [...path, 'name']);
  const key = path.at(-1);
  if (typeof name === 'string') return `${kind} "${name}"`;
  return typeof key === 'number' ? `${kind} ${key + 1}` : `${kind} "${key}"`;
}
