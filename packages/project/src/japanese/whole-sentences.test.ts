import { expect, test } from 'vitest';
import { commandSentences } from './commands/command-failures-in-japanese.ts';
import { mistakeSentences } from './mistakes/mistakes-in-japanese.ts';
import { toldSentences } from './told/told-in-japanese.ts';

/** Whose value is a word of English grammar, `it` or `them`. */
const grammar: Readonly<Record<string, readonly number[]>> = {
  'Give {} with --set {}, or read it from a file: --set {}=@key.txt': [1],
  'Give {} with\n{}\nor all at once with --inputs FILE (JSON).': [1],
  'the run record {} cannot be {}: {}': [2],
  '{} needs {}, which {} not installed': [3],
};

test('each value of a sentence stands in its Japanese', () => {
  const left = Object.entries({ ...mistakeSentences, ...toldSentences, ...commandSentences }).flatMap(
    ([english, japanese]) => {
      const values = english
        .split('{}')
        .slice(1)
        .map((_, at) => at + 1);
      const missing = values.filter((at) => !japanese.includes(`{${at}}`) && !japanese.includes(`{${at}*}`));
      const isGrammar = missing.every((at) => grammar[english]?.includes(at) === true);
      return isGrammar ? [] : [`${english}: {${missing.join('}, {')}}`];
    },
  );
  expect(left).toEqual([]);
});
