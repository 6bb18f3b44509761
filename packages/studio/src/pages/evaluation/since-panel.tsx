import type { EvaluationPage, SinceRun } from '@unroll/project/studio-contract';
import { countText, fullTimeText } from '../../parts/count.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { queryOf, rowAddress, runAddress } from '../../route/view.ts';
import { language, words } from '../../words/words.ts';

export interface SincePanelProps {
  readonly page: EvaluationPage;
}

/** Of each run that is compared: how its rows were paired, what changed in the flow, where rows got worse first. */
export function SincePanel({ page: { runs, baseline } }: SincePanelProps) {
  return (
    <>
      {runs.map(({ run, since }) =>
        since === undefined ? null : (
          <Since
            key={run.id}
            run={run.id}
            since={since}
            isBaseline={since.before === baseline}
            isOne={runs.length < 3}
          />
        ),
      )}
    </>
  );
}

interface SinceProps {
  readonly run: string;
  readonly since: SinceRun;
  readonly isBaseline: boolean;
  /** Only one run is compared. */
  readonly isOne: boolean;
}

function Since({ run, since, isBaseline, isOne }: SinceProps) {
  const { evaluation } = words.value.comparing;
  const title = isBaseline ? evaluation.sinceBaseline : evaluation.since(since.before);
  return (
    <section class="panel since" aria-label={title}>
      <header>
        <h2>{isOne ? title : `${run}: ${title}`}</h2>
        <span class="small faint">{pairing(since)}</span>
      </header>
      <div class="body">
        <Worse run={run} since={since} />
        <Changes changes={since.changes} program={since.program} />
        {since.isThere ? (
          <p>
            <a href={`/diff?${queryOf({ left: since.before, right: run })}`}>{evaluation.compareThem}</a>
          </p>
        ) : null}
      </div>
    </section>
  );
}

function pairing({ before, startedAt, paired, pairedBy, onlyBefore, onlyAfter, dataChanged }: SinceRun): string {
  const { evaluation } = words.value.comparing;
  return [
    `${before}, ${fullTimeText(startedAt, language.value)}`,
    evaluation.paired(countText(paired), pairedBy),
    onlyBefore === 0 ? '' : evaluation.onlyBefore(countText(onlyBefore)),
    onlyAfter === 0 ? '' : evaluation.onlyAfter(countText(onlyAfter)),
    dataChanged ? evaluation.dataChanged : '',
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

function Worse({ run, since: { worse } }: { readonly run: string; readonly since: SinceRun }) {
  const { evaluation } = words.value.comparing;
  const { row } = words.value;
  if (worse.length === 0) return <p class="quiet">{evaluation.noneWorse}</p>;
  return (
    <>
      <h3>{evaluation.worseFirst}</h3>
      <ul class="since-list">
        {worse.map(({ node, text, rows, lines, cause }) => (
          <li key={`${node} ${text}`}>
            <a href={runAddress(run, queryOf({ node }))}>
              <code>{node}</code>
            </a>{' '}
            <PlainText text={text} />
            <span class="small quiet">
              {lines.map((line, at) => (
                <span key={line}>
                  {at === 0 ? `: ${row} ` : ', '}
                  <a href={rowAddress(run, { line, repeat: 0 })}>{line}</a>
                </span>
              ))}
              {rows > lines.length ? ` ${evaluation.more(countText(rows - lines.length))}` : ''}
            </span>
            . <PlainText text={cause} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Changes({ changes, program }: Pick<SinceRun, 'changes' | 'program'>) {
  const { evaluation } = words.value.comparing;
  if (changes === undefined) return <p class="quiet">{evaluation.changesUnknown}</p>;
  if (changes.length === 0 && program === undefined) return <p class="quiet">{words.value.comparing.diff.noCause}</p>;
  return (
    <>
      <h3>{evaluation.changed}</h3>
      <ul class="since-list">
        {changes.map(({ node, text }) => (
          <li key={node}>
            <code>{node}</code>: <PlainText text={text} />
          </li>
        ))}
        {program === undefined ? null : <li>{program}</li>}
      </ul>
    </>
  );
}
