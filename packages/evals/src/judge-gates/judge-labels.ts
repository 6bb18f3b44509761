import type { EvalResult, GateResult, MetricResult, RowPlace } from '../eval-result/eval-result.ts';
import { count } from '../report/markup.ts';
import { besideBounds } from '../score-run/judge-gate.ts';
import { type AgreementTable, agreementOf } from '../statistics/agreement.ts';
import { mergeGates } from './merge-gates.ts';

/** What a person says of a row's answer by a metric; undefined where nobody said that it passes or fails. */
export type JudgementOf = (metric: string, row: RowPlace) => 'pass' | 'fail' | undefined;

/**
 * Judges the gates that ask how far a metric agrees with people, beside what its own bounds came to. Only rows count of which both said
 * that they pass or fail.
 *
 * @param leastOf Cohen's kappa that a metric must have, by its name; undefined where its gate asks for none
 * @param whichCount which labels count for a metric, told where there is none
 */
export function judgeLabels(
  result: EvalResult,
  judgementOf: JudgementOf,
  leastOf: (metric: string) => number | undefined,
  whichCount: (metric: string) => string,
): EvalResult {
  const metrics = result.metrics.map((metric) => {
    const least = leastOf(metric.name);
    if (least === undefined) return metric;
    return {
      ...metric,
      gate: mergeGates(metric.gate, judged(tableOf(metric, judgementOf), least, whichCount(metric.name))),
    };
  });
  return { ...result, metrics };
}

function tableOf({ name, scores }: MetricResult, judgementOf: JudgementOf): AgreementTable {
  const table = { bothPass: 0, passFail: 0, failPass: 0, bothFail: 0 };
  for (const [at, value] of scores.values.entries()) {
    const row = { line: scores.lines[at] ?? 0, repeat: scores.repeats[at] ?? 0 };
    const judgement = judgementOf(name, row);
    if (judgement === undefined) continue;
    table[cellOf(value === 1, judgement === 'pass')] += 1;
  }
  return table;
}

function cellOf(metricPasses: boolean, personPasses: boolean): keyof AgreementTable {
  if (metricPasses) return personPasses ? 'bothPass' : 'passFail';
  return personPasses ? 'failPass' : 'bothFail';
}

function judged(table: AgreementTable, least: number, whichCount: string): GateResult {
  const rule = `agreement ${least}`;
  const { rows, kappa, interval } = agreementOf(table);
  if (rows === 0) return { rule, passed: false, reason: `no row is labelled pass or fail: ${whichCount}` };
  const over = `over ${count(rows, 'labelled row')}`;
  if (kappa === undefined) {
    return { rule, passed: false, reason: `κ is not known ${over}: one of metric and people always says the same` };
  }
  const reach =
    interval === undefined ? '' : `, 95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`;
  const near = kappa.toFixed(2);
  const shown = kappa < least === Number(near) < least ? near : besideBounds(kappa, [least], 3);
  const found = `κ ${shown} ${over}${reach}`;
  return kappa < least
    ? { rule, passed: false, reason: `${found}, below ${least}` }
    : { rule, passed: true, reason: found };
}
