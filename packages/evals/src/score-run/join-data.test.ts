import { type DataRow, Float, type JsonValue } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { joinData } from './join-data.ts';

const info = runInfo({
  nodes: [],
  columnMapping: { query: '${data.question}', mode: 'fast' },
});

const row = (line: number, more: object = {}): DataRow => ({ line, values: { question: `q${line}`, ...more } });

test.for<readonly [name: string, rows: readonly DataRow[], lines: readonly number[], found: readonly unknown[]]>([
  ['every line', [row(0), row(1)], [0, 1], ['q0', 'q1']],
  ['lines left out', [row(0), row(1), row(2), row(3)], [1, 3], ['q1', 'q3']],
  ['a line again, for each repetition', [row(0), row(1)], [0, 0, 1, 1], ['q0', 'q0', 'q1', 'q1']],
  ['lines beyond the data', [row(0)], [0, 5], ['q0', 'not in the data']],
  ['a line that cannot be read', [{ line: 0, problem: 'no JSON' }, row(1)], [0, 1], ['unreadable in the data', 'q1']],
  [
    'rows that say their line themselves, in any order',
    [row(0, { line_number: 2 }), row(1, { line_number: 0 }), row(2, { line_number: 1 })],
    [0, 1, 2],
    ['q1', 'q2', 'q0'],
  ],
])('%s', async ([, rows, lines, found]) => {
  const join = joinData(streamed(rows), info, true);
  const joined: unknown[] = [];
  for (const line of lines) {
    const columns = await join.columnsOf({ line, inputs: {} });
    joined.push('missing' in columns ? columns.missing : columns.columns['question']);
  }
  expect(joined).toEqual(found);
});

test('of other data only rows with the inputs that were recorded are taken', async () => {
  const join = joinData(streamed([row(0), row(1), row(2)]), info, false);
  expect(await join.columnsOf({ line: 0, inputs: { query: 'q0' } })).toEqual({ columns: { question: 'q0' } });
  expect(await join.columnsOf({ line: 1, inputs: { query: 'q7' } })).toEqual({
    missing: 'other inputs than in the data',
  });
  expect(await join.columnsOf({ line: 2, inputs: { query: 3 } })).toEqual({ columns: { question: 'q2' } });
});

test.for<readonly [type: string, input: JsonValue, column: JsonValue, isOther: boolean]>([
  ['int', 1, 7, true],
  ['int', 1, 1, false],
  ['int', 1, new Float(1), false],
  ['int, which cuts off what is behind the point', 1, 1.7, false],
  ['int, of a CSV', 1, '7', true],
  ['int, of a CSV', 1, '1', false],
  ['int, by its default', 5, '', false],
  ['double', 0.5, 0.25, true],
  ['string, of a number', '7', 7, false],
  ['string, of a number', '7', 8, true],
  ['bool', true, false, true],
  ['bool, of a CSV', true, 'TRUE', false],
  ['list', ['a'], 'a list of another form', false],
])('of other data, an input of type %s: %j is not taken for %j: %s', async ([, input, column, isOther]) => {
  const join = joinData(streamed([{ line: 0, values: { question: column } }]), info, false);
  expect('missing' in (await join.columnsOf({ line: 0, inputs: { query: input } }))).toBe(isOther);
});

async function* streamed(rows: readonly DataRow[]): AsyncGenerator<readonly DataRow[]> {
  yield rows.slice(0, 1);
  yield [];
  yield rows.slice(1);
}
