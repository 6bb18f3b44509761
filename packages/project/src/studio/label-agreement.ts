import { agreementOf, scoreText } from '@unroll/evals';
import type { KeptLabel } from '../labels/label-file.ts';
import type { Agreement, LabelsPage, Sentence, Verdict } from '../studio-contract/contract.ts';
import { formatCount } from '../words/index.ts';
import { noFigure, shareFigure } from './figures.ts';
import type { LabelledRow } from './labelled-rows.ts';
import { bad, count, figure, name, sentence } from './sentences.ts';

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

export function isLabelled({ label }: JudgedRow): boolean {
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
  return {
    disagree,
    agree: agreementView(rows).rows - disagree,
    unlabelled: rows.filter((row) => !isLabelled(row)).length,
  };
}

/** How far the judge may be trusted, as far as the labels tell. */
export function labelVerdict(rows: readonly JudgedRow[], metric: string): Verdict {
  const found = agreementView(rows);
  const left = rows.filter((row) => !isLabelled(row)).length;
  return {
    answer: found.rows === 0 ? [] : [agreeSentence(found, metric)],
    details: [...kappaSentence(found), ...sideSentence(found), ...leftSentence(left, rows.length)],
    isSoFar: false,
  };
}

/** `You and cited disagree in 21 of 76 rows.` */
function agreeSentence({ rows, onlyJudgePasses, onlyPersonPasses }: Agreement, metric: string): Sentence {
  const differing = onlyJudgePasses + onlyPersonPasses;
  if (differing === 0) return sentence('agree', 'You and ', name(metric), ` agree in all ${count(rows, 'row')}. `);
  const told = bad(`disagree in ${formatCount(differing)} of ${count(rows, 'row')}`);
  return sentence('disagree', 'You and ', name(metric), ' ', told, '. ');
}

/** `Agreement 72.4 %, κ 0.45 (95 % 0.30 to 0.62).` */
function kappaSentence({ share, kappa, interval }: Agreement): readonly Sentence[] {
  if (share.value === null) return [];
  const text = scoreText(share.value, { kind: 'pass' });
  if (kappa.value === null) return [sentence('agreement', 'Agreement ', figure(text), `; no κ: ${kappa.why}. `)];
  const reach = interval === undefined ? '' : ` (95 % ${interval.text})`;
  return [sentence('agreement', 'Agreement ', figure(text), ', κ ', figure(kappa.text), `${reach}. `)];
}

/** `Every disagreement is a pass of the judge that you failed.` */
function sideSentence({ onlyJudgePasses, onlyPersonPasses }: Agreement): readonly Sentence[] {
  const [one, other] = [onlyJudgePasses, onlyPersonPasses];
  if ((one === 0) === (other === 0)) return [];
  const side = one > 0 ? 'a pass of the metric that you failed' : 'a failure of the metric that you passed';
  return [
    sentence('one-sided', one + other === 1 ? `The disagreement is ${side}. ` : `Every disagreement is ${side}. `),
  ];
}

function leftSentence(left: number, all: number): readonly Sentence[] {
  if (left === 0) return all === 0 ? [] : [sentence('all-labelled', `All ${count(all, 'row')} have a label. `)];
  return [
    sentence('left', `${count(left, 'row')} of ${formatCount(all)} ${left === 1 ? 'has' : 'have'} no label yet. `),
  ];
}
