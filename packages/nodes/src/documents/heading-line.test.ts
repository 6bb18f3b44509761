import { expect, test } from 'vitest';
import { headingLine } from './heading-line.ts';

test.for([
  { line: '第1編　総論', level: 1, heading: '第1編　総論' },
  { line: '第二章 個人情報取扱事業者の義務', level: 2, heading: '第二章 個人情報取扱事業者の義務' },
  { line: '第３節　雑則', level: 3, heading: '第３節　雑則' },
  { line: '１．はじめに', level: undefined, heading: undefined },
  { line: '１． はじめに', level: 1, heading: '１． はじめに' },
  { line: '1-2 適用対象', level: 2, heading: '1-2 適用対象' },
  { line: '2.1.3 Scope of the rules', level: 3, heading: '2.1.3 Scope of the rules' },
  { line: 'Chapter 4', level: 1, heading: 'Chapter 4' },
  { line: '■ 注意', level: 5, heading: '■ 注意' },
  { line: '【概要】', level: 5, heading: '【概要】' },
  { line: '第27条（第三者提供の制限）', level: 6, heading: '第27条（第三者提供の制限）' },
  { line: '第二十条の二　事業者は、次のことをする。', level: 6, heading: '第二十条の二' },
  { line: '第27条の規定により報告する。', level: undefined, heading: undefined },
  { line: '第27条第1項に定める。', level: undefined, heading: undefined },
  { line: '12 月になった。', level: undefined, heading: undefined },
  { line: '今日はよい天気です', level: undefined, heading: undefined },
])('$line', ({ line, level, heading }) => {
  const found = headingLine(line);
  expect([found?.level, found?.heading]).toEqual([level, heading]);
});
