import { expect, test } from 'vitest';
import type { JsonValue } from '../value/json.ts';
import { recordedDiamond } from './recorded-diamond.fixture.ts';

async function rig() {
  const { calls, before, prepare } = await recordedDiamond('may write');
  return async (expected: Readonly<Record<string, JsonValue>>) => {
    const flow = await prepare({
      since: before,
      oracle: {
        nodes: new Set(Object.keys(expected)),
        expected: ({ node, line }) => (line === 4 ? { output: expected[node] ?? null } : undefined),
        before,
      },
    });
    return async (line: number) => {
      calls.length = 0;
      const result = await flow.runRow({ q: 'q' }, { line });
      const of = (name: string) => result.nodes.find(({ node }) => node === name);
      return { answer: result.row.outputs['answer'], calls: [...calls], of };
    };
  };
}

test.for<[Readonly<Record<string, JsonValue>>, string, readonly string[]]>([
  [{ second: 'GIVEN' }, 'GIVEN third answer', ['third', 'answer']],
  [{ answer: 'GIVEN' }, 'GIVEN', []],
  [{ first: 'A', third: 'GIVEN' }, 'GIVEN answer', ['second', 'answer']],
  [{ second: 'q first second' }, 'q first second third answer', []],
])('%o gives "%s"; of the others only what comes after runs', async ([expected, answer, ran]) => {
  const run = await (await rig())(expected);
  const row = await run(4);
  expect([row.answer, row.calls]).toEqual([answer, ran]);
});

test('the record says that the output was given, and nothing later takes it for the node’s own', async () => {
  const run = await (await rig())({ second: 'GIVEN' });
  const { of } = await run(4);
  expect(of('second')).toMatchObject({ output: 'GIVEN', oracle: true, notKept: 'its output was given' });
  expect(of('second')).not.toHaveProperty('fingerprint');
  expect(of('first')).toMatchObject({ cache: 'hit', cachedFrom: 'before' });
  expect(of('other')).toMatchObject({ cache: 'hit', cachedFrom: 'before' });
  expect(of('third')).toMatchObject({ cache: 'miss' });
});

test('a row of which nothing is expected runs', async () => {
  const run = await (await rig())({ second: 'GIVEN' });
  const row = await run(5);
  expect(row.answer).toBe('q first second third answer');
  expect(row.of('second')).not.toHaveProperty('oracle');
});
