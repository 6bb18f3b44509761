import { expect, test } from 'vitest';
import { readDotenv } from './environment-values.ts';

test.for([
  { text: 'A=1\nB = two words # said\n# C=3\nexport D=four', is: { A: '1', B: 'two words', D: 'four' } },
  { text: 'A="x # y"\nB=\'z\'\nC=a#b\nD=', is: { A: 'x # y', B: 'z', C: 'a#b', D: '' } },
  { text: 'A="x\\ny \\"z\\""', is: { A: 'x\ny "z"' } },
  {
    text: 'A=one\nB=${A}x\nC="${HOME}/${NONE}"\nD=${NONE:-else}',
    is: { A: 'one', B: 'onex', C: '/home/ada/', D: 'else' },
  },
  { text: 'HOME=mine\nA=${HOME}', is: { HOME: 'mine', A: 'mine' } },
  { text: 'A=${azure.api_key}', is: { A: '${azure.api_key}' } },
  { text: '\r\nA=1\r\nno variable\r\n', is: { A: '1' } },
])('$text', ({ text, is }) => {
  expect(readDotenv(text, { HOME: '/home/ada' })).toEqual(is);
});
