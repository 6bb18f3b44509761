import type { RunLine } from '@unroll/project/studio-contract';
import { countText, fullTimeText, timeText } from '../../parts/count.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { statusShape } from '../../parts/status.ts';
import { Sentences } from '../../parts/verdict-view.tsx';
import { runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { toggleChosen } from './toggle-chosen.ts';

export interface RunsTableProps {
  readonly runs: readonly RunLine[];
  readonly chosen: readonly string[];
}

export function RunsTable({ runs, chosen }: RunsTableProps) {
  const {
    runsTitle,
    run,
    outcome,
    rows,
    failed,
    tokens,
    cost,
    took,
    started,
    statusName,
    chosen: chosenWord,
  } = words.value;
  return (
    <div class="runs-table" role="table" aria-label={runsTitle}>
      <div role="row" class="heads">
        <span role="columnheader">
          <span class="unseen">{chosenWord}</span>
        </span>
        <span role="columnheader">
          <span class="unseen">{statusName}</span>
        </span>
        <span role="columnheader">{run}</span>
        <span role="columnheader">{outcome}</span>
        {[rows, failed, tokens, cost, took, started].map((title) => (
          <span key={title} role="columnheader" class="number">
            {title}
          </span>
        ))}
      </div>
      {runs.map((one) => (
        <RunRow key={one.id} run={one} chosen={chosen} />
      ))}
    </div>
  );
}

interface RunRowProps {
  readonly run: RunLine;
  readonly chosen: readonly string[];
}

function RunRow({ run, chosen }: RunRowProps) {
  const { status, choose, of, baseline, language } = words.value;
  const name = run.name ?? run.id;
  const isChosen = chosen.includes(run.id);
  return (
    <div role="row" class={isChosen ? 'line chosen' : 'line'}>
      <span role="cell" class="choose">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={choose(name)}
          onChange={() => toggleChosen(run.id, chosen)}
        />
      </span>
      <span role="cell" class="status">
        <Mark shape={statusShape(run.status)} label={status[run.status]} />
      </span>
      <span role="cell" class="name">
        <a href={runAddress(run.id)} data-item data-run={run.id}>
          {name}
        </a>{' '}
        <span class="faint">{run.flow}</span>
        {run.isBaseline ? <span class="tag">{baseline}</span> : null}
        {run.tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </span>
      <span role="cell" class="outcome">
        <Outcome run={run} />
      </span>
      <span role="cell" class="number rows" data-title={words.value.rowOrRows(run.total ?? run.rows.value ?? 0)}>
        <FigureText figure={run.rows} />
        {run.total !== undefined && run.total !== run.rows.value ? (
          <span class="faint"> {of(countText(run.total))}</span>
        ) : null}
      </span>
      <span
        role="cell"
        class={`number failed ${(run.failed.value ?? 0) > 0 ? 'bad' : ''}`}
        data-title={words.value.failed}
      >
        {(run.failed.value ?? 0) > 0 ? <FigureText figure={run.failed} /> : null}
      </span>
      <span role="cell" class="number tokens">
        <FigureText figure={run.tokens} />
      </span>
      <span role="cell" class="number cost">
        <FigureText figure={run.cost} />
      </span>
      <span role="cell" class="number took">
        <FigureText figure={run.duration} />
      </span>
      <span role="cell" class="number started faint" title={fullTimeText(run.startedAt, language)}>
        {timeText(run.startedAt, Date.now(), language)}
      </span>
    </div>
  );
}

function Outcome({ run: { outcome, progress, problem, canResume, name, id } }: { readonly run: RunLine }) {
  const { rowsDone, perSecond, resume } = words.value;
  if (problem !== undefined)
    return (
      <span class="bad">
        <PlainText text={words.value.toldProblem(problem)} />
      </span>
    );
  if (progress !== undefined) {
    const { share, rate, left } = progress;
    const shown = Math.round((share.value ?? 0) * 1000) / 10;
    return (
      <span class="progress-cell">
        <span
          class="progress"
          role="progressbar"
          aria-label={rowsDone(name ?? id)}
          aria-valuenow={shown}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${shown}%` }} />
        </span>
        <span class="quiet small">
          {share.value === null ? '' : `${share.text} · `}
          {perSecond(rate.value === null ? '' : rate.text, left.value === null ? '' : left.text)}
        </span>
      </span>
    );
  }
  return (
    <>
      <Sentences sentences={outcome} />
      {canResume === undefined || outcome.length > 0 ? null : <span class="quiet">{resume(canResume)}</span>}
    </>
  );
}
