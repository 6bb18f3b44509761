import type { Connection, NodeDefinition } from '@unroll/engine';
import { expect, test } from 'vitest';
import { inspectPackageNode } from './inspect-package-node.ts';

test.for([
  ['open_ai', { deployment_name: 'ada' }, 1],
  ['serverless', { deployment_name: 'ada' }, 1],
  ['open_ai', { deployment_name: 'ada', model: 'm' }, 0],
  ['open_ai', { model: 'm' }, 0],
  ['open_ai', {}, 0],
  ['azure_open_ai', { deployment_name: 'ada' }, 0],
  ['azure_open_ai', { model: 'm' }, 0],
  ['azure_open_ai', {}, 1],
] as const)('an embedding at %s with %o has %i doubts', ([type, named, count]) => {
  expect(doubts(type, named)).toHaveLength(count);
});

test('the doubt says which model is asked for, and is no certain mistake', () => {
  expect(doubts('open_ai', { deployment_name: 'ada' })).toEqual([
    {
      message:
        'connection "c" of type open_ai has no deployments: it is asked for the tool\'s own model, text-embedding-ada-002',
      help: 'write "model" in the place of "deployment_name"',
      path: ['inputs', 'deployment_name'],
    },
  ]);
});

test('where Azure is asked for no deployment by name, the doubt says what it is asked for', () => {
  expect(doubts('azure_open_ai', {})).toEqual([
    {
      message:
        'the node names no deployment of connection "c": it is asked for the tool\'s own model, text-embedding-ada-002',
      help: 'add "deployment_name" to the inputs of the node',
      path: ['inputs', 'connection'],
    },
  ]);
});

function doubts(type: string, named: Readonly<Record<string, string>>) {
  const literals = Object.entries({ connection: 'c', input: 'hi', ...named }).map(
    ([name, value]) => [name, { kind: 'literal', value }] as const,
  );
  const node: NodeDefinition = {
    name: 'embed',
    type: 'python',
    source: { type: 'package', tool: 'promptflow.tools.embedding.embedding' },
    inputs: Object.fromEntries(literals),
    aggregation: false,
    settings: {},
    locate: () => undefined,
  };
  const connection: Connection = { name: 'c', type, configs: {}, secrets: {} };
  const connections = { find: () => connection, names: () => ['c'] };
  const files = { folder: '/flow', read: () => undefined, resolve: () => undefined, list: () => [] };
  return inspectPackageNode(node, files).connectionDoubts?.(connections);
}
