import type { MetricResult } from '../eval-result/eval-result.ts';

/** A number as it is, with its unit: bounds are told as they were written, and what is held against them beside them. */
export function exactText(value: number, unit: MetricResult['unit']): string {
  const text = Math.abs(value) >= 1e15 ? String(value) : value.toLocaleString('en', { maximumSignificantDigits: 17 });
  if (unit === 'USD') return text.replace(/^-?/, '$&$$');
  return unit === undefined ? text : `${text} ${unit}`;
}
