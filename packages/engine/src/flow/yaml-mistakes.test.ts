import { expect, test } from 'vitest';
import { parseYaml } from './yaml-document.ts';

const told = (text: string) =>
  parseYaml({ path: 'flow.dag.yaml', text }).diagnostics.map(({ message, help }) => [message, help].join(' | '));

const nested = `a second ":" makes a key of this text | put a text that holds ": " in quotes; begin a key below the keys beside it`;

test.for([
  ['a: Note: x\n', [nested]],
  ['a: x\n  b: y\n', [nested, 'a key ends on its line, with ":" | ']],
  [
    'a:\n  b: 1\n c: 2\n',
    ['this key does not begin below those beside it | keys of one mapping begin in the same column'],
  ],
  ['a:\n\tb: 1\n', ['a tab indents this line | indent with spaces']],
  ['a: |\n\tabc\n', ['a tab indents this line | indent with spaces']],
  ['a:\n  b: |\n\tabc\n\tdef\n  c: 1\n', ['a tab indents this line | indent with spaces']],
  ['a:\n  b: >-\n \tabc\n', ['a tab indents this line | indent with spaces']],
  ['a:\n  b: 1\n\tc: 1\n  d: 1\n', ['a tab indents this line | indent with spaces']],
  [
    'a:\n\t\tb: 1\n\t\tc: 1\n',
    ['a tab indents this line | indent with spaces', 'a tab indents this line | indent with spaces'],
  ],
  [
    'a: {b: Note: x}\n',
    [
      'a second ":" makes a key of this text | put a text that holds ": " in quotes; begin a key below the keys beside it',
    ],
  ],
  [
    'a: {b: - x}\n',
    [
      'a list or mapping between brackets has brackets too | write [a, b] or {a: 1}',
      'Missing , between flow map items | ',
    ],
  ],
  ['a: @x\n', ['a text cannot begin with @ | put the text in quotes']],
  ['a: `x`\n', ['a text cannot begin with ` | put the text in quotes']],
  ['a: %x\n', ['a text cannot begin with % | put the text in quotes']],
  ['a:\n  b\n  c: 1\n', ['a key ends on its line, with ":" | ']],
  ['a:\n- b\nc\n', ['no ":" ends this key | ']],
  [
    'a:\n  - b: |\n      x\n\nText here\n',
    ['no ":" ends this key | the text that begins on line 2 ends here: all its lines stand further right than "b"'],
  ],
  ['a:\n  b: >-\n    x\nText here\nc: 1\n', [expect.stringContaining('the text that begins on line 2 ends here')]],
  ['a: |\n  x\nb:\n  c: 1\nText here\n', ['no ":" ends this key | ']],
] as const)('what is no YAML is told in plain words, with a way out: %j', ([text, mistakes]) => {
  expect(told(text)).toEqual(mistakes);
});
