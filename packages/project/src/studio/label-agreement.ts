import { agreementOf, scoreText, wilsonInterval } from '@unroll/evals';
import type { KeptLabel } from '../labels/label-file.ts';
import type { Agreement, LabelsPage, Sentence, Verdict } from '../studio-contract/contract.ts';
import { noFigure, shareFigure } from './figures.ts';
import { type LabelWords, labelWords } from './label-words.ts';
import type { LabelledRow } from './labelled-rows.ts';
import type { Language } from './lens.ts';
import { name, sentence } from './sentences.ts';

/** How a row stands: what the judge said, and what a person did. */
export interface JudgedRow {
  readonly row: LabelledRow;
  /** Undefined where the metric has no score. */
  readonly passes: boolean | undefined;
  readonly label: KeptLabel | undefined;
}

export function disagrees({ passes, label }: JudgedRow): boolean {
  const { judgement } = label ?? {};
  return passes !== undefined && (judgement === 'pass' || judgement === 'fail') && passes !== (judgement === 'pass');
}

export function hasValidJudgement({ label }: JudgedRow): boolean {
  return label?.judgement !== undefined;
}

/** Judge against person, over the rows of which both said that they pass or fail. */
export function agreementView(rows: readonly JudgedRow[]): Agreement {
  const counted = (passes: boolean, judgement: 'pass' | 'fail'): number =>
    rows.filter((row) => row.passes === passes && row.label?.judgement === judgement).length;
  const table = {
    bothPass: counted(true, 'pass'),
    passFail: counted(true, 'fail'),
    failPass: counted(false, 'pass'),
    bothFail: counted(false, 'fail'),
  };
  const { share, kappa, interval, rows: both } = agreementOf(table);
  const why = both === 0 ? 'no row is judged by both' : 'one of them always says the same';
  return {
    rows: both,
    bothPass: table.bothPass,
    bothFail: table.bothFail,
    onlyJudgePasses: table.passFail,
    onlyPersonPasses: table.failPass,
    share: shareFigure(share, 'no row is judged by both'),
    kappa: kappa === undefined ? noFigure('number', why) : { value: kappa, text: kappa.toFixed(2), unit: 'number' },
    ...(interval === undefined
      ? {}
      : { interval: { ...interval, text: `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}` } }),
  };
}

export function labelCounts(rows: readonly JudgedRow[]): LabelsPage['counts'] {
  const disagree = rows.filter(disagrees).length;
  const compared = agreementView(rows).rows;
  const unlabelled = rows.filter((row) => !hasValidJudgement(row)).length;
  return { disagree, agree: compared - disagree, apart: rows.length - compared - unlabelled, unlabelled };
}

/** How far the judge may be trusted, as far as the labels tell, and how many answers are good by them. */
export function labelVerdict(rows: readonly JudgedRow[], metric: string, language: Language = 'en'): Verdict {
  const words = labelWords[language];
  const found = agreementView(rows);
  const rate = rateSentence(rows, words);
  return {
    answer: found.rows === 0 ? rate : [agreeSentence(found, metric, words)],
    details: [
      ...(found.rows === 0 ? [] : rate),
      ...kappaSentence(found, words),
      ...sideSentence(found, words),
      ...leftSentence(rows, words),
    ],
    isSoFar: false,
  };
}

/** `You and cited disagree in 21 of 76 rows.` */
function agreeSentence(
  { rows, onlyJudgePasses, onlyPersonPasses }: Agreement,
  metric: string,
  words: LabelWords,
): Sentence {
  const differing = onlyJudgePasses + onlyPersonPasses;
  if (differing === 0) return sentence('agree', ...words.agree(name(metric), rows));
  return sentence('disagree', ...words.disagree(name(metric), differing, rows));
}

/** `72.0 % good (95 % 65.0 % to 78.0 %) of 150 labelled rows.`: by people alone, the metric has no say in it. */
function rateSentence(rows: readonly JudgedRow[], words: LabelWords): readonly Sentence[] {
  const said = rows.flatMap(({ label }) => (label?.judgement === undefined ? [] : [label.judgement]));
  const good = said.filter((judgement) => judgement === 'pass').length;
  const labelled = good + said.filter((judgement) => judgement === 'fail').length;
  if (labelled === 0) return [];
  const share = good / labelled;
  const { low, high } = wilsonInterval(share, labelled);
  const text = (value: number): string => scoreText(value, { kind: 'pass' });
  return [sentence('labelled-good', ...words.rate(text(share), `${text(low)} to ${text(high)}`, labelled))];
}

/** `Agreement 72.4 %, κ 0.45 (95 % 0.30 to 0.62).` */
function kappaSentence({ share, kappa, interval, rows }: Agreement, words: LabelWords): readonly Sentence[] {
  if (share.value === null) return [];
  const text = scoreText(share.value, { kind: 'pass' });
  const why = rows === 0 ? 'none' : 'always the same';
  const found = kappa.value === null ? undefined : kappa.text;
  return [sentence('agreement', ...words.agreement(text, found, interval?.text, why))];
}

/** `Every disagreement is a pass of the judge that you failed.` */
function sideSentence({ onlyJudgePasses, onlyPersonPasses }: Agreement, words: LabelWords): readonly Sentence[] {
  const [one, other] = [onlyJudgePasses, onlyPersonPasses];
  if ((one === 0) === (other === 0)) return [];
  return [sentence('one-sided', ...words.oneSided(one > 0 ? 'metric' : 'person', one + other))];
}

function leftSentence(rows: readonly JudgedRow[], words: LabelWords): readonly Sentence[] {
  if (rows.length === 0) return [];
  const left = rows.filter((row) => !hasValidJudgement(row)).length;
  return [sentence(left === 0 ? 'all-labelled' : 'left', ...words.left(left, rows.length))];
}
