import type { SentencePart } from '../studio-contract/contract.ts';
import { countOf, formatCount } from '../words/index.ts';
import { bad } from './sentences.ts';

type Parts = readonly (string | SentencePart)[];

/** What an evaluation says of runs beside the sentences that the terminal prints, in a language. */
export interface EvaluationWords {
  meets(run: SentencePart, gates: number): Parts;
  fails(run: SentencePart, failed: readonly string[], gates: number): Parts;
  worseFirst(run: SentencePart, node: SentencePart, rows: number, metric: string): Parts;
  /** @param metric that fails; undefined where the node failed */
  firstBad(
    run: SentencePart,
    node: SentencePart,
    rows: (text: string) => SentencePart,
    of: { readonly rows: number; readonly metric: string | undefined },
  ): Parts;
  unscored(rows: number, run: SentencePart, metric: SentencePart, reason: string): Parts;
  readonly anError: string;
  /** After a sentence that another one may follow. */
  readonly space: string;
  /** Of one of several runs. */
  ofRun(run: string, told: string): string;
  readonly method: string;
  noRun(path: string): string;
  asksModels(metrics: readonly string[]): string;
  runIt(path: string): string;
}

const english: EvaluationWords = {
  meets: (run, gates) => [run, ` meets ${gates === 1 ? 'its gate' : `all ${gates} gates`}. `],
  fails: (run, failed, gates) => [
    ...[run, ' ', bad(gates === 1 ? 'fails its gate' : `fails ${failed.length} of ${gates} gates`)],
    `: ${failed.join(', ')}. `,
  ],
  worseFirst: (run, node, rows, metric) => [
    ...[run, ' got worse first at ', node],
    ` in ${countOf(rows, 'row')} (${metric}). `,
  ],
  firstBad: (run, node, rows, of) => [
    ...[run, ' went wrong first at ', node, ' in ', rows(countOf(of.rows, 'row'))],
    ` (${of.metric === undefined ? 'it failed' : `${of.metric} fails`}). `,
  ],
  unscored: (rows, run, metric, reason) => [
    ...[bad(countOf(rows, 'row')), ' of ', run, rows === 1 ? ' has no score of ' : ' have no score of ', metric],
    `: ${reason}. `,
  ],
  anError: 'an error',
  space: ' ',
  ofRun: (run, told) => `${run}: ${told}`,
  method:
    'Differences are of the same rows in both runs: McNemar’s exact test where rows pass or fail, a permutation test for numbers. ' +
    'Intervals are as wide as testing all metrics at once asks for, so that one leaves out 0 just where its metric is better or worse.',
  noRun: (path) => `no run of its flow over its data has ended yet: flow eval ${path} makes one`,
  asksModels: (metrics) =>
    `${metrics.join(', ')} ${metrics.length === 1 ? 'asks' : 'ask'} a model: scores are not worked out by looking`,
  runIt: (path) => `flow eval ${path} --run RUN scores a run.`,
};

const japanese: EvaluationWords = {
  meets: (run, gates) => [
    run,
    gates === 1 ? ' は基準を満たしています。' : ` は ${gates} 件の基準をすべて満たしています。`,
  ],
  fails: (run, failed, gates) => [
    ...[run, ' は', bad(gates === 1 ? '基準が未達' : `基準 ${gates} 件中 ${failed.length} 件が未達`), 'です：'],
    `${failed.join('、')}。`,
  ],
  worseFirst: (run, node, rows, metric) => [
    ...[run, ' が最初に悪化した場所は ', node],
    ` で、${formatCount(rows)} 行です（${metric}）。`,
  ],
  firstBad: (run, node, rows, of) => [
    ...[run, ' が最初に誤った場所は ', node, ' で、', rows(`${formatCount(of.rows)} 行`), 'です'],
    of.metric === undefined ? '（ノードが失敗）。' : `（${of.metric} が不合格）。`,
  ],
  unscored: (rows, run, metric, reason) => [
    ...[run, ' の ', bad(`${formatCount(rows)} 行`), 'には ', metric],
    ` のスコアがありません：${reason}。`,
  ],
  anError: 'エラー',
  space: '',
  ofRun: (run, told) => `${run}：${told}`,
  method:
    '差は、両方の実行にある同じ行どうしの差です。合否の指標は McNemar の正確検定、数値の指標は並べ替え検定で調べます。' +
    '区間の幅は、すべての指標を同時に検定することを見込んでいます。0 を含まない区間は、その指標の改善または悪化を表します。',
  noRun: (path) => `このデータに対するフローの実行がまだありません。flow eval ${path} で実行できます`,
  asksModels: (metrics) => `${metrics.join('、')} はモデルに判定を求めるため、ページを開くだけではスコアを計算しません`,
  runIt: (path) => `flow eval ${path} --run RUN で評価できます。`,
};

export const evaluationWords: Readonly<Record<'en' | 'ja', EvaluationWords>> = { en: english, ja: japanese };
