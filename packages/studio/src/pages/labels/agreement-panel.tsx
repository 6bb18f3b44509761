import type { Agreement } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { words } from '../../words/words.ts';

export interface AgreementPanelProps {
  readonly agreement: Agreement;
  readonly metric: string;
}

/** How often judge and person agree, and how far beyond chance, with its interval drawn from 0 to 1. */
export function AgreementPanel({ agreement, metric }: AgreementPanelProps) {
  const { labels } = words.value.comparing;
  const { rows, bothPass, bothFail, onlyJudgePasses, onlyPersonPasses, kappa, interval } = agreement;
  return (
    <section class="panel" aria-labelledby="agreement-title">
      <header>
        <h2 id="agreement-title">{labels.agreement}</h2>
        <span class="small faint">{words.value.failuresOf(rows)}</span>
      </header>
      <div class="body">
        <table class="agreement-table">
          <thead>
            <tr>
              <td />
              <th scope="col">{labels.youPass}</th>
              <th scope="col">{labels.youFail}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{labels.passes(metric)}</th>
              <td>{countText(bothPass)}</td>
              <td class={onlyJudgePasses > 0 ? 'differs' : ''}>{countText(onlyJudgePasses)}</td>
            </tr>
            <tr>
              <th scope="row">{labels.fails(metric)}</th>
              <td class={onlyPersonPasses > 0 ? 'differs' : ''}>{countText(onlyPersonPasses)}</td>
              <td>{countText(bothFail)}</td>
            </tr>
          </tbody>
        </table>
        <p class="kappa">
          <b>κ {kappa.text}</b>{' '}
          <span class="small quiet">{interval === undefined ? labels.noKappa : `95 % ${interval.text}`}</span>
        </p>
        {kappa.value === null || interval === undefined ? null : (
          <>
            <div class="interval-bar kappa-bar" aria-hidden="true">
              <i class="band" style={{ left: share(interval.low), right: share(1 - interval.high) }} />
              <span class="at" style={{ left: share(kappa.value) }}>
                <i class="run-mark disc" />
              </span>
            </div>
            <p class="small faint kappa-ends">
              <span>{labels.chance}</span>
              <span>{labels.identical}</span>
            </p>
          </>
        )}
      </div>
    </section>
  );
}

function share(part: number): string {
  return `${(Math.min(1, Math.max(0, part)) * 100).toFixed(1)}%`;
}
