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
  // As python-dotenv 1.2.4, which Prompt flow asks.
  {
    text: 'KEY="-----BEGIN\nabc=\n-----END"\nB=\'1\r\n2\'\nC=3',
    is: { KEY: '-----BEGIN\nabc=\n-----END', B: '1\r\n2', C: '3' },
  },
  { text: 'A="x"#said\nB=\'y\' # said\nC= # said\nD=#kept', is: { A: 'x', B: 'y', C: '', D: '#kept' } },
  { text: 'A="x" y\nB="never closed\nC=1', is: { C: '1' } },
  { text: "A=\"a\\tb\\\\n\\q\"\nB='it\\'s\\n'\nC=a\\tb", is: { A: 'a\tb\\n\\q', B: "it's\\n", C: 'a\\tb' } },
  { text: "\ufeff'A B'=1\nx-y.z=2\n日本=3", is: { 'A B': '1', 'x-y.z': '2', 日本: '3' } },
  { text: 'A="${B:-\n}"\rB=2\rC=${A}${B}', is: { A: '\n', B: '2', C: '\n2' } },
])('$text', ({ text, is }) => {
  expect(readDotenv(text, { HOME: '/home/ada' })).toEqual(is);
});

// The statements that python-dotenv 1.2.4 could not parse; where one follows empty lines, its own line is told.
test.for([
  { text: 'A="never closed\nB=1', is: ['1: the quote before its value is never closed'] },
  { text: "A=1\n\r\n\nB= 'nor this\r\nC=1", is: ['4: the quote before its value is never closed'] },
  { text: 'A="two\nlines"\nB="x" y', is: ['3: more stands behind the closing quote of its value'] },
  { text: '# A="\nno variable\nNAME\n=secret', is: ['2: it is not NAME=value', '4: it is not NAME=value'] },
])('a line that cannot be read is told with its number and why: $text', ({ text, is }) => {
  const told: string[] = [];
  readDotenv(text, {}, (line, why) => told.push(`${line}: ${why}`));
  expect(told).toEqual(is);
});
