import { type EvalResult, toneOfNode } from '@unroll/evals';
import { scoreFigure } from './figures.ts';
import type { NodeScore } from './graph-view.ts';

/**
 * The worst metric that measures a node. Amounts such as tokens have no colour of their own.
 *
 * @param names of it and of what it may be measured as: its instances, `outputs.answer`
 */
export function nodeScore(names: readonly string[], result: EvalResult): NodeScore | undefined {
  const { metrics } = toneOfNode(result, names);
  const [worst] = metrics;
  if (worst === undefined) return undefined;
  const verdict = worst.comparison?.verdict;
  const { mean } = worst.summary;
  const isShare = worst.unit === undefined && mean !== null && mean >= 0 && mean <= 1;
  return {
    measure: {
      figure: scoreFigure(mean, worst),
      level: isShare ? mean : null,
      of: worst.name,
    },
    gateFails: metrics.some(({ gate }) => gate?.passed === false),
    ...(verdict === 'better' || verdict === 'worse' ? { trend: verdict } : {}),
  };
}
