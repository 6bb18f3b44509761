import type { MetricResult } from '../score-run/eval-result.ts';

type Unit = Pick<MetricResult, 'unit'>;

/** A score or a mean for people: three or four digits that tell, with its unit. */
export function scoreText(value: number, { unit }: Unit): string {
  return `${numberText(value)}${unit === undefined ? '' : ` ${unit}`}`;
}

/** A difference, with its sign: `+0.05`, `−120 ms`. */
export function signedText(value: number, unit: Unit): string {
  if (value === 0) return '±0';
  return `${value > 0 ? '+' : '−'}${scoreText(Math.abs(value), unit)}`;
}

export function pValueText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.01 ? 3 : 2)}`;
}

export function numberText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  if (size === 0 || size >= 100) return String(Math.round(value * 10) / 10);
  return String(Number(value.toPrecision(size < 1 ? 3 : 4)));
}
