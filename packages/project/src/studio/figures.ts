import { scoreText } from '@unroll/evals';
import type { Figure, FigureReason, Interval } from '../studio-contract/contract.ts';
import { formatCost, formatCount, formatDuration, formatLeft, formatRate } from '../words/index.ts';
import type { Language } from './lens.ts';

/** Figures with the words that the terminal has for them. */

const noText = '–';

/** @param why what was recorded stands in `{ told }` */
export function noFigure(unit: Figure['unit'], given: FigureReason | { readonly told: string }): Figure {
  const why = typeof given === 'string' ? given : given.told;
  return { value: null, text: noText, unit, why };
}

export function countFigure(count: number, unit: 'rows' | 'tokens' | 'number' = 'number'): Figure {
  return { value: count, text: formatCount(count), unit };
}

export function durationFigure(ms: number | undefined): Figure {
  return ms === undefined ? noFigure('ms', 'did not run') : { value: ms, text: formatDuration(ms), unit: 'ms' };
}

export function leftFigure(ms: number | undefined): Figure {
  return ms === undefined ? noFigure('ms', 'not known yet') : { value: ms, text: formatLeft(ms), unit: 'ms' };
}

export function rateFigure(perSecond: number | undefined): Figure {
  if (perSecond === undefined) return noFigure('number', 'not known yet');
  return { value: perSecond, text: formatRate(perSecond), unit: 'number' };
}

/** @param isPartial a call of it has no price that is known */
export function costFigure(dollars: number | undefined, isPartial: boolean): Figure {
  if (dollars === undefined || (dollars === 0 && !isPartial)) {
    return noFigure('USD', isPartial ? 'no price of its model is known' : 'nobody is billed for it');
  }
  const figure: Figure = { value: dollars, text: formatCost(dollars, isPartial), unit: 'USD' };
  return isPartial ? { ...figure, why: 'some calls have no price that is known' satisfies FigureReason } : figure;
}

export function shareFigure(share: number | undefined, why: FigureReason = 'not known'): Figure {
  if (share === undefined) return noFigure('share', why);
  return { value: share, text: scoreText(share, { kind: 'pass' }), unit: 'share' };
}

type Scored = Parameters<typeof scoreText>[1];

/** A score or a mean, in the words of reports. */
export function scoreFigure(value: number | null | undefined, metric: Scored, why?: string): Figure {
  const unit = unitOf(metric);
  if (value === null || value === undefined || Number.isNaN(value))
    return noFigure(unit, why === undefined ? 'not scored' : { told: why });
  return { value, text: scoreText(value, metric), unit };
}

function unitOf({ unit, kind }: Scored): Figure['unit'] {
  return unit ?? (kind === 'pass' ? 'share' : 'number');
}

/** Its ends with their unit once: `73.5 to 88.6 %`. */
export function intervalView(
  { low, high }: { readonly low: number; readonly high: number },
  metric: Scored,
  language: Language = 'en',
): Interval {
  const between = language === 'ja' ? '～' : ' to ';
  const upTo = scoreText(high, metric);
  const unit = /^\S+( \S+)$/.exec(upTo)?.[1] ?? '';
  const from = scoreText(low, metric);
  return { low, high, text: (from.endsWith(unit) ? from.slice(0, from.length - unit.length) : from) + between + upTo };
}
