import type { GateSpec } from '../eval-file/eval-spec.ts';
import type { GateResult, MetricResult, ScoreSummary } from '../eval-result/eval-result.ts';
import { exactText } from './exact-text.ts';

/**
 * Whether a metric keeps to its own bounds; undefined where the gate has none. A baseline is not looked at.
 *
 * @param unit of the metric: bounds and mean are told in it
 * @param isUnread nothing stood in any row where it looks: what passes then passes by its absence
 */
export function judgeGate(
  gate: GateSpec,
  summary: ScoreSummary,
  { unit, isUnread = false }: { readonly unit?: MetricResult['unit']; readonly isUnread?: boolean } = {},
): GateResult | undefined {
  const bounds = [bound('min', gate.min, unit), bound('max', gate.max, unit)].filter((text) => text !== '');
  if (bounds.length === 0) return undefined;
  const found = judged(gate, summary, unit);
  const verdict =
    found.passed && isUnread ? { passed: false, reason: 'in no row anything stands where it looks' } : found;
  return { rule: bounds.join(', '), ...verdict };
}

function bound(name: string, value: number | undefined, unit: MetricResult['unit']): string {
  return value === undefined ? '' : `${name} ${exactText(value, unit)}`;
}

function judged(
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, errors: allowed }: GateSpec,
  { mean, scored, errors }: ScoreSummary,
  unit: MetricResult['unit'],
): Pick<GateResult, 'passed' | 'reason'> {
  if (mean === null) return { passed: false, reason: 'nothing was scored' };
  if (errors > allowed) return { passed: false, reason: tooManyErrors(errors, allowed) };
  const found = `the mean of ${scored} ${scored === 1 ? 'score' : 'scores'} is ${exactText(besideBounds(mean, [min, max]), unit)}`;
  if (mean < min) return { passed: false, reason: `${found}, below ${exactText(min, unit)}` };
  if (mean > max) return { passed: false, reason: `${found}, above ${exactText(max, unit)}` };
  return { passed: true, reason: found };
}

/** Four digits, and more where fewer would put it on the other side of a bound. */
export function besideBounds(value: number, bounds: readonly number[], least = 4): number {
  const isBeside = (shown: number): boolean =>
    bounds.every((bound) => Math.sign(shown - bound) === Math.sign(value - bound));
  for (let digits = least; digits < 17; digits += 1) {
    const shown = Number(value.toPrecision(digits));
    if (isBeside(shown)) return shown;
  }
  return value;
}

/** Why a gate is not met that allows fewer rows to have failed. */
export function tooManyErrors(errors: number, allowed: number): string {
  const have = errors === 1 ? 'row has' : 'rows have';
  const rule = allowed === 0 ? 'none is allowed' : `${allowed} ${allowed === 1 ? 'is' : 'are'} allowed`;
  return `${errors} ${have} no score because something failed there or nothing was run; ${rule}`;
}
