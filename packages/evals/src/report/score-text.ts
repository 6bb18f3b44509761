import { dollarsText, durationText } from '@unroll/engine';
import type { MetricResult } from '../eval-result/eval-result.ts';

type Unit = Partial<Pick<MetricResult, 'unit' | 'kind'>>;

/** A score or a mean for people: `93.8 %` of passes, `412 ms`, `$0.0012`, `0.873`. */
export function scoreText(value: number, { unit, kind }: Unit): string {
  if (unit === 'USD') return dollarsText(value);
  if (unit === 'ms' && Math.abs(value) >= 1) return `${value < 0 ? '-' : ''}${durationText(Math.abs(value))}`;
  if (unit !== undefined) return `${numberText(value)} ${unit}`;
  return kind === 'pass' ? `${percentText(value)} %` : numberText(value);
}

/** One place after the point, but never 0 or 100 for what is not: one row of thousands that fails is seen to. */
function percentText(share: number): string {
  const rounded = Math.round(share * 1000) / 10;
  if (rounded === 0) return numberText(Number((share * 100).toPrecision(1)));
  const missing = Number(((1 - share) * 100).toPrecision(1));
  return rounded === 100 && missing > noise ? String(Number((100 - missing).toPrecision(12))) : numberText(rounded);
}

const points = { en: ' points', ja: ' ポイント' };

/** A difference, with its sign: `+0.05`, `−120 ms`; of shares in points. */
export function signedText(value: number, unit: Unit, language: 'en' | 'ja' = 'en'): string {
  if (value === 0) return '±0';
  const text = scoreText(Math.abs(value), unit);
  return `${value > 0 ? '+' : '−'}${unit.kind === 'pass' ? text.replace(' %', points[language]) : text}`;
}

export function pValueText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.01 ? 3 : 2)}`;
}

/** Smaller than what sums of scores leave over by rounding. */
const noise = 1e-12;

function numberText(value: number): string {
  const size = Math.abs(value);
  if (size < noise) return '0';
  if (size >= 1e15) return value.toExponential(3);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  if (size >= 100) return String(Math.round(value * 10) / 10);
  return String(Number(value.toPrecision(size < 1 ? 3 : 4)));
}
