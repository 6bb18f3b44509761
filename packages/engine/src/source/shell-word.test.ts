import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

const words = [
  'my-flow',
  '../a/b.yaml',
  '窓口',
  'ガ',
  'my flow',
  "it's",
  '$HOME',
  'a"b',
  'a`b`',
  '-',
  '#1',
  '~',
  '',
] as const;

test.for([
  ['my-flow', 'my-flow'],
  ['窓口/flow.dag.yaml', '窓口/flow.dag.yaml'],
  ['my flow', "'my flow'"],
  ["it's", String.raw`'it'\''s'`],
] as const)('%s is typed %s', ([word, typed]) => {
  expect(shellWord(word)).toBe(typed);
});

test('a shell reads each word as it was', () => {
  const said = execFileSync('sh', ['-c', `printf '%s\\n' ${words.map(shellWord).join(' ')}`], { encoding: 'utf8' });
  expect(said.split('\n').slice(0, -1)).toEqual(words);
});
