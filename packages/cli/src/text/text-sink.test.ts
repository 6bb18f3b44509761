import { expect, test } from 'vitest';
import { textSink } from './text-sink.ts';

const esc = '\u001B';

test.each([
  ['plain', '一行\n\tzwei\r\n', '一行\n\tzwei\r\n'],
  ['colours', `${esc}[31mred${esc}[0m`, `${esc}[31mred${esc}[0m`],
  ['title of the window', `${esc}]0;title\u0007`, '�]0;title�'],
  ['erased screen', `${esc}[2Jgone`, '�[2Jgone'],
  ['written over', 'safe\rworse', 'safe�worse'],
  ['control characters of one byte', '\u009B31m', '�31m'],
])('on a terminal: %s', (_, text, expected) => {
  const written: string[] = [];
  const write = (piece: string): void => void written.push(piece);
  textSink(write, { isTerminal: true, columns: 80 }).write(text);
  textSink(write, { isTerminal: false, columns: undefined }).write(text);
  expect(written).toEqual([expected, text]);
});
