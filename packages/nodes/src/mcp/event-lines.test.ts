import { expect, test } from 'vitest';
import { EventLines, TooManyLines } from './event-lines.ts';

/** What comes of a text in pieces of one size, and the waits that were asked for. */
function read(text: string, size: number) {
  const waits: number[] = [];
  const lines = new EventLines((milliseconds) => waits.push(milliseconds));
  let told = '';
  for (let at = 0; at < text.length; at += size) told += lines.push(text.slice(at, at + size));
  return { told, waits, canGoOn: lines.canGoOn };
}

test.for([
  ['data: one\n\n', 'data: one\n\n', [], false],
  ['retry: 5\ndata: one\n\n', ':\ndata: one\n\n', [5], false],
  ['retry:0\r\nid: 7\r\ndata: one\r\n\r\n', ':\r\nid: 7\r\ndata: one\r\n\r\n', [0], true],
  ['data: a\rretry: 999999999999\rretry: no\r\r', 'data: a\r:\r:\r\r', [999_999_999_999], false],
  [
    'data: retry: 5\ndata: id: 5\nretrying: 5\nidle: 5\n\n',
    'data: retry: 5\ndata: id: 5\nretrying: 5\nidle: 5\n\n',
    [],
    false,
  ],
] as const)('%j in pieces of any size', ([text, told, waits, canGoOn]) => {
  for (let size = 1; size <= text.length; size += 1) expect(read(text, size)).toEqual({ told, waits, canGoOn });
});

test('an event is told as soon as it has ended', () => {
  const lines = new EventLines(() => undefined);
  expect(lines.push('data: one\n')).toBe('data: one\n');
  expect(lines.push('\n')).toBe('\n');
});

test('more than 20,000 lines are refused', () => {
  const lines = new EventLines(() => undefined);
  lines.push('\n'.repeat(20_000));
  expect(() => lines.push('data: one\n')).toThrow(TooManyLines);
});
