import type { SentencePart } from '../studio-contract/contract.ts';
import { countOf, formatCount } from '../words/index.ts';
import { bad, figure } from './sentences.ts';

type Parts = readonly (string | SentencePart)[];

/** What labels tell of a metric, in a language. */
export interface LabelWords {
  agree(metric: SentencePart, rows: number): Parts;
  disagree(metric: SentencePart, differing: number, rows: number): Parts;
  /** @param kappa undefined where there is none, for this reason */
  agreement(
    share: string,
    kappa: string | undefined,
    reach: string | undefined,
    why: 'none' | 'always the same',
  ): Parts;
  /** All disagreements are of one side. */
  oneSided(passes: 'metric' | 'person', differing: number): Parts;
  left(left: number, all: number): Parts;
  /** How many of the labels that say pass or fail say pass. */
  rate(share: string, reach: string, labelled: number): Parts;
}

const english: LabelWords = {
  agree: (metric, rows) => ['You and ', metric, ` agree in all ${countOf(rows, 'row')}. `],
  disagree: (metric, differing, rows) => {
    return ['You and ', metric, ' ', bad(`disagree in ${formatCount(differing)} of ${countOf(rows, 'row')}`), '. '];
  },
  agreement(share, kappa, reach, why) {
    const reason = why === 'none' ? 'no row is judged by both' : 'one of them always says the same';
    if (kappa === undefined) return ['Agreement ', figure(share), `; no κ: ${reason}. `];
    return ['Agreement ', figure(share), ', κ ', figure(kappa), `${reach === undefined ? '' : ` (95 % ${reach})`}. `];
  },
  oneSided(passes, differing) {
    const side =
      passes === 'metric' ? 'a pass of the metric that you failed' : 'a failure of the metric that you passed';
    return [differing === 1 ? `The disagreement is ${side}. ` : `Every disagreement is ${side}. `];
  },
  left(left, all) {
    if (left === 0) return [`All ${countOf(all, 'row')} have a label. `];
    return [`${countOf(left, 'row')} of ${formatCount(all)} ${left === 1 ? 'has' : 'have'} no label yet. `];
  },
  rate: (share, reach, labelled) => [figure(share), ` good (95 % ${reach}) of ${countOf(labelled, 'labelled row')}. `],
};

const japanese: LabelWords = {
  agree: (metric, rows) => ['あなたと ', metric, ` の判定は ${formatCount(rows)} 行すべてで一致しています。`],
  disagree: (metric, differing, rows) => [
    ...['あなたと ', metric, ' の判定は ', bad(`${formatCount(rows)} 行中 ${formatCount(differing)} 行で不一致`)],
    'です。',
  ],
  agreement(share, kappa, reach, why) {
    const reason = why === 'none' ? '両方が判定した行がないため' : '一方の判定がすべて同じため';
    if (kappa === undefined) return ['一致率 ', figure(share), `（${reason} κ は求められません）。`];
    const interval = reach === undefined ? '' : `（95 % 区間 ${reach.replace(' to ', '～')}）`;
    return ['一致率 ', figure(share), '、κ ', figure(kappa), `${interval}。`];
  },
  oneSided: (passes) => [
    passes === 'metric'
      ? '不一致はすべて、指標が合格としあなたが不合格とした行です。'
      : '不一致はすべて、指標が不合格としあなたが合格とした行です。',
  ],
  left: (left, all) => [
    left === 0
      ? `${formatCount(all)} 行すべてにラベルがあります。`
      : `${formatCount(all)} 行中 ${formatCount(left)} 行にまだラベルがありません。`,
  ],
  rate: (share, reach, labelled) => [
    ...['ラベル付きの ', `${formatCount(labelled)} 行のうち `, figure(share)],
    ` が合格（95 % 区間 ${reach.replace(' to ', '～')}）。`,
  ],
};

export const labelWords: Readonly<Record<'en' | 'ja', LabelWords>> = { en: english, ja: japanese };
