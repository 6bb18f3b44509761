import { didYouMean } from '@unroll/engine';
import type { MetricResult } from '../eval-result/eval-result.ts';

/** `nothing stands at agent_1.tool in any row: did you mean tools?`: a key that is misspelt, more often than not; undefined where something does. */
export function nothingAtText(
  { nothingAt }: Pick<MetricResult, 'nothingAt'>,
  language: 'en' | 'ja' = 'en',
): string | undefined {
  if (nothingAt === undefined) return undefined;
  const { path, missing, known } = nothingAt;
  const nearest = missing === undefined ? undefined : didYouMean(missing, known);
  if (language === 'ja') {
    const found = known.length === 0 ? '' : `。あるもの：${known.join('、')}`;
    return `どの行にも ${path} がありません${found}`;
  }
  const there = known.length === 0 ? '' : `: there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;
  return `nothing stands at ${path} in any row${nearest === undefined ? there : `: ${nearest}`}`;
}
