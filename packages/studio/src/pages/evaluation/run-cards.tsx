import type { EvaluationPage } from '@unroll/project/studio-contract';
import { Mark } from '../../parts/mark.tsx';
import { exportedPage } from '../../route/exported-page.ts';
import { runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { RunMark } from './run-mark.tsx';

export interface RunCardsProps {
  readonly page: EvaluationPage;
  readonly choose: (runs: readonly string[]) => void;
}

/** A card for each run: its gates, what it took. */
export function RunCards({ page: { runs }, choose }: RunCardsProps) {
  const { baseline, comparing } = words.value;
  const { evaluation } = comparing;
  return (
    <ul class="run-cards">
      {runs.map(({ run, isBaseline, gates, unfinished }, at) => (
        <li key={run.id} class="panel">
          <p>
            <RunMark at={at} /> <a href={runAddress(run.id)}>{run.name ?? run.id}</a>{' '}
            {isBaseline ? <span class="tag">{baseline}</span> : null}
            {runs.length === 1 || exportedPage !== undefined ? null : (
              <button
                type="button"
                class="button plain"
                aria-label={evaluation.remove(run.name ?? run.id)}
                onClick={() => choose(runs.filter((one) => one.run !== run).map((one) => one.run.id))}
              >
                ×
              </button>
            )}
          </p>
          <GatesLine met={gates.met} failed={gates.failed} />
          <p class="small quiet">{gates.failing.join(', ')}</p>
          <p class="small quiet">
            {[run.tokens.value === null ? '' : `${run.tokens.text} ${words.value.tokens}`, run.duration.text]
              .filter((text) => text !== '')
              .join(' · ')}
            {unfinished === 0 ? '' : ` · ${evaluation.unfinished(unfinished)}`}
          </p>
        </li>
      ))}
    </ul>
  );
}

function GatesLine({ met, failed }: { readonly met: number; readonly failed: number }) {
  const { evaluation } = words.value.comparing;
  if (met + failed === 0) return <p class="gates-line quiet">{evaluation.noGates}</p>;
  return failed === 0 ? (
    <p class="gates-line">
      <span class="ok">
        <Mark shape="passes" />
      </span>{' '}
      {evaluation.gatesMet(met)}
    </p>
  ) : (
    <p class="gates-line bad">
      <Mark shape="does-not-pass" /> {evaluation.gatesFail(failed, met + failed)}
    </p>
  );
}
