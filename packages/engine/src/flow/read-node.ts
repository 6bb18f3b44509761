import type { Value } from '../value/json.ts';
import type { NodeSpec, SpecPath } from './flow-spec.ts';
import { isMapping } from './is-mapping.ts';

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
