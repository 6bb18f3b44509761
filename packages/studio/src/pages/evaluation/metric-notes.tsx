import type { EvaluationPage, MetricRow, RunScore } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { rowAddress, runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { firstMark } from './marks-of.ts';
import { RunMark } from './run-mark.tsx';

export interface MetricNotesProps {
  readonly metric: MetricRow;
  readonly page: EvaluationPage;
}

/** What a figure alone does not tell: why a gate is not met, which rows have no score, which judges were asked. */
export function MetricNotes({ metric, page }: MetricNotesProps) {
  const from = firstMark(page);
  return (
    <>
      {metric.runs.map((score, at) => (
        <RunNotes key={score.run} score={score} mark={page.runs.length > 1 ? at + from : undefined} />
      ))}
    </>
  );
}

/** @param mark of the run, where there are several */
function RunNotes({ score, mark }: { readonly score: RunScore; readonly mark: number | undefined }) {
  const { gate, unscored, nothingAt, judge } = score;
  const own = mark === undefined ? null : <RunMark at={mark} />;
  return (
    <>
      {gate === undefined || gate.passed ? null : (
        <span class="small metric-note bad">
          {own}
          <PlainText text={gate.reason} />
        </span>
      )}
      {nothingAt === undefined ? null : (
        <span class="small metric-note bad">
          {own}
          <PlainText text={nothingAt} />
        </span>
      )}
      {unscored.map((left) => (
        <span key={`${left.reason} ${left.said}`} class={`small metric-note ${left.at.length > 0 ? 'bad' : 'faint'}`}>
          {own}
          <Unscored run={score.run} left={left} />
        </span>
      ))}
      {judge === undefined ? null : (
        <span class="small metric-note faint">
          {own}
          <Judged judge={judge} />
        </span>
      )}
    </>
  );
}

/** Rows are told of errors alone. */
function Unscored({ run, left }: { readonly run: string; readonly left: RunScore['unscored'][number] }) {
  const { row } = words.value;
  const { reason, rows, at, said } = left;
  return (
    <>
      {words.value.comparing.evaluation.without(countText(rows))} <PlainText text={reason} />
      {at.map((place, index) => (
        <span key={`${place.line} ${place.repeat}`}>
          {index === 0 ? `: ${row} ` : ', '}
          <a href={rowAddress(run, place)}>{place.repeat === 0 ? place.line : `${place.line}/${place.repeat}`}</a>
        </span>
      ))}
      {rows > at.length && at.length > 0 ? ' …' : ''}
      {said === undefined ? null : (
        <span class="quiet">
          {' '}
          <PlainText text={said.split('\n')[0] ?? ''} />
        </span>
      )}
    </>
  );
}

function Judged({ judge: { run, tokens, cost } }: { readonly judge: NonNullable<RunScore['judge']> }) {
  const { comparing, tokens: tokensWord } = words.value;
  const took = [
    tokens === undefined || tokens.value === null ? '' : `${tokens.text} ${tokensWord}`,
    cost === undefined || cost.value === null ? '' : cost.text,
  ];
  return (
    <>
      {comparing.evaluation.judgedIn} <a href={runAddress(run)}>{run}</a>
      {took
        .filter((text) => text !== '')
        .map((text) => (
          <span key={text}> · {text}</span>
        ))}
    </>
  );
}
