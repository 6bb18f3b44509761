import type { SentencePart } from '../studio-contract/contract.ts';
import { countOf, formatCount } from '../words/index.ts';
import { figure } from './sentences.ts';

type Parts = readonly (string | SentencePart)[];
/** Makes a part that leads somewhere of the words a language has for it. */
type Linked = (text: string) => SentencePart;

/** What the list of runs says of all of them and of each, in a language. */
export interface RunsWords {
  live(runs: number, link: Linked): Parts;
  noneNeedsALook(ended: number): Parts;
  needsALook(
    needing: number,
    ended: number,
    why: { readonly gates: number; readonly failed: number; readonly unreadable: number },
    link: Linked,
  ): Parts;
  failedRows(
    rows: number,
    link: Linked,
    first: { readonly node: SentencePart | undefined; readonly reason: Parts; readonly others: number } | undefined,
  ): Parts;
  stopped(rows: number, total: number | undefined): Parts;
  unfinished(rows: number): Parts;
  turns(loop: SentencePart, stops: readonly { readonly rows: number; readonly turn: number }[]): Parts;
}

const english: RunsWords = {
  live: (runs, link) => [link(countOf(runs, 'run')), ` ${runs === 1 ? 'is' : 'are'} live. `],
  noneNeedsALook: (ended) => [`None of ${lastRuns(ended)} needs a look.`],
  needsALook(needing, ended, why, link) {
    const counts = [
      { runs: why.gates, one: 'fails gates', many: 'fail gates' },
      { runs: why.failed, one: 'has failed rows', many: 'have failed rows' },
      { runs: why.unreadable, one: 'cannot be read', many: 'cannot be read' },
    ].flatMap(({ runs, one, many }) => (runs === 0 ? [] : [`${runs} ${runs === 1 ? one : many}`]));
    const end = counts.length === 0 ? '.' : `: ${counts.join(', ')}.`;
    return [link(`${needing} of ${lastRuns(ended)}`), ` ${needing === 1 ? 'needs' : 'need'} a look${end}`];
  },
  failedRows(rows, link, first) {
    const failed = link(`${countOf(rows, 'row')} failed`);
    if (first === undefined) return [failed, '.'];
    const { node, reason, others } = first;
    const more = others === 0 ? '' : ` (and ${countOf(others, 'other reason')})`;
    return [failed, ': ', ...(node === undefined ? [] : [node, ', ']), ...reason, more];
  },
  stopped: (rows, total) => {
    const share = total === undefined ? countOf(rows, 'row') : `${formatCount(rows)} of ${formatCount(total)} rows`;
    return ['Stopped after ', figure(share), '.'];
  },
  unfinished: (rows) => [figure(countOf(rows, 'row')), ' ended unfinished.'],
  turns(loop, stops) {
    const parts = stops.map(({ rows, turn }, at) => {
      const [noun, unit] = at === 0 ? [` row${rows === 1 ? '' : 's'}`, ` turn${turn === 1 ? '' : 's'}`] : ['', ''];
      return `${formatCount(rows)}${noun} took ${turn}${unit}`;
    });
    return [loop, `: ${parts.join(', ')}.`];
  },
};

function lastRuns(ended: number): string {
  return ended === 1 ? 'the last run' : `the last ${ended} runs`;
}

const japanese: RunsWords = {
  live: (runs, link) => [link(`${formatCount(runs)} 件`), 'を実行中です。'],
  noneNeedsALook: (ended) => [`直近 ${formatCount(ended)} 件に、確認が必要な実行はありません。`],
  needsALook(needing, ended, why, link) {
    const counts = [
      { runs: why.gates, what: '基準が未達' },
      { runs: why.failed, what: '失敗した行あり' },
      { runs: why.unreadable, what: '読み取り不可' },
    ].flatMap(({ runs, what }) => (runs === 0 ? [] : [`${what} ${runs} 件`]));
    const end = counts.length === 0 ? '' : `（${counts.join('、')}）`;
    return [link(`直近 ${formatCount(ended)} 件中 ${formatCount(needing)} 件`), `は確認が必要です${end}。`];
  },
  failedRows(rows, link, first) {
    const failed = link(`${formatCount(rows)} 行が失敗`);
    if (first === undefined) return [failed, '。'];
    const { node, reason, others } = first;
    const more = others === 0 ? '' : `（ほかの理由 ${formatCount(others)} 件）`;
    return [failed, '：', ...(node === undefined ? [] : [node, '、']), ...reason, `${more}。`];
  },
  stopped: (rows, total) => [
    figure(total === undefined ? `${formatCount(rows)} 行` : `${formatCount(total)} 行中 ${formatCount(rows)} 行`),
    'で停止。',
  ],
  unfinished: (rows) => [figure(`${formatCount(rows)} 行`), 'が未完了。'],
  turns: (loop, stops) => [
    loop,
    `：${stops.map(({ rows, turn }) => `${turn} 周 ${formatCount(rows)} 行`).join('、')}。`,
  ],
};

export const runsWords: Readonly<Record<'en' | 'ja', RunsWords>> = { en: english, ja: japanese };
