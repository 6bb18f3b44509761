import { expect, test } from 'vitest';
import type { NodeRun } from '../record/node-run.ts';
import { recordedDiamond } from './recorded-diamond.fixture.ts';

const place = { line: 4 };

/** `calls` are the nodes that ran, each of which writes; a forecast comes before. */
async function rig(change?: (run: NodeRun) => NodeRun) {
  const { calls, before, prepare } = await recordedDiamond('writes', change);
  return async (again: readonly string[], line = place.line) => {
    const flow = await prepare({ since: before, rerun: { nodes: new Set(again), before } });
    calls.length = 0;
    const forecast = await flow.forecastRow({ q: 'q' }, { line });
    const forecastCalls = [...calls];
    const result = await flow.runRow({ q: 'q' }, { line });
    return {
      calls: [...calls],
      forecastCalls,
      forecast: Object.fromEntries(forecast.map(({ node, outcome }) => [node, outcome])),
      of: (name: string) => result.nodes.find(({ node }) => node === name),
    };
  };
}

test.for<[readonly string[], readonly string[]]>([
  [['second'], ['second', 'third', 'answer']],
  [['answer'], ['answer']],
  [['other'], ['other', 'answer']],
  [
    ['first', 'third'],
    ['first', 'second', 'third', 'answer'],
  ],
  [[], []],
])('%j run again: %j run, though all of them write; a forecast says so and runs none', async ([again, ran]) => {
  const { calls, forecast, forecastCalls } = await (await rig())(again);
  expect(calls.toSorted()).toEqual(ran.toSorted());
  expect(forecastCalls).toEqual([]);
  const said = Object.entries(forecast).flatMap(([node, outcome]) => (outcome === 'taken' ? [] : [node]));
  expect(said.toSorted()).toEqual(ran.toSorted());
});

test('what is taken says from where', async () => {
  const { of } = await (await rig())(['second']);
  expect(of('first')).toMatchObject({ cache: 'hit', cachedFrom: 'before', output: 'q first' });
  expect(of('other')).toMatchObject({ cache: 'hit', cachedFrom: 'before' });
  expect(of('second')).toMatchObject({ cache: 'miss', output: 'q first second' });
});

test('an output that was kept out of the record is made again', async () => {
  const run = await rig((one) => (one.node === 'first' ? { ...one, output: '***', redacted: ['output'] } : one));
  const { calls, of } = await run(['third']);
  expect(calls).toContain('first');
  expect(of('first')).toMatchObject({ output: 'q first' });
});

test('a row that the earlier run does not have runs', async () => {
  const { calls } = await (await rig())(['third'], 5);
  expect(calls.toSorted()).toEqual(['answer', 'first', 'other', 'second', 'third']);
});
