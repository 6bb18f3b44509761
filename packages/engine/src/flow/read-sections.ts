import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping, listOf, mappingOf } from '../value/shapes.ts';
import type { SpecPath } from './flow-spec.ts';
import type { YamlDocument } from './yaml-document.ts';

/**
 * Entries of `inputs` or `outputs` by name. A list is a mistake, which the shape tells; it is read as it is meant, so that what refers to its
 * entries makes no further ones.
 */
export function namedEntries(written: JsonValue | undefined): readonly (readonly [name: string, entry: JsonValue])[] {
  if (!Array.isArray(written)) return Object.entries(mappingOf(written));
  return listOf(written).flatMap((one) => {
    const entry = namedEntry(one);
    return entry === undefined ? [] : [entry];
  });
}

/** Nodes of a flow with the place of each; those of a mapping are a mistake too, and are read by their keys, or as the one node it is. */
export function nodeEntries(written: JsonValue | undefined): readonly (readonly [node: JsonValue, path: SpecPath])[] {
  if (Array.isArray(written)) {
    return listOf(written).map((node, index) => [node, ['nodes', index]] as const);
  }
  const mapping = mappingOf(written);
  if (isOneNode(mapping)) return typeof mapping['name'] === 'string' ? [[mapping, ['nodes']]] : [];
  const named = Object.entries(mapping).filter((entry): entry is [string, JsonObject] => isMapping(entry[1]));
  return named.map(([name, node]) => [{ name, ...node }, ['nodes', name]] as const);
}

/** Whether `nodes` is a node that lost its dash, or its dash and its name. */
export function isOneNode({ name, type }: JsonObject): boolean {
  return typeof name === 'string' || typeof type === 'string';
}

/** The same places, with those of `inputs` and `outputs` that are lists found by the name of the entry. */
export function locateByName({ locate, value }: YamlDocument): YamlDocument['locate'] {
  return (path, part) => {
    const [section, name, ...more] = path;
    if (section !== 'inputs' && section !== 'outputs') return locate(path, part);
    const written = mappingOf(value)[section];
    if (!Array.isArray(written) || typeof name !== 'string') return locate(path, part);
    const index = listOf(written).findIndex((one) => namedEntry(one)?.[0] === name);
    return locate([section, index, ...more]) ?? locate([section, index]);
  };
}

/** `- name: question`, `- question: {…}` and `- question`. */
function namedEntry(one: JsonValue): readonly [name: string, entry: JsonValue] | undefined {
  if (typeof one === 'string') return [one, {}];
  if (!isMapping(one)) return undefined;
  if (typeof one['name'] === 'string') return [one['name'], one];
  const [only, ...others] = Object.entries(one);
  return others.length === 0 ? only : undefined;
}
