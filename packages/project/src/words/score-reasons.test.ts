import { expect, test } from 'vitest';
import { gateInLanguage, reasonInLanguage } from './score-reasons.ts';

/** As the tables of judge-gate, judge-baseline and judge-labels (@unroll/evals) have them. */
test.for<[string, string]>([
  ['the mean of 96 scores is 0.03125, below 0.95', '96 件の平均は 0.03125 で、0.95 を下回っています'],
  ['the mean of 1 score is 3', '1 件の平均は 3 です'],
  ['nothing was scored', 'スコアが一つもありません'],
  [
    '2 rows have no score because something failed there or nothing was run; none is allowed',
    '失敗または未実行のためスコアのない行が 2 行あります（許容は 0 行）',
  ],
  ['the mean of 10 scores is 1; the same 100 % in each of 10 rows', '10 件の平均は 1 です。10 行すべてで同じ 100 %'],
  [
    'significantly worse: 100 % → 30 % over 10 rows (−70 points, 95 % interval −89.2 points to −22.8 points, p = 0.02; 0 fixed, 7 broken)',
    '有意に悪化：100 % → 30 %、10 行（−70 ポイント、95 % 区間 −89.2 ポイント～−22.8 ポイント、p = 0.02、改善 0 行、悪化 7 行）',
  ],
  [
    '100 % → 90 % over 10 rows (−10 points, p = 1.00; 0 fixed, 1 broken; not significant, about 80 rows would tell)',
    '100 % → 90 %、10 行（−10 ポイント、p = 1.00、改善 0 行、悪化 1 行、有意差なし、判断には約 80 行必要）',
  ],
  [
    'κ 0.58 over 23 labelled rows, 95 % interval 0.29 to 0.88, below 0.6',
    'κ 0.58（ラベル 23 行）、95 % 区間 0.29～0.88、0.6 を下回っています',
  ],
  [
    'no row is labelled pass or fail: labels are kept beside the data of the evaluation, which names none',
    '合格・不合格のラベルがある行がありません：ラベルは評価のデータの隣に保存されますが、この評価にはデータがありません',
  ],
  [
    'no row is labelled pass or fail: those of "judge" in cases.labels.jsonl count, for the same inputs and answer',
    '合格・不合格のラベルがある行がありません：cases.labels.jsonl にある「judge」のラベルのうち、入力と回答が同じものが数えられます',
  ],
  [
    'the mean of 60 scores is 0.6667; each of 3 slices by lang and kind keeps to it; not judged for want of scores (5 are asked for): kind x',
    '60 件の平均は 0.6667 です。lang and kind の 3 グループのすべてで満たしています。スコアが 5 件に満たないため判定していないグループ：kind x',
  ],
  [
    'in lang ja the mean of 20 scores is 0, below 0.5; in lang en significantly worse: 100 % → 0 % over 20 rows (−100 points, p < 0.001; 0 fixed, 20 broken); and in 2 more slices; 3 more values of lang, in 7 rows, not judged',
    'lang ja：20 件の平均は 0 で、0.5 を下回っています。lang en：有意に悪化：100 % → 0 %、20 行（−100 ポイント、p < 0.001、改善 0 行、悪化 20 行）。ほか 2 グループ。lang のほかの値 3 個（7 行）は判定していません',
  ],
  [
    'no slice is judged; not judged for want of rows in the baseline: g a, g b, g c and 1 more slice',
    '判定できたグループがありません。ベースラインに行がないため判定していないグループ：g a, g b, g c、ほか 1 グループ',
  ],
  [
    'each of 2 slices by g keeps to it; not compared for want of rows in the baseline (1,000 are asked for): g c',
    'g の 2 グループのすべてで満たしています。ベースラインの行が 1,000 行に満たないため比較していないグループ：g c',
  ],
  [
    'the mean of 2 scores is 1; each of 2 slices by g keeps to it; the baseline has no scores of it; accepting a new one guards it from then on',
    '2 件の平均は 1 です。g の 2 グループのすべてで満たしています。ベースラインにこの指標がありません。新しいベースラインを承認すると、以後は比較されます',
  ],
])('a gate: %s', ([reason, japanese]) => {
  const gate = { rule: 'min 0.95, no worse than baseline', passed: false, reason };
  expect(gateInLanguage(gate, 'ja')).toEqual({
    rule: '0.95 以上、ベースラインより悪化しない',
    passed: false,
    reason: japanese,
  });
  expect(gateInLanguage(gate, 'en')).toEqual(gate);
});

test.for<[string, string]>([
  ['no expectation', '期待値がありません'],
  ['judge failed: Timeout', '判定フローが失敗しました（Timeout）'],
  ['unreadable in the data', 'データの行を読み取れません'],
  ['fewer than 3 attempts (--repeat 3)', '試行が 3 回未満です（--repeat 3）'],
  ['nothing that was returned has "doc"', '検索結果のどれにも「doc」がありません'],
  ['what somebody else said', 'what somebody else said'],
])('no score: %s', ([reason, japanese]) => {
  expect(reasonInLanguage(reason, 'ja')).toBe(japanese);
  expect(reasonInLanguage(reason, 'en')).toBe(reason);
});
