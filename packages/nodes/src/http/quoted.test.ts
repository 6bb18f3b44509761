import { redactorOf } from '@unroll/engine';
import { expect, test } from 'vitest';
import { quoted } from './quoted.ts';

const key = 'a-very-secret-key-of-30-signs!';
const redactor = redactorOf({ configs: {}, secrets: { api_key: key } });

test.for([0, 1, 15, 29])(
  'no part of a secret is told, wherever it stands in a long answer: %i signs of it in front',
  (signs) => {
    for (const size of [1000, 20_000]) {
      const text = `no:${' '.repeat(size - 3 - signs)}${key} and more ${'x '.repeat(30_000)}`;
      expect(quoted(text, (told) => redactor.message(told))).toMatch(/^no: \*\*\* and more x x/);
    }
  },
);
