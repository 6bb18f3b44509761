import { expect, test } from 'vitest';
import { thrownText } from './thrown-text.ts';

const unreadable = new Proxy(
  {},
  {
    get: () => {
      throw new Error('no');
    },
  },
);

test.for<[what: string, thrown: unknown, text: string]>([
  ['an error', new TypeError('no such file'), 'no such file'],
  ['what a library made of one', { ...new Error('x'), message: 'no room', stack: '…' }, 'no room'],
  ['a text', 'stop', 'stop'],
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a number', 3, '3'],
  ['an error without a message', new Error(''), ''],
  ['an object of nobody', Object.create(null), 'something that is no error was thrown'],
  ['a proxy that answers nothing', unreadable, 'something that is no error was thrown'],
])('%s', ([, thrown, text]) => {
  expect(thrownText(thrown)).toBe(text);
});
