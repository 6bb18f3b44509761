import type { MetricDifference, RunScore } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { exportedPage } from '../../route/exported-page.ts';
import { queryOf, runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { MetricVerdict } from '../diff/metric-flips.tsx';

export interface DifferenceProps {
  readonly score: RunScore | undefined;
  /** Of the evaluation, and of the run it is compared with. */
  readonly lens: { readonly evaluation: string; readonly against: string | undefined };
}

/** How a metric differs from that of another run: by how much, how sure that is, which rows turned. */
export function Difference({ score, lens }: DifferenceProps) {
  const { evaluation } = words.value.comparing;
  const difference = score?.difference;
  if (score === undefined || difference === undefined) return <span class="faint">–</span>;
  const { interval, verdict } = difference;
  const rowsBy = (is: 'broken' | 'fixed'): string => turnedRows(score.run, { metric: difference.metric, is }, lens);
  return (
    <>
      {verdict === 'same' ? null : (
        <p>
          <b class="one-line">{words.value.figureText(difference.difference.text)}</b>{' '}
          {interval === undefined ? null : (
            <span class="small quiet one-line">{words.value.figureText(interval.text)}</span>
          )}
        </p>
      )}
      <p class="small">
        <MetricVerdict metric={difference} />
        {verdict === 'same' ? null : <span class="faint one-line"> · {difference.p}</span>}
      </p>
      <p class="small quiet">
        {words.value.inLines(
          evaluation.before(words.value.figureText(difference.before.text), countText(difference.pairs)),
        )}
        <Flips difference={difference} addressOf={rowsBy} />
        {difference.lost === undefined ? null : <span> · {evaluation.lost(countText(difference.lost))}</span>}
      </p>
    </>
  );
}

interface FlipsProps {
  readonly difference: MetricDifference;
  readonly addressOf: (is: 'broken' | 'fixed') => string;
}

function Flips({ difference: { flips }, addressOf }: FlipsProps) {
  const { evaluation } = words.value.comparing;
  return (
    <>
      {(['broken', 'fixed'] as const)
        .filter((is) => (flips?.[is] ?? 0) > 0)
        .map((is) => (
          <span key={is} class="one-line">
            {' '}
            · <a href={addressOf(is)}>{evaluation[is](countText(flips?.[is] ?? 0))}</a>
          </span>
        ))}
    </>
  );
}

/** An export holds a run as this evaluation sees it, and no other way. */
function turnedRows(
  run: string,
  { metric, is }: { readonly metric: string; readonly is: 'broken' | 'fixed' },
  lens: DifferenceProps['lens'],
): string {
  const query = queryOf(exportedPage === undefined ? lens : {});
  query.append('filter', JSON.stringify({ by: 'score', metric, is }));
  return runAddress(run, query);
}
