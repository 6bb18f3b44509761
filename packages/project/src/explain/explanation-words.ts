import {
  type Difference,
  type Explanation,
  japaneseParts,
  type PartChange,
  partsText,
  type Reason,
} from '@unroll/evals';
import { inJapanese, type JapaneseRule } from '../words/japanese-rules.ts';
import type { WhyAbout } from './explain-row.ts';

/** What a node did, and why, in a language; without a full stop. */
interface ExplanationWords {
  taken(from: string): string;
  /** @param parts none where nothing differs from `run` either */
  takenBeside(from: string, run: string, parts: readonly PartChange[]): string;
  ran(because: string): string;
  readonly bypassed: string;
  readonly afterFailure: string;
  readonly nothingToTakeFrom: string;
  readonly always: Readonly<Record<'cache' | 'effects' | 'unseen', string>>;
  notKept(why: string): string;
  readonly givenOn: string;
  noSuchRow(run: string | undefined, row: string | undefined): string;
  noSuchNode(run: string | undefined): string;
  didNotComplete(run: string | undefined, status: string): string;
  readonly noFingerprint: string;
  notSeen(what: readonly string[] | undefined, run: string | undefined): string;
  nothingChanged(run: string | undefined): string;
  /** @param program `Unroll 0.1.0 → 0.2.0` */
  onlyProgram(program: string): string;
  changed(parts: readonly PartChange[]): string;
}

const english: ExplanationWords = {
  taken: (from) => `taken from ${from}: nothing it depends on has changed`,
  takenBeside: (from, run, parts) =>
    parts.length === 0
      ? `taken from ${from}: nothing it depends on has changed, nor since ${run}`
      : `taken from ${from}, which was made as this run; against ${run}, ${partsText(parts)}`,
  ran: (because) => `ran: ${because}`,
  bypassed: 'did not run: its condition did not hold, or nothing was there to work on',
  afterFailure: 'did not run: a node before it failed',
  nothingToTakeFrom: 'there was no run to take its output from',
  always: {
    cache: 'it always does (cache: false)',
    effects: 'it always does: it may write',
    unseen: 'it always does: what it asks may have changed unseen (cache: true takes its output all the same)',
  },
  notKept: (why) => `${why}, so that no record can stand in for it`,
  givenOn:
    'its output is what it was given, which code changes later in the row, so that no record can stand in for it',
  noSuchRow: (run, row) => `${run} has no row ${row}, and no other row that fits`,
  noSuchNode: (run) => `${run} has no such node`,
  didNotComplete: (run, status) => `in ${run} it did not complete (${status})`,
  noFingerprint: 'one of the two runs tells no fingerprint of it',
  notSeen: (what, run) =>
    what === undefined
      ? `what its code read in ${run} is not known`
      : `its code reads what nobody can compare: ${what.join(', ')} (cache: true takes its output all the same)`,
  nothingChanged: (run) =>
    `nothing it depends on has changed; it ran because --since did not name ${run}, or because of --no-cache`,
  onlyProgram: (program) => `${program}; nothing it depends on has changed`,
  changed: (parts) => partsText(parts),
};

const japanese: ExplanationWords = {
  taken: (from) => `${from} の出力を再利用しました。依存するものは変わっていません`,
  takenBeside: (from, run, parts) =>
    parts.length === 0
      ? `${from} の出力を再利用しました。依存するものは ${run} からも変わっていません`
      : `${from} の出力を再利用しました。${run} とは${japaneseParts(parts)}が違います`,
  ran: (because) => `実行しました：${because}`,
  bypassed: '実行していません。条件を満たさないか、処理するものがありませんでした',
  afterFailure: '実行していません。前のノードが失敗しました',
  nothingToTakeFrom: '出力を再利用できる実行がありません',
  always: {
    cache: '毎回実行する設定です（cache: false）',
    effects: '書き込みの可能性があるため毎回実行します',
    unseen: '問い合わせ先の変化を検知できないため毎回実行します（cache: true にすると再利用します）',
  },
  notKept: (why) => `記録で代用できません（${inJapanese(why, notKeptRules)}）`,
  givenOn: '渡されたものを出力し、後のコードがそれを変更するため、記録で代用できません',
  noSuchRow: (run, row) => `${run} に行 ${row} も、対応する行もありません`,
  noSuchNode: (run) => `${run} にこのノードがありません`,
  didNotComplete: (run, status) => `${run} では完了していません（${status}）`,
  noFingerprint: 'どちらかの実行にフィンガープリントがありません',
  notSeen: (what, run) =>
    what === undefined
      ? `${run} でコードが読んだものがわかりません`
      : `コードが比較できないものを読んでいます：${what.join('、')}（cache: true にすると再利用します）`,
  nothingChanged: (run) =>
    `依存するものは変わっていません。--since に ${run} が指定されていないか、--no-cache のためです`,
  onlyProgram: (program) => `${program}。ほかに依存するものは変わっていません`,
  changed: (parts) => `${japaneseParts(parts)}が変更されています`,
};

/** Why no record of a node can stand in for it, as the engine says it. */
const notKeptRules: readonly JapaneseRule[] = [
  [/^it holds a secret$/, '秘密が含まれているため'],
  [/^its output was given$/, '出力が与えられたため'],
  [/^its prompt cannot be rendered$/, 'プロンプトを展開できないため'],
  [/^its input "(.+)" is no JSON$/s, '入力「$1」を JSON にできないため'],
  [/^connection "(.+)" answered in the place of its own$/s, '代わりの接続「$1」が応答したため'],
  [/^the node failed, and its failure was fed back$/, '失敗をモデルに伝えたため'],
  [/^a budget ended the loop$/, '予算によりループが終わったため'],
];

const explanationWords: Readonly<Record<'en' | 'ja', ExplanationWords>> = { en: english, ja: japanese };

/** Why a node ran for a row, or why it did not, without a full stop. */
export function explanationSentence(explanation: Explanation, about: WhyAbout, language: 'en' | 'ja' = 'en'): string {
  const words = explanationWords[language];
  if (explanation.kind === 'taken') return takenText(explanation, about, words);
  if (explanation.kind === 'ran') return words.ran(reasonText(explanation.because, about, words));
  return explanation.status === 'Bypassed' ? words.bypassed : words.afterFailure;
}

function takenText(
  { from, beside }: Extract<Explanation, { kind: 'taken' }>,
  { against }: WhyAbout,
  words: ExplanationWords,
): string {
  if (beside === undefined || against === undefined) return words.taken(from);
  return words.takenBeside(from, against, firstPart(beside));
}

function firstPart(differences: readonly Difference[]): readonly PartChange[] {
  return differences.slice(0, 1).map(({ part }) => ({ part }));
}

function reasonText(reason: Reason, { against, row }: WhyAbout, words: ExplanationWords): string {
  switch (reason.kind) {
    case 'nothing to take from':
      return words.nothingToTakeFrom;
    case 'always':
      return words.always[reason.part];
    case 'not kept':
      return words.notKept(reason.why);
    case 'given on':
      return words.givenOn;
    case 'no such row':
      return words.noSuchRow(against, row);
    case 'no such node':
      return words.noSuchNode(against);
    case 'did not complete':
      return words.didNotComplete(against, reason.status);
    case 'no fingerprint':
      return words.noFingerprint;
    case 'not seen':
      return words.notSeen(reason.what, against);
    case 'nothing changed':
      return reason.program === undefined
        ? words.nothingChanged(against)
        : words.onlyProgram(partsText([reason.program]));
    case 'changed':
      return words.changed(firstPart(reason.differences));
  }
}

/** What differs from the run it is compared with. */
export function differencesIn(explanation: Explanation): readonly Difference[] {
  if (explanation.kind === 'taken') return explanation.beside ?? [];
  return explanation.kind === 'ran' && explanation.because.kind === 'changed' ? explanation.because.differences : [];
}
