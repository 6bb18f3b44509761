import { expect, test } from 'vitest';
import { compareJapanese } from './compare-japanese.ts';

test.for([
  ['line', '5 行について実行 2 件、行番号で対応付け'],
  ['content', '5 行について実行 2 件、入力の内容で対応付け'],
  ['query', '5 行について実行 2 件、query で対応付け'],
] as const)('runs whose rows are paired by %s', ([by, told]) => {
  expect(compareJapanese.evaluation.about(2, '5', by)).toBe(told);
});
