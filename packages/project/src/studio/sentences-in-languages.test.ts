import type { RowRun } from '@unroll/engine';
import { expect, test } from 'vitest';
import { explanationSentence } from '../explain/explanation-words.ts';
import type { ProgressView } from '../host/run-progress.ts';
import type { KeptLabel } from '../labels/label-file.ts';
import type { Sentence, Verdict } from '../studio-contract/contract.ts';
import { countFigure, noFigure } from './figures.ts';
import { type JudgedRow, labelVerdict } from './label-agreement.ts';
import type { Language } from './lens.ts';
import { rowVerdict } from './row-verdict.ts';
import { runOutcome } from './run-outcome-sentences.ts';
import { runsPage } from './runs-page.ts';

const textOf = (sentences: readonly Sentence[]): string =>
  sentences.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');
/** Names and links are those of the record, in whatever order a language has. */
const leadsOf = (sentences: readonly Sentence[]): readonly string[] =>
  sentences.flatMap(({ rule, parts }) => [rule, ...parts.flatMap(({ to }) => (to ? [JSON.stringify(to)] : []))]).sort();

type Told = (language: Language) => readonly Sentence[];
const all = ({ answer, details }: Verdict): readonly Sentence[] => [...answer, ...details];

const row: RowRun = {
  ...{ line: 3, status: 'Completed', inputs: {}, outputs: {}, startedAt: 1, durationMs: 2 },
};
const ofRow =
  (about: Partial<Parameters<typeof rowVerdict>[0]>): Told =>
  (language) =>
    all(
      rowVerdict(
        { run: 'r', row, loops: [], tokens: 1200, firstBad: undefined, result: undefined, ...about },
        language,
      ),
    );
const failed = {
  ...row,
  status: 'Failed',
  error: { code: 'TypeError', message: 'no good\nat x', retryable: false, node: 'ask' },
} as RowRun;

const labelled = (passes: boolean | undefined, judgement?: 'pass' | 'fail'): JudgedRow => ({
  row: { line: 0, repeat: 0, keyText: '', key: { metric: 'cited', inputs: '', answer: '' } },
  passes,
  label: judgement && ({ metric: 'cited', inputs: '', answer: '', judgement } as KeptLabel),
});
const ofLabels =
  (rows: readonly JudgedRow[]): Told =>
  (language) =>
    all(labelVerdict(rows, 'cited', language));

const summary = { id: 'r', flow: 'ask', startedAt: 1, status: 'Completed', rows: 18, failed: 0, total: 60 } as const;
const ofRun =
  (about: Partial<Parameters<typeof runOutcome>[0]>): Told =>
  (language) =>
    runOutcome({ ...summary, ...about }, undefined, language);

const failing = {
  ...{ groups: [], rows: {} },
  failures: [{ node: 'ask', code: 'TypeError', message: 'no good', rows: 2 }],
} as unknown as ProgressView;
const none = noFigure('ms', 'not known yet');
const line = (id: string, needsLook: boolean, outcome: readonly Sentence[]) => ({
  ...{ id, flow: 'ask', tags: [], startedAt: 1, status: 'Completed' as const, isBaseline: false, needsLook, outcome },
  ...{ rows: countFigure(4, 'rows'), failed: none, tokens: none, cost: none, duration: none },
});
const gates: Sentence = { rule: 'gates', parts: [] };
const ofRuns =
  (runs: Parameters<typeof runsPage>[0]): Told =>
  (language) =>
    all(runsPage(runs, { language }).verdict);

test.for<[Told, string, string]>([
  [ofRow({}), 'The row completed. ', '完了しました。'],
  [
    ofRow({ row: { ...row, status: 'Canceled' } }),
    'The row was stopped before its end. ',
    'この行は途中で停止されました。',
  ],
  [ofRow({ row: failed }), 'ask failed: TypeError: no good ', 'ask で失敗しました：TypeError: no good。'],
  [
    ofRow({ row: { ...row, unfinished: ['search'] } }),
    'search ended unfinished. ',
    'search は未完了のまま終わりました。',
  ],
  [
    ofRow({ against: { run: 'before', hasSameAnswer: false, tokens: 900, turns: new Map() } }),
    'The row completed. Another answer than in before. It took 1,200 tokens instead of 900. ',
    '完了しました。回答は before と異なります。トークンは 900 から 1,200 に変わりました。',
  ],
  [ofLabels([]), '', ''],
  [
    ofLabels([labelled(undefined, 'pass'), labelled(undefined, 'fail'), labelled(undefined)]),
    '50 % good (95 % 9.5 % to 90.5 %) of 2 labelled rows. 1 row of 3 has no label yet. ',
    'ラベル付きの 2 行のうち 50 % が合格（95 % 区間 9.5 %～90.5 %）。3 行中 1 行にまだラベルがありません。',
  ],
  [
    ofLabels([labelled(true, 'fail'), labelled(true, 'pass')]),
    'You and cited disagree in 1 of 2 rows. 50 % good (95 % 9.5 % to 90.5 %) of 2 labelled rows. Agreement 50 %; no κ: one of them always says the same. The disagreement is a pass of the metric that you failed. All 2 rows have a label. ',
    'あなたと cited の判定は 2 行中 1 行で不一致です。ラベル付きの 2 行のうち 50 % が合格（95 % 区間 9.5 %～90.5 %）。一致率 50 %（一方の判定がすべて同じため κ は求められません）。不一致はすべて、指標が合格としあなたが不合格とした行です。2 行すべてにラベルがあります。',
  ],
  [ofRun({ status: 'Canceled' }), 'Stopped after 18 of 60 rows.', '60 行中 18 行で停止。'],
  [ofRun({ failed: 2 }), '2 rows failed.', '2 行が失敗。'],
  [
    (language) => runOutcome({ ...summary, failed: 2 }, failing, language),
    '2 rows failed: ask, TypeError: no good',
    '2 行が失敗：ask、TypeError: no good。',
  ],
  [ofRuns([line('a', false, [])]), 'None of the last run needs a look.', '直近 1 件に、確認が必要な実行はありません。'],
  [
    ofRuns([line('a', false, []), line('b', true, [gates])]),
    '1 of the last 2 runs needs a look: 1 fails gates.',
    '直近 2 件中 1 件は確認が必要です（基準が未達 1 件）。',
  ],
])('%# in English and in Japanese', ([tell, english, japanese]) => {
  expect(textOf(tell('en'))).toBe(english);
  expect(textOf(tell('ja'))).toBe(japanese);
  expect(leadsOf(tell('ja'))).toEqual(leadsOf(tell('en')));
});

test.for<[Parameters<typeof explanationSentence>[0], string]>([
  [{ kind: 'taken', from: 'before' }, 'before の出力を再利用しました。依存するものは変わっていません'],
  [
    { kind: 'taken', from: 'third', beside: [] },
    'third の出力を再利用しました。依存するものは before からも変わっていません',
  ],
  [
    { kind: 'taken', from: 'third', beside: [{ part: 'prompt', changes: [] }] },
    'third の出力を再利用しました。before とはプロンプトが違います',
  ],
  [
    { kind: 'ran', because: { kind: 'given on' } },
    '実行しました：渡されたものを出力し、後のコードがそれを変更するため、記録で代用できません',
  ],
  [{ kind: 'ran', because: { kind: 'no such row' } }, '実行しました：before に行 3 も、対応する行もありません'],
  [
    {
      kind: 'ran',
      because: { kind: 'changed', differences: [{ part: 'template ask.jinja2', changes: [] }] },
    },
    '実行しました：プロンプト ask.jinja2 が変更されています',
  ],
  [
    { kind: 'ran', because: { kind: 'changed', differences: [{ part: 'prompt', changes: [] }] } },
    '実行しました：プロンプトが変更されています',
  ],
  [{ kind: 'not run', status: 'Bypassed' }, '実行していません。条件を満たさないか、処理するものがありませんでした'],
])('%j is told in Japanese', ([explanation, says]) => {
  expect(explanationSentence(explanation, { run: 'r', against: 'before', row: '3' }, 'ja')).toBe(says);
});
