import { expect, test } from 'vitest';
import { textSink } from './text-sink.ts';

const esc = '\u001B';

test.each([
  ['plain', '一行\n\tzwei\r\n', '一行\n\tzwei\r\n', undefined],
  ['colours', `${esc}[31mred${esc}[0m`, `${esc}[31mred${esc}[0m`, undefined],
  ['title of the window', `${esc}]0;title\u0007`, '�]0;title�', '\\u001b]0;title\\u0007'],
  ['erased screen', `${esc}[2Jgone`, '�[2Jgone', '\\u001b[2Jgone'],
  ['written over', 'safe\rworse', 'safe�worse', 'safe\\u000dworse'],
  ['another order', 'pay \u202E001\u202C \u2066x\u2069', 'pay �001� �x�', 'pay \\u202e001\\u202c \\u2066x\\u2069'],
  ['control characters of one byte', '\u009B31m', '�31m', '\\u009b31m'],
])('%s', (_, text, onTerminal, elsewhere) => {
  const written: string[] = [];
  const write = (piece: string): void => void written.push(piece);
  textSink(write, { isTerminal: true, columns: 80 }).write(text);
  const file = textSink(write, { isTerminal: false, columns: undefined });
  file.write(text);
  file.data(text);
  expect(written).toEqual([onTerminal, elsewhere ?? text, text]);
});

test('data for other programs is shown on a terminal as anything is', () => {
  const written: string[] = [];
  const write = (piece: string): void => void written.push(piece);
  textSink(write, { isTerminal: true, columns: 80 }).data(`${esc}[2J`);
  expect(written).toEqual(['�[2J']);
});

test('JSON stays the same value', () => {
  const written: string[] = [];
  const value = { a: '\u0000\u007f\u009b\r\n' };
  textSink((piece) => void written.push(piece), { isTerminal: false, columns: undefined }).write(JSON.stringify(value));
  expect(JSON.parse(written.join(''))).toEqual(value);
});
