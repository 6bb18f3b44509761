import type { EvaluationPage, RunLine } from '@unroll/project/studio-contract';
import { countText, fullTimeText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { exportedPage } from '../../route/exported-page.ts';
import { runAddress } from '../../route/view.ts';
import { language, words } from '../../words/words.ts';
import { firstMark } from './marks-of.ts';
import { RunMark } from './run-mark.tsx';

export interface RunCardsProps {
  readonly page: EvaluationPage;
  readonly choose: (runs: readonly string[]) => void;
}

/** A card for each run: its gates, what it took. */
export function RunCards({ page, choose }: RunCardsProps) {
  const { baseline, comparing } = words.value;
  const { evaluation } = comparing;
  const { runs } = page;
  const from = firstMark(page);
  return (
    <ul class="run-cards">
      {runs.map(({ run, isBaseline, gates, unfinished, repeats }, at) => (
        <li key={run.id} class="panel">
          <p>
            <RunMark at={at + from} /> <a href={runAddress(run.id)}>{run.name ?? run.id}</a>{' '}
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
            {factsOf(run, repeats).join(' · ')}
            {(run.failed.value ?? 0) === 0 ? null : (
              <span class="bad">
                {' '}
                · {run.failed.text} {words.value.failed}
              </span>
            )}
            {unfinished === 0 ? '' : ` · ${evaluation.unfinished(unfinished)}`}
          </p>
        </li>
      ))}
    </ul>
  );
}

function factsOf({ rows, total, tokens, cost, duration, startedAt }: RunLine, repeats: number): readonly string[] {
  const { rows: rowsWord, of, tokens: tokensWord, comparing } = words.value;
  const isWhole = total === undefined || total === rows.value;
  return [
    `${rows.text} ${isWhole ? '' : `${of(countText(total))} `}${rowsWord}`,
    repeats === 1 ? '' : comparing.evaluation.repeated(repeats),
    tokens.value === null ? '' : `${tokens.text} ${tokensWord}`,
    cost.value === null ? '' : cost.text,
    duration.text,
    fullTimeText(startedAt, language.value),
  ].filter((text) => text !== '');
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
