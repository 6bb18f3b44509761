import type { Value, Values } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import type { NodeSpec, SpecPath } from './flow-spec.ts';

/** A written node; none where it is no mapping or has no name. Keys without a place in `NodeSpec` become settings. */
export function readNode(node: Value, path: SpecPath): readonly NodeSpec[] {
  if (!isMapping(node) || typeof node['name'] !== 'string') return [];
  const source = readSource(node['source']);
  const activate = readActivate(node['activate']);
  const retry = readRetry(node['retry']);
  return [
    {
      name: node['name'],
      type: typeof node['type'] === 'string' ? node['type'] : '',
      ...(source === undefined ? {} : { source }),
      ...(typeof node['connection'] === 'string' ? { connection: node['connection'] } : {}),
      ...(typeof node['api'] === 'string' ? { api: node['api'] } : {}),
      inputs: isMapping(node['inputs']) ? node['inputs'] : {},
      ...(activate === undefined ? {} : { activate }),
      aggregation: node['aggregation'] === true || node['reduce'] === true,
      useVariants: node['use_variants'] === true,
      ...(retry === undefined ? {} : { retry }),
      ...(typeof node['timeout'] === 'number' ? { timeout: node['timeout'] } : {}),
      settings: Object.fromEntries(Object.entries(node).filter(([key]) => !ownKeys.has(key))),
      path,
    },
  ];
}

/**
 * The node that a variant puts in the place of a written one; it may bring a name of its own. undefined where there is no
 * such variant.
 */
export function readVariant(nodeVariants: Values, node: string, variant: string): NodeSpec | undefined {
  const entry = member(nodeVariants, node);
  const body = member(member(member(entry, 'variants'), variant), 'node');
  if (!isMapping(body)) return undefined;
  return readNode({ name: node, ...body }, ['node_variants', node, 'variants', variant, 'node'])[0];
}

/** Every node that variants may put in place, for checking them all. */
export function readVariants(nodeVariants: Values): readonly NodeSpec[] {
  return Object.entries(nodeVariants).flatMap(([node, entry]) => {
    const variants = member(entry, 'variants');
    const ids = isMapping(variants) ? Object.keys(variants) : [];
    return ids.flatMap((variant) => readVariant(nodeVariants, node, variant) ?? []);
  });
}

function member(value: Value | undefined, key: string): Value | undefined {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
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

function readSource(value: Value | undefined): NodeSpec['source'] {
  if (!isMapping(value)) return undefined;
  const { type, path, tool } = value;
  return {
    type: type === 'package' || type === 'package_with_prompt' ? type : 'code',
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof tool === 'string' ? { tool } : {}),
  };
}

function readActivate(value: Value | undefined): NodeSpec['activate'] {
  if (!isMapping(value) || value['when'] === undefined || value['is'] === undefined) return undefined;
  return { when: value['when'], is: value['is'] };
}

function readRetry(value: Value | undefined): NodeSpec['retry'] {
  if (!isMapping(value) || typeof value['times'] !== 'number') return undefined;
  const wait = value['wait_seconds'];
  return { times: value['times'], ...(typeof wait === 'number' ? { wait_seconds: wait } : {}) };
}
