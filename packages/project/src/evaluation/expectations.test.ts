import type { DataRow, JsonObject, RunNode } from '@unroll/engine';
import { expect, test } from 'vitest';
import { allTargets, expectationsInData, oracleTarget } from './expectations.ts';

const nodes: readonly RunNode[] = [
  { name: 'start', kind: 'python' },
  { name: 'agent_1', kind: 'llm', loop: 'search', family: 'agent', iteration: 1 },
  { name: 'agent_2', kind: 'llm', loop: 'search', family: 'agent', iteration: 2 },
  { name: 'search', kind: 'python', loop: 'search', family: 'search', iteration: 0 },
  { name: 'total', kind: 'python', aggregation: true },
];

test.for([
  ['start', 'start', ['start']],
  ['agent_2', 'agent_2', ['agent_2']],
  ['agent[*]', 'agent[*]', ['agent_1', 'agent_2']],
  ['agent', 'agent', ['agent_1', 'agent_2']],
  ['search', 'search', ['search']],
  ['start, agent_1', 'start + agent_1', ['start', 'agent_1']],
] as const)('--oracle %s gives the outputs of %s', ([written, name, of]) => {
  const target = oracleTarget(written, nodes);
  expect([target.name, [...target.nodes]]).toEqual([name, of]);
});

test.for(['agnt_1', 'total'])('--oracle %s is refused', (written) => {
  expect(() => oracleTarget(written, nodes)).toThrow(`the flow has no node "${written}" to give an output for`);
});

test('a sweep goes through nodes and families in the order of the flow, not through what runs over all rows', () => {
  expect(allTargets(nodes).map(({ name }) => name)).toEqual(['start', 'agent_1', 'agent_2', 'search', 'agent[*]']);
});

async function* rowsOf(expected: readonly (JsonObject | undefined)[]): AsyncGenerator<DataRow> {
  for (const [line, one] of expected.entries()) yield { line, values: one === undefined ? {} : { expected: one } };
}

test.for<[string, JsonObject | undefined, Readonly<Record<string, unknown>> | undefined]>([
  ['a node', { start: 1 }, { start: 1 }],
  ['a turn', { agent_2: 'b' }, { agent_2: 'b' }],
  ['turns as a list', { agent: ['a', 'b'] }, { agent_1: 'a', agent_2: 'b' }],
  ['turns as a list under the family’s name', { 'agent[*]': [null, 'b'] }, { agent_2: 'b' }],
  ['a turn wins over the list', { agent: ['a', 'b'], agent_1: 'own' }, { agent_1: 'own', agent_2: 'b' }],
  ['an expected null', { start: null }, { start: null }],
  ['other names', { faq_ids: [1] }, undefined],
  ['no list', { agent: 'a' }, undefined],
  ['nothing', undefined, undefined],
])('expectations of %s', async ([, expected, given]) => {
  const { of } = await expectationsInData(rowsOf([expected]), nodes);
  const found = (await of(new Set(['start', 'agent_1', 'agent_2']))).get(0);
  expect(found === undefined ? undefined : Object.fromEntries(found)).toEqual(given);
});
