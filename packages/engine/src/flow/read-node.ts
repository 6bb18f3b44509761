import { nearestName } from '../source/nearest-name.ts';
import { isFalsy } from '../value/falsy.ts';
import { plainNumber } from '../value/float.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';
import { pythonStr } from '../value/python-text.ts';
import { isMapping } from '../value/shapes.ts';
import { readFallbacks } from './fallback.ts';
import { knownKeys } from './flow-schema.ts';
import type { NodeSpec, SpecPath } from './flow-spec.ts';

/**
 * A written node; none where it is no mapping, or has no name and is none of the flow's own: these go by Python's text of
 * what stands there. Keys without a place in `NodeSpec` become settings.
 */
export function readNode(node: JsonValue, path: SpecPath): readonly NodeSpec[] {
  if (!isMapping(node)) return [];
  const name = nameOf(node, path);
  if (name === undefined) return [];
  const source = readSource(node['source']);
  const activate = readActivate(node['activate']);
  const retry = readRetry(node['retry']);
  const timeout = plainNumber(node['timeout']);
  return [
    {
      name,
      type: typeof node['type'] === 'string' ? node['type'] : '',
      ...(source === undefined ? {} : { source }),
      ...(typeof node['connection'] === 'string' ? { connection: node['connection'] } : {}),
      ...(typeof node['api'] === 'string' ? { api: node['api'] } : {}),
      inputs: isMapping(node['inputs']) ? node['inputs'] : {},
      ...(activate === undefined ? {} : { activate }),
      aggregation: isSet(node['aggregation']) || isSet(node['reduce']),
      useVariants: isSet(node['use_variants']),
      ...(retry === undefined ? {} : { retry }),
      ...(timeout === undefined ? {} : { timeout }),
      settings: Object.fromEntries(Object.entries(node).filter(([key]) => !ownKeys.has(key))),
      path,
    },
  ];
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && !isFalsy(value);
}

function nameOf({ name = null, ...more }: JsonObject, path: SpecPath): string | undefined {
  if (typeof name === 'string') return name;
  const strange = Object.keys(more).filter((key) => knownKeys(path)?.includes(key) !== true);
  if (nearestName('name', strange) !== undefined) return undefined;
  const [section] = path;
  return section === 'nodes' && (typeof name !== 'object' || name === null) ? pythonStr(name) : undefined;
}

/**
 * The node that a variant puts in the place of a written one; it may bring a name of its own. undefined where there is no
 * such variant.
 */
export function readVariant(nodeVariants: JsonObject, node: string, variant: string): NodeSpec | undefined {
  const entry = member(nodeVariants, node);
  const body = member(member(member(entry, 'variants'), variant), 'node');
  if (!isMapping(body)) return undefined;
  return readNode({ name: node, ...body }, ['node_variants', node, 'variants', variant, 'node'])[0];
}

/** Every node that variants may put in place, for checking them all. */
export function readVariants(nodeVariants: JsonObject): readonly NodeSpec[] {
  return Object.entries(nodeVariants).flatMap(([node, entry]) => {
    const variants = member(entry, 'variants');
    const ids = isMapping(variants) ? Object.keys(variants) : [];
    return ids.flatMap((variant) => readVariant(nodeVariants, node, variant) ?? []);
  });
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isMapping(value) ? ownValue(value, key) : undefined;
}

/** Keys that `NodeSpec` has in a form of its own. */
const ownKeys: ReadonlySet<string> = new Set([
  'name',
  'type',
  'source',
  'connection',
  'api',
  'inputs',
  'activate',
  'aggregation',
  'reduce',
  'use_variants',
  'timeout',
  'retry',
  'skip',
]);

/** One that is written as its file alone is a mistake, and a file is named all the same. */
function readSource(value: JsonValue | undefined): NodeSpec['source'] {
  if (typeof value === 'string' && value !== '') return { type: 'code', path: value };
  if (!isMapping(value)) return undefined;
  const { type, path, tool } = value;
  return {
    type: type === 'package' || type === 'package_with_prompt' ? type : 'code',
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof tool === 'string' ? { tool } : {}),
  };
}

function readActivate(value: JsonValue | undefined): NodeSpec['activate'] {
  if (!isMapping(value) || value['when'] === undefined || value['is'] === undefined) return undefined;
  return { when: value['when'], is: value['is'] };
}

function readRetry(value: JsonValue | undefined): NodeSpec['retry'] {
  if (!isMapping(value)) return undefined;
  const times = plainNumber(value['times']);
  const wait = plainNumber(value['wait_seconds']);
  const fallback = readFallbacks(value['fallback']);
  if (times === undefined && fallback.length === 0) return undefined;
  return {
    ...(times === undefined ? {} : { times }),
    ...(wait === undefined ? {} : { wait_seconds: wait }),
    ...(fallback.length === 0 ? {} : { fallback }),
  };
}
