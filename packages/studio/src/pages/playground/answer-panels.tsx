import type { PlaygroundPage, RowPage } from '@unroll/project/studio-contract';
import { useLiveEvents } from '../../load/live-events.ts';
import { useJson } from '../../load/use-json.ts';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { SpokenView } from '../../parts/spoken-view.tsx';
import { rowAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { ChangeView } from '../row/change-view.tsx';
import { ScoreText } from '../run/row-cell.tsx';
import { LiveSteps, Steps } from './steps.tsx';
import type { RowTrial } from './use-row-trial.ts';

export interface AnswerPanelsProps {
  readonly page: PlaygroundPage;
  readonly trial: RowTrial | undefined;
  readonly stop: () => void;
}

/** The recorded answer, and beside it the one with the change as it comes. */
export function AnswerPanels({ page, trial, stop }: AnswerPanelsProps) {
  const { playground } = words.value.trying;
  const path = `runs/${encodeURIComponent(page.run)}/rows/${page.line}/0`;
  const { value: before, again } = useJson<RowPage>(path);
  // Scores of a run are worked out when somebody first looks at it.
  useLiveEvents(page.run, before?.isPending === true, ({ type }) => type === 'ready' && again(), again);
  return (
    <div class="two-answers">
      <section class="panel" aria-labelledby="recorded-heading">
        <header>
          <h2 id="recorded-heading">{playground.recorded}</h2>
          <a href={rowAddress(page.run, { line: page.line, repeat: 0 })}>{page.run}</a>
        </header>
        <div class="body">
          {before === undefined ? null : (
            <>
              <Steps nodes={before.nodes} />
              <SpokenView said={page.recorded} rest={`${path}/values/`} lines={16} />
              <RowScores page={before} />
            </>
          )}
        </div>
      </section>
      <section class="panel" aria-labelledby="now-heading" aria-busy={trial?.isRunning === true}>
        <header>
          <h2 id="now-heading">{playground.now}</h2>
          {trial?.isRunning === true ? (
            <>
              <span class="accent small">
                <Mark shape="running" /> {playground.streaming}
              </span>
              <button type="button" class="button" onClick={stop}>
                {playground.stop}
              </button>
            </>
          ) : null}
          {trial?.row === undefined ? null : <a href={rowAddress(trial.row.run, trial.row)}>{playground.openRow}</a>}
        </header>
        <div class="body new-answer">
          {trial === undefined ? <p class="quiet">{playground.notYet}</p> : <Now page={page} trial={trial} />}
        </div>
      </section>
    </div>
  );
}

function Now({ page, trial }: { readonly page: PlaygroundPage; readonly trial: RowTrial }) {
  const { playground } = words.value.trying;
  const { row, ended, failure, text } = trial;
  const rest = row === undefined ? '' : `runs/${encodeURIComponent(row.run)}/rows/${row.line}/0/values/`;
  return (
    <>
      {row === undefined ? (
        <LiveSteps names={page.nodes.map(({ name }) => name)} statuses={trial.statuses} />
      ) : (
        <Steps nodes={row.nodes} />
      )}
      {failure === undefined ? null : (
        <p class="bad plain-text" role="alert">
          <PlainText text={failure.message} />
        </p>
      )}
      {ended === undefined && text !== undefined ? (
        <p class="plain-text reading" dir="auto">
          <PlainText text={text.text} />
        </p>
      ) : null}
      {row?.error === undefined ? null : (
        <p class="bad plain-text">
          {row.error.code}: <PlainText text={words.value.told(row.error.message)} />
        </p>
      )}
      {ended === undefined ? null : (
        <div class="reading changes-now">
          {ended.outputs.length === 0 ? (
            <p class="quiet">{playground.same}</p>
          ) : (
            ended.outputs.map((change) => (
              <p key={change.path}>
                <ChangeView change={change} rest={rest} />
              </p>
            ))
          )}
        </div>
      )}
      {row === undefined ? null : <RowScores page={row} />}
    </>
  );
}

function RowScores({ page: { scores } }: { readonly page: RowPage }) {
  if (scores.length === 0) return null;
  return (
    <ul class="row-scores" aria-label={words.value.scores}>
      {scores.map(({ metric, score }) => (
        <li key={metric}>
          {score.passed === undefined ? `${metric} ` : ''}
          <ScoreText score={score} /> {score.passed === undefined ? '' : metric}
        </li>
      ))}
    </ul>
  );
}
