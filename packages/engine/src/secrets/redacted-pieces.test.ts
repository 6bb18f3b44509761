import { expect, test } from 'vitest';
import { Redactor } from './redactor.ts';

const secret = 'correct-horse-battery';

function told(pieces: readonly string[]): readonly string[] {
  const redactor = new Redactor();
  redactor.learn(secret);
  const open = redactor.pieces();
  return [...pieces.flatMap((piece) => open.push(piece)), ...open.end()];
}

test.for<[what: string, pieces: readonly string[], told: readonly string[]]>([
  ['pieces without secrets stay as they are', ['You', ' said:', '', ' one'], ['You', ' said:', '', ' one']],
  ['one that ends as a secret begins waits, whole', ['a c', 'orrect', ' answer'], ['a c', 'orrect', ' answer']],
  [
    'those of a secret are told as one, with what waited behind it',
    ['a ', 'correct-', 'horse-battery', ' b'],
    ['a ', '*** ', 'b'],
  ],
  ['a secret within a piece', [`a ${secret} b`, 'c'], ['a *** ', 'bc']],
  ['a word waits for its end, whatever it is', ['so ', 'mon', 'ey, ', 'x'], ['so ', 'mon', 'ey, ', 'x']],
  ['what begins as one at the end', ['so ', 'correct-horse'], ['so ', 'correct-horse']],
  ['two secrets with pieces between', [secret, 'x', 'y', secret], ['***xy***']],
])('%s', ([, pieces, expected]) => {
  expect(told(pieces)).toEqual(expected);
});

test('however a text is cut, no secret is told and nothing else is lost', () => {
  const text = `first ${secret}, corr${secret} then correct-horse and ${secret}`;
  for (let length = 1; length < 12; length += 1) {
    const pieces = text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
    expect(told(pieces).join('')).toBe(text.replaceAll(secret, '***'));
  }
});
