import type { MetricComparison } from '../eval-result/eval-result.ts';
import { count } from './markup.ts';

type Verdict = MetricComparison['verdict'];

/** Rows of two runs and how they were paired. */
interface Pairing {
  readonly paired: number;
  readonly pairedBy: 'key' | 'line';
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}

/** What a comparison of scores says, in a language. */
export interface ScoreVerdictWords {
  readonly baseline: string;
  /** @param verdicts with how many metrics came to it */
  compared(metrics: number, before: string, verdicts: readonly (readonly [Verdict, number])[]): string;
  pairs(pairing: Pairing, before: string): string;
  /** @param metrics that are not compared, or are measured in another way than before; one at least */
  otherKinds(metrics: readonly string[], before: string): string;
  turned(metrics: readonly string[], before: string): string;
  measuredOtherwise(metrics: readonly string[]): string;
  worse(metric: string, rows: number): string;
  unscored(metric: string, rows: number): string;
  /** @param program that changed as well */
  causeUnknown(program: string | undefined): string;
  causes(named: readonly string[]): string;
  changed(node: string, change: string): string;
  onlyProgram(program: string): string;
  /** @param isProgramKnown both runs tell which Unroll made them */
  noDefinition(isProgramKnown: boolean): string;
  readonly added: string;
  readonly removed: string;
}

const english: ScoreVerdictWords = {
  baseline: 'the baseline',
  compared: (metrics, before, verdicts) =>
    `Of ${count(metrics, 'metric')} compared with ${before}: ${verdicts.map(([one, number]) => `${number} ${englishVerdicts[one]}`).join(', ')}.`,
  pairs({ paired, pairedBy, onlyBefore, onlyAfter }, before) {
    const others = [
      ...(onlyBefore === 0 ? [] : [`${count(onlyBefore, 'row')} only in ${before}`]),
      ...(onlyAfter === 0 ? [] : [`${count(onlyAfter, 'row')} only now`]),
    ];
    return `Compared ${count(paired, 'row')}, paired by ${pairedBy}; ${others.join(', ')}.`;
  },
  otherKinds: (metrics, before) =>
    `${are(metrics)} not compared with ${before}: one of the two has scores that pass or fail, the other has numbers.`,
  turned: (metrics, before) =>
    `${metrics.join(', ')}: in ${before} what is better was the other way round, higher or lower; better and worse are told as they are meant now.`,
  measuredOtherwise: (metrics) =>
    `${are(metrics)} measured otherwise than when the baseline was accepted: the settings in eval.yaml, the evaluator's file or the judge is another, and what differs may be that alone.`,
  worse: (metric, rows) => `${metric} is worse in ${count(rows, 'row')}`,
  unscored: (metric, rows) => `${metric} has no score any more in ${count(rows, 'row')}`,
  causeUnknown(program) {
    const possible = program === undefined ? '' : ` A possible one is ${program}.`;
    return `The cause is not known: a run does not tell its definitions.${possible}`;
  },
  causes: (named) => `${named.length === 1 ? 'Cause' : 'Possible causes'}: ${named.join('; ')}.`,
  changed: (node, change) => `${node} (${change})`,
  onlyProgram: (program) => `Cause: ${program}; no definition it depends on changed.`,
  noDefinition(isProgramKnown) {
    const others = [
      'other data',
      'a service',
      ...(isProgramKnown ? [] : ['another version of Unroll (a run does not tell its own)']),
    ];
    return `No definition it depends on changed: ${others.join(', ')}, or chance.`;
  },
  added: 'added',
  removed: 'removed',
};

function are(metrics: readonly string[]): string {
  return `${metrics.join(', ')} ${metrics.length === 1 ? 'is' : 'are'}`;
}

const englishVerdicts: Readonly<Record<Verdict, string>> = {
  worse: 'worse',
  better: 'better',
  'not significant': 'not to be told from chance',
  same: 'the same in every row',
};

const japanese: ScoreVerdictWords = {
  baseline: 'ベースライン',
  compared: (metrics, before, verdicts) =>
    `${before} と比べた ${metrics} 個の指標：${verdicts.map(([one, number]) => `${japaneseVerdicts[one]} ${number}`).join('、')}。`,
  pairs({ paired, pairedBy, onlyBefore, onlyAfter }, before) {
    const others = [
      ...(onlyBefore === 0 ? [] : [`${before} だけの行は ${rowsOf(onlyBefore)}`]),
      ...(onlyAfter === 0 ? [] : [`今回だけの行は ${rowsOf(onlyAfter)}`]),
    ];
    return `${pairedBy === 'key' ? 'キー' : '行番号'}で対応付けた ${rowsOf(paired)}を比べました（${others.join('、')}）。`;
  },
  otherKinds: (metrics, before) =>
    `${metrics.join('、')} は ${before} と比べていません。一方のスコアは合格・不合格、他方は数値です。`,
  turned: (metrics, before) =>
    `${metrics.join('、')}：${before} では高低のどちらがよいかが逆でした。改善・悪化は今の向きで示しています。`,
  measuredOtherwise: (metrics) =>
    `${metrics.join('、')} は、ベースラインの承認時とは測り方が異なります（eval.yaml の設定、評価関数のファイル、または判定フロー）。差はそれだけによる可能性があります。`,
  worse: (metric, rows) => `${metric} が ${rowsOf(rows)}で悪化`,
  unscored: (metric, rows) => `${metric} のスコアが ${rowsOf(rows)}でなくなった`,
  causeUnknown(program) {
    const possible = program === undefined ? '' : `${program} が原因かもしれません。`;
    return `実行の記録に定義がないため、原因は不明です。${possible}`;
  },
  causes: (named) => `${named.length === 1 ? '原因' : '考えられる原因'}：${named.join('、')}。`,
  changed: (node, change) => `${node}（${change}）`,
  onlyProgram: (program) => `原因：${program}。関係する定義は変わっていません。`,
  noDefinition(isProgramKnown) {
    const program = isProgramKnown ? '' : 'Unroll のバージョンの違い（記録にない実行があります）、';
    return `関係する定義は変わっていません。データの違い、外部サービス、${program}または偶然が考えられます。`;
  },
  added: '追加',
  removed: '削除',
};

const japaneseVerdicts: Readonly<Record<Verdict, string>> = {
  worse: '悪化',
  better: '改善',
  'not significant': '有意差なし',
  same: '全行で同じ',
};

function rowsOf(rows: number): string {
  return `${rows.toLocaleString('en')} 行`;
}

export const scoreVerdictWords: Readonly<Record<'en' | 'ja', ScoreVerdictWords>> = { en: english, ja: japanese };
