import type { JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { parseTarget } from '../targets/target.ts';
import { lostStep } from './lost-step.ts';

const value: JsonValue = {
  call: { name: 'search', none: null, arguments: '{"query": "q"}' },
  hits: [{ id: 'a' }],
  text: 'x',
};

test.for<[path: string, lost: [string | undefined, string[]] | undefined]>([
  ['n', undefined],
  ['n.call.name', undefined],
  ['n.call.none', undefined],
  ['n.call.nme', ['nme', ['name', 'none', 'arguments']]],
  ['n.call.name.first', ['first', []]],
  ['n.call.arguments.query', undefined],
  ['n.call.arguments.qery', ['qery', ['query']]],
  ['n.hits[0].id', undefined],
  ['n.hits[0].idd', ['idd', ['id']]],
  ['n.hits[1].id', ['id', []]],
  ['n.hits[1]', [undefined, []]],
  ['n.hits[*].id', undefined],
  ['n.hits[*].idd', ['idd', ['id']]],
  ['n.hits.id', ['id', []]],
  ['n.text[*]', [undefined, []]],
])('%s', ([path, lost]) => {
  const found = lostStep(value, parseTarget(path)?.steps ?? []);
  expect(found === undefined ? undefined : [found.missing, found.known]).toEqual(lost);
});
