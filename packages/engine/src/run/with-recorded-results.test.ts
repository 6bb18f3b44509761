import { expect, test } from 'vitest';
import type { NodeCall, PreparedNode } from '../node/node-type.ts';
import { rowAlone } from '../node/row-scope.ts';
import { withRecordedResults } from './with-recorded-results.ts';

type Finished = NonNullable<ReturnType<NonNullable<NodeCall['finished']>['get']>>;

const ran: PreparedNode = { parametersWithDefault: new Set(), run: () => ({ ok: true, output: 'ran' }) };

function callAfter(record: Finished | undefined): NodeCall {
  const finished = new Map(record === undefined ? [] : [['n', record] as const]);
  const signal = new AbortController().signal;
  return { runId: 'r', line: 0, node: 'n', signal, flowInputs: {}, row: rowAlone(), finished };
}

test.for<readonly [what: string, node: Partial<PreparedNode>, record: Finished | undefined, outcome: object]>([
  ['a node without a record runs', {}, undefined, { ok: true, output: 'ran' }],
  ['an output is given again', {}, { output: 1 }, { ok: true, output: 1 }],
  ['no output is null', {}, {}, { ok: true, output: null }],
  ['what was given beside it too', {}, { output: 1, beside: { b: 2 } }, { ok: true, output: 1, beside: { b: 2 } }],
  ['and what was changed', {}, { output: 1, changed: { a: 2 } }, { ok: true, output: 1, changed: { a: 2 } }],
  ['a node that gives more than its record runs', { givesBeside: true }, { output: 1 }, { ok: true, output: 'ran' }],
  [
    'a node that gives more, with a record of it, does not',
    { givesBeside: true },
    { output: 1, beside: { b: 2 } },
    { ok: true, output: 1, beside: { b: 2 } },
  ],
])('%s', async ([, node, record, outcome]) => {
  const taken = withRecordedResults({ ...ran, ...node });
  expect(await taken.run({}, callAfter(record))).toStrictEqual(outcome);
});
