import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explanationSentence } from './explanation-words.ts';

const engine = join(import.meta.dirname, '../../../engine/src');
const whys = globSync('**/*.ts', { cwd: engine })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => [
    ...readFileSync(join(engine, file), 'utf8').matchAll(
      /(?:notKept:|notKept \?\?|notKept =|keptNot =) (['`])(.*?)\1/g,
    ),
  ])
  .map(([, , why = '']) => why.replaceAll(/\$\{\w+\}/g, '回答'));

const about = { run: 'one', against: 'two', row: '3' };

test('why no record can stand in for a node is told in Japanese, whatever the engine says', () => {
  expect(whys.length).toBeGreaterThan(6);
  const told = whys.map((why) => explanationSentence({ kind: 'ran', because: { kind: 'not kept', why } }, about, 'ja'));
  expect(told.filter((text) => /[a-z]/.test(text))).toEqual([]);
});

test('what nobody knows stays as it was said', () => {
  const because = { kind: 'not kept', why: 'of another release' } as const;
  expect(explanationSentence({ kind: 'ran', because }, about, 'ja')).toBe(
    '実行しました：記録で代用できません（of another release）',
  );
});
