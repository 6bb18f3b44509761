import type { NodeView, PlaygroundPage, RowPage } from '@unroll/project/studio-contract';
import { useJson } from '../../load/use-json.ts';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { statusShape } from '../../parts/status.ts';
import { ValueView } from '../../parts/value-view.tsx';
import { rowAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { ChangeView } from '../row/change-view.tsx';
import { ScoreText } from '../run/row-cell.tsx';
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
  const before = useJson<RowPage>(path).value;
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
              <ValueView value={before.outputs} rest={`${path}/values/`} lines={16} isReading />
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
          {trial?.row === undefined ? null : (
            <a href={rowAddress(trial.row.run, trial.row)}>{playground.openRow}</a>
          )}
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
      {row === undefined ? <LiveSteps page={page} trial={trial} /> : <Steps nodes={row.nodes} />}
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
          {row.error.code}: <PlainText text={row.error.message} />
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

/** Nodes that did something, in the order of the flow. */
function Steps({ nodes }: { readonly nodes: readonly NodeView[] }) {
  const { status, tokens } = words.value;
  return (
    <ol class="steps">
      {nodes
        .filter((node) => node.status !== 'Bypassed' && node.status !== 'NotRun')
        .map((node) => {
          const shown = node.takenFrom === undefined ? node.status : 'cached';
          return (
            <li key={node.name}>
              <Mark shape={statusShape(shown)} label={status[shown]} />
              <b>{node.name}</b>
              <span class="quiet">
                <PlainText text={node.did ?? node.error?.message ?? ''} />
              </span>
              <span class="faint one-line">
                {node.tokens === undefined ? '' : `${node.tokens.total.text} ${tokens}`}
              </span>
            </li>
          );
        })}
    </ol>
  );
}

function LiveSteps({ page, trial: { statuses } }: { readonly page: PlaygroundPage; readonly trial: RowTrial }) {
  const { status } = words.value;
  const known = page.nodes.flatMap(({ name }) => {
    const now = statuses.get(name);
    return now === undefined || now === 'Bypassed' || now === 'NotRun' ? [] : [{ name, now }];
  });
  return (
    <ol class="steps" aria-live="polite">
      {known.map(({ name, now }) => (
        <li key={name}>
          <Mark shape={statusShape(now)} label={status[now]} />
          <b>{name}</b>
        </li>
      ))}
    </ol>
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
