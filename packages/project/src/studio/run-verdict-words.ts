import { changeText, type DefinitionChange, japaneseParts } from '@unroll/evals';
import type { SentencePart } from '../studio-contract/contract.ts';
import { countOf, formatCount } from '../words/index.ts';
import { bad } from './sentences.ts';

type Parts = readonly (string | SentencePart)[];
/** Makes a part that leads somewhere of the words a language has for it. */
type Linked = (text: string) => SentencePart;

/** The change of a definition that is behind rows that went wrong. */
interface ChangeInWords {
  readonly node: string;
  readonly what: DefinitionChange;
  /** Of the node at which they went wrong. */
  readonly isOwn: boolean;
  readonly link: Linked;
}

/** What a run says of itself, in a language: names and figures come as parts, in whatever order the language has. */
export interface RunVerdictWords {
  gatesMet(gates: number): Parts;
  gatesFail(failed: number, gates: number): Parts;
  failedRows(
    rows: number,
    link: Linked,
    at: SentencePart | undefined,
    reason: Parts | undefined,
    others: number,
  ): Parts;
  firstWrong(
    rows: { readonly wrong: number; readonly all: number; readonly link: Linked },
    at: { readonly node: SentencePart; readonly metric: string },
    change: ChangeInWords | undefined,
  ): Parts;
  stopped(rows: number, total: number | undefined): Parts;
  completed(rows: number): Parts;
  unfinished(rows: number): Parts;
  worse(
    metric: SentencePart,
    difference: string,
    flips: { readonly broken: number; readonly fixed: number } | undefined,
  ): Parts;
  /** @param ends rows that ended after each turn */
  turns(
    loop: SentencePart,
    ends: readonly number[],
    others: { readonly never: number; readonly before: number },
  ): Parts;
  dearest(node: SentencePart, own: SentencePart, whole: string): Parts;
  maxTokens(node: SentencePart, own: SentencePart, whole: string): Parts;
  slowest(node: SentencePart, half: SentencePart, next: SentencePart, nextHalf: SentencePart): Parts;
}

const english: RunVerdictWords = {
  gatesMet: (gates) => [
    gates === 1 ? 'The gate passes. ' : gates === 2 ? 'Both gates pass. ' : `All ${gates} gates pass. `,
  ],
  gatesFail: (failed, gates) => [bad(gates === 1 ? 'The gate fails.' : `${failed} of ${gates} gates fail.`), ' '],
  failedRows: (rows, link, at, reason, others) => {
    const failed = link(`${countOf(rows, 'row')} failed`);
    if (reason === undefined) return [failed, '. '];
    const more = others === 0 ? '' : ` (and for ${countOf(others, 'other reason')})`;
    return [failed, ...(at === undefined ? [] : [' at ', at]), ': ', ...reason, `${more}. `];
  },
  firstWrong: ({ wrong, all, link }, { node, metric }, change) => {
    const origin = [
      link(`${formatCount(wrong)} of ${countOf(all, 'row')}`),
      ' went wrong first at ',
      node,
      ` (${metric})`,
    ];
    if (change === undefined) return [...origin, '. '];
    const isWhole = change.what.change !== 'changed';
    const whose = change.isOwn ? ', whose ' : `; before it, of ${change.node}, `;
    const which = change.isOwn ? ', which was ' : `; before it, ${change.node} was `;
    return [...origin, isWhole ? which : whose, change.link(changeText(change.what)), '. '];
  },
  stopped: (rows, total) => [
    `Stopped after ${total === undefined ? countOf(rows, 'row') : `${formatCount(rows)} of ${countOf(total, 'row')}`}. `,
  ],
  unfinished: (rows) => [`${countOf(rows, 'row')} ended unfinished. `],
  completed: (rows) => [rows === 1 ? 'The row completed. ' : `All ${formatCount(rows)} rows completed. `],
  worse: (metric, difference, flips) => {
    const fixed = flips?.fixed === 1 ? 'was' : 'were';
    const rows = flips === undefined ? '' : `: ${countOf(flips.broken, 'row')} broke, ${flips.fixed} ${fixed} fixed`;
    return [metric, ` is worse (${difference})${rows}. `];
  },
  turns: (loop, ends, { never, before }) => {
    const parts = turnsThatEnded(ends).map(
      ({ rows, turn }, at) => `${turn} in ${at === 0 ? countOf(rows, 'row') : formatCount(rows)}`,
    );
    const others = [
      ...(never === 0 ? [] : [`; never in ${formatCount(never)}`]),
      ...(before === 0 ? [] : [`; before its first turn in ${formatCount(before)}`]),
    ];
    return [loop, ` ended after turn ${parts.join(', ')}${others.join('')}. `];
  },
  dearest: (node, own, whole) => [node, ' costs most: ', own, ` of ${whole}. `],
  maxTokens: (node, own, whole) => [node, ' takes most tokens: ', own, ` of ${whole}. `],
  slowest: (node, half, next, nextHalf) => [
    ...[node, ' takes longest: half of its calls take more than ', half],
    ...['; then ', next, ', ', nextHalf, '. '],
  ],
};

const japanese: RunVerdictWords = {
  gatesMet: (gates) => [gates === 1 ? '基準を満たしています。' : `${gates} 件の基準をすべて満たしています。`],
  gatesFail: (failed, gates) => [
    bad(gates === 1 ? '基準を満たしていません。' : `基準 ${gates} 件中 ${failed} 件が未達です。`),
  ],
  failedRows: (rows, link, at, reason, others) => {
    const failed = link(`${formatCount(rows)} 行が失敗`);
    if (reason === undefined) return [failed, 'しました。'];
    const more = others === 0 ? '' : `（ほかの理由 ${formatCount(others)} 件）`;
    return [...(at === undefined ? [] : [at, ' で ']), failed, 'しました：', ...reason, `${more}。`];
  },
  firstWrong: ({ wrong, all, link }, { node, metric }, change) => {
    const rows = link(`${formatCount(all)} 行中 ${formatCount(wrong)} 行`);
    const origin = [rows, 'が最初に誤ったのは ', node, `（${metric}）`];
    if (change === undefined) return [...origin, 'です。'];
    const where = change.isOwn ? 'で、' : `で、その手前の ${change.node} では`;
    return [...origin, where, change.link(changedInJapanese(change.what)), '。'];
  },
  stopped: (rows, total) => [
    total === undefined
      ? `${formatCount(rows)} 行で停止しました。`
      : `${formatCount(total)} 行中 ${formatCount(rows)} 行で停止しました。`,
  ],
  unfinished: (rows) => [`${formatCount(rows)} 行が未完了のまま終わりました。`],
  completed: (rows) => [rows === 1 ? '1 行が完了しました。' : `${formatCount(rows)} 行すべてが完了しました。`],
  worse: (metric, difference, flips) => {
    const rows =
      flips === undefined ? '' : `：${formatCount(flips.broken)} 行が悪化、${formatCount(flips.fixed)} 行が改善`;
    return [metric, ` が悪化しました（${difference}）${rows}。`];
  },
  turns: (loop, ends, { never, before }) => {
    const parts = turnsThatEnded(ends).map(({ rows, turn }) => `${turn} 周目 ${formatCount(rows)} 行`);
    const others = [
      ...(never === 0 ? [] : [`終了せず ${formatCount(never)} 行`]),
      ...(before === 0 ? [] : [`1 周もせず ${formatCount(before)} 行`]),
    ];
    return [loop, ` が終わった周：${[...parts, ...others].join('、')}。`];
  },
  dearest: (node, own, whole) => ['費用が最も多いのは ', node, `：${whole} のうち `, own, '。'],
  maxTokens: (node, own, whole) => ['トークンが最も多いのは ', node, `：${whole} のうち `, own, '。'],
  slowest: (node, half, next, nextHalf) => [
    ...['最も時間がかかるのは ', node, '：呼び出しの半数が ', half, ' を超えています'],
    ...['（次は ', next, ' の ', nextHalf, '）。'],
  ],
};

export const runVerdictWords: Readonly<Record<'en' | 'ja', RunVerdictWords>> = { en: english, ja: japanese };

/** `プロンプト agent.jinja2 が変更されています`. */
function changedInJapanese({ change, parts }: DefinitionChange): string {
  if (change !== 'changed') return change === 'added' ? '追加されています' : '削除されています';
  return `${japaneseParts(parts)}が変更されています`;
}

/** From 1; those after which no row ended say nothing. */
function turnsThatEnded(ends: readonly number[]): readonly { readonly turn: number; readonly rows: number }[] {
  return ends.map((rows, at) => ({ turn: at + 1, rows })).filter(({ rows }) => rows > 0);
}
