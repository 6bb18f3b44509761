import type { SentencePart } from '../studio-contract/contract.ts';
import { formatCount } from '../words/index.ts';
import { bad } from './sentences.ts';

type Parts = readonly (string | SentencePart)[];

/** What the row took where it took something else than in the run it is compared with. */
interface TakenOtherwise {
  readonly turns: readonly { readonly now: number; readonly before: number }[];
  readonly tokens: { readonly now: number; readonly before: number } | undefined;
}

/** What a row says of itself, in a language. */
export interface RowVerdictWords {
  stopped(): Parts;
  /** @param node undefined where the row failed outside of its nodes */
  failed(node: SentencePart | undefined, reason: Parts): Parts;
  firstWrong(node: SentencePart): Parts;
  firstWrongTold(node: SentencePart, metric: SentencePart, expected: string, got: string | undefined): Parts;
  unfinished(loop: SentencePart): Parts;
  /** @param isScored an evaluation found nothing wrong */
  completed(isScored: boolean): Parts;
  against(run: SentencePart, hasSameAnswer: boolean, taken: TakenOtherwise): Parts;
  turns(loop: SentencePart, ran: number, times: number): Parts;
}

const english: RowVerdictWords = {
  stopped: () => ['The row was stopped before its end. '],
  failed: (node, reason) => [node ?? 'The row', ' ', bad('failed'), ': ', ...reason, ' '],
  firstWrong: (node) => [node, ' ', bad('went wrong first'), '. '],
  firstWrongTold: (node, metric, expected, got) => [
    ...[node, ' ', bad('went wrong first'), ': ', metric],
    ` expected ${expected}${got === undefined ? '' : `, got ${got}`}. `,
  ],
  unfinished: (loop) => [loop, ' ended unfinished. '],
  completed: (isScored) => [isScored ? 'The row completed, and no metric fails. ' : 'The row completed. '],
  against(run, hasSameAnswer, { turns, tokens }) {
    const costs = [
      ...turns.map(({ now, before }) => `${now} turn${now === 1 ? '' : 's'} instead of ${before}`),
      ...(tokens === undefined ? [] : [`${formatCount(tokens.now)} tokens instead of ${formatCount(tokens.before)}`]),
    ];
    const took = costs.length === 0 ? '' : `It took ${costs.join(' and ')}. `;
    return [hasSameAnswer ? 'The same answer as in ' : 'Another answer than in ', run, '. ', took];
  },
  turns: (loop, ran, times) => [loop, ` ended after turn ${ran} of ${times}. `],
};

const japanese: RowVerdictWords = {
  stopped: () => ['この行は途中で停止されました。'],
  failed: (node, reason) => [
    ...(node === undefined ? ['この行が'] : [node, ' で']),
    bad('失敗'),
    'しました：',
    ...reason,
    '。',
  ],
  firstWrong: (node) => [bad('最初に誤った'), 'のは ', node, ' です。'],
  firstWrongTold: (node, metric, expected, got) => [
    ...[bad('最初に誤った'), 'のは ', node, ' です：', metric],
    ` の期待値は ${expected}${got === undefined ? '' : `、実際は ${got}`}。`,
  ],
  unfinished: (loop) => [loop, ' は未完了のまま終わりました。'],
  completed: (isScored) => [isScored ? '完了しました。不合格の指標はありません。' : '完了しました。'],
  against(run, hasSameAnswer, { turns, tokens }) {
    const costs = [
      ...turns.map(({ now, before }) => `周は ${before} から ${now}`),
      ...(tokens === undefined ? [] : [`トークンは ${formatCount(tokens.before)} から ${formatCount(tokens.now)}`]),
    ];
    const took = costs.length === 0 ? '' : `${costs.join('、')} に変わりました。`;
    return ['回答は ', run, hasSameAnswer ? ' と同じです。' : ' と異なります。', took];
  },
  turns: (loop, ran, times) => [loop, ` は ${times} 周中 ${ran} 周で終わりました。`],
};

export const rowVerdictWords: Readonly<Record<'en' | 'ja', RowVerdictWords>> = { en: english, ja: japanese };
