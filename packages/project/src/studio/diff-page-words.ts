import type { SentencePart } from '../studio-contract/contract.ts';
import { countOf, formatCount } from '../words/index.ts';
import { bad, figure } from './sentences.ts';

type Parts = readonly (string | SentencePart)[];

/** What the page of two runs says beside the verdict that the terminal prints, in a language. */
export interface DiffPageWords {
  worse(
    metric: SentencePart,
    difference: string,
    flips: { readonly broken: number; readonly fixed: number } | undefined,
  ): Parts;
  firstWorse(node: SentencePart, rows: number, metric: string): Parts;
  /** @param steps nodes with what stands between them */
  way(outputs: readonly SentencePart[], steps: Parts, rows: number): Parts;
  /** What became of a row. */
  broken(metric: string): string;
  fixed(metric: string): string;
  readonly failed: string;
  readonly answerChanged: string;
  readonly nodesOnly: string;
  readonly kinds: Readonly<Record<'cause' | 'both' | 'effect' | 'input' | 'noise' | 'unknown', string>>;
}

const english: DiffPageWords = {
  worse(metric, difference, flips) {
    const rows =
      flips === undefined ? [] : [': ', bad(`${countOf(flips.broken, 'row')} broke`), `, ${fixed(flips.fixed)}`];
    return [metric, ' is worse (', figure(difference), ')', ...rows, '. '];
  },
  firstWorse: (node, rows, metric) => ['Rows got worse first at ', node, ` in ${countOf(rows, 'row')} (${metric}). `],
  way: (outputs, steps, rows) => [
    ...['It got to ', ...between(outputs, ' and '), ' by ', ...steps],
    `, in ${countOf(rows, 'row')}. `,
  ],
  broken: (metric) => `${metric} broken`,
  fixed: (metric) => `${metric} fixed`,
  failed: 'failed',
  answerChanged: 'answer changed',
  nodesOnly: 'nodes only',
  kinds: { cause: 'cause', both: 'both', effect: 'effect', input: 'input', noise: 'noise', unknown: 'unknown' },
};

function fixed(rows: number): string {
  if (rows === 0) return 'none was fixed';
  return `${formatCount(rows)} ${rows === 1 ? 'was' : 'were'} fixed`;
}

const japanese: DiffPageWords = {
  worse(metric, difference, flips) {
    const rows =
      flips === undefined
        ? []
        : ['：', bad(`${formatCount(flips.broken)} 行が悪化`), `、${formatCount(flips.fixed)} 行が改善`];
    return [metric, ' が悪化しました（', figure(difference), '）', ...rows, '。'];
  },
  firstWorse: (node, rows, metric) => [
    '最初に悪化した場所は ',
    node,
    ` で、${formatCount(rows)} 行です（${metric}）。`,
  ],
  way: (outputs, steps, rows) => [
    ...[...between(outputs, '、'), ' への経路：', ...steps],
    `（${formatCount(rows)} 行）。`,
  ],
  broken: (metric) => `${metric} 悪化`,
  fixed: (metric) => `${metric} 改善`,
  failed: '失敗',
  answerChanged: '回答が変化',
  nodesOnly: '途中のノードだけ',
  kinds: { cause: '原因', both: '両方', effect: '影響', input: '入力', noise: 'ゆらぎ', unknown: '不明' },
};

function between(names: readonly SentencePart[], and: string): Parts {
  return names.flatMap((one, at) => (at === 0 ? [one] : [and, one]));
}

export const diffPageWords: Readonly<Record<'en' | 'ja', DiffPageWords>> = { en: english, ja: japanese };
