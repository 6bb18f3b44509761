import type { EvalResult, MetricResult } from '../eval-result/eval-result.ts';
import type { FamilyResult } from '../eval-result/family-result.ts';
import { familyByIteration, metricByIteration } from './charts/iteration-charts.ts';
import { count, escapeMarkup } from './markup.ts';
import { numberText } from './score-text.ts';

/** Agents seen by iteration: how far they went, what was right by when, and metrics of their nodes. */
export function iterationCards({ families, metrics }: EvalResult): string {
  const cards = [...families.map(familyCard), ...metrics.map(metricCard)].filter((card) => card !== '');
  return cards.length === 0 ? '' : `<div class="cards">${cards.join('\n')}</div>`;
}

function metricCard(metric: MetricResult): string {
  const chart = metricByIteration(metric);
  if (chart === '') return '';
  return `<div class="card"><h3>${escapeMarkup(metric.name)}</h3><span class="note">mean by iteration of <code>${escapeMarkup(metric.on)}</code>, with its interval</span>${chart}</div>`;
}

function familyCard(family: FamilyResult): string {
  const chart = familyByIteration(family);
  if (chart === '') return '';
  const isRight = family.iterations.some(({ rightByNow }) => rightByNow !== undefined);
  const told = `rows in which it ran (grey), finished there (green)${isRight ? ', right had it ended there (line)' : ''}`;
  return `<div class="card"><h3>${escapeMarkup(family.family)}</h3><span class="note">${told}</span>${chart}${facts(family)}</div>`;
}

function facts({ stopped, lostLater, recommendedTimes, iterations }: FamilyResult): string {
  const tokens = iterations.flatMap(({ iteration, tokens: used }) =>
    used === undefined ? [] : [`${iteration}: ${numberText(used)}`],
  );
  const lines = [
    ...(stopped === undefined
      ? []
      : [
          `stopped right ${stopped.right}, too early ${stopped.tooEarly}, too late ${stopped.tooLate}, never ${stopped.never}`,
        ]),
    ...(lostLater === undefined || lostLater === 0 ? [] : [`right once, lost later: ${count(lostLater, 'row')}`]),
    ...(recommendedTimes === undefined ? [] : [`recommended times: ${recommendedTimes}`]),
    ...(tokens.length === 0 ? [] : [`tokens by iteration: ${tokens.join(', ')}`]),
  ];
  return lines.map((line) => `<span class="note">${escapeMarkup(line)}</span>`).join('');
}
