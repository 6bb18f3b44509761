import { expect, test } from 'vitest';
import { LineBuffer } from './line-buffer.ts';

/** What is read of pieces, after each of them; `!` for what is no message. */
function readOf(pieces: readonly string[]): readonly string[] {
  const buffer = new LineBuffer((line) => {
    if (line === 'no message') throw new Error(line);
    return line as never;
  });
  return pieces.map((piece) => {
    buffer.append(Buffer.from(piece, 'latin1'));
    const read: string[] = [];
    for (let isOver = false; !isOver; ) {
      try {
        const message = buffer.readMessage() as string | null;
        if (message === null) isOver = true;
        else read.push(message);
      } catch {
        read.push('!');
      }
    }
    return read.join('|');
  });
}

test.for<[string, readonly string[], readonly string[]]>([
  ['one in a piece', ['a\n'], ['a']],
  ['one in many', ['a', 'b', 'c\n'], ['', '', 'abc']],
  ['several in a piece, and a begin', ['a\nb\nc', 'd\ne', '\n'], ['a|b', 'cd', 'e']],
  ['ends of Windows', ['a\r', '\nb\r\n'], ['', 'a|b']],
  ['what is no message between two that are', ['a\nno mess', 'age\nb\n'], ['a', '!|b']],
  ['a character of two bytes in two pieces', ['\u00c3', '\u00a9\n'], ['', 'é']],
])('lines are read as they come: %s', ([, pieces, read]) => {
  expect(readOf(pieces)).toEqual(read);
});

test('what was cleared is gone', () => {
  const buffer = new LineBuffer((line) => line as never);
  buffer.append(Buffer.from('a\nb'));
  buffer.clear();
  buffer.append(Buffer.from('c\n'));
  expect([buffer.readMessage(), buffer.readMessage()]).toEqual(['c', null]);
});
