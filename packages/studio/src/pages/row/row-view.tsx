import type { RowPage } from '@unroll/project/studio-contract';
import { useLiveEvents } from '../../load/live-events.ts';
import { useJson } from '../../load/use-json.ts';
import { countText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { RowTitle } from '../../parts/row-title.tsx';
import { FailureView, WaitingView } from '../../parts/state-view.tsx';
import { statusShape } from '../../parts/status.ts';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { query } from '../../route/address.ts';
import { isExported } from '../../route/exported-page.ts';
import { placeAddress, playgroundAddress, rowAddress, runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { ScoreText } from '../run/row-cell.tsx';
import { rowQuery } from '../run/row-query.ts';
import { chosenNode } from './chosen-node.ts';
import { Conversation } from './conversation.tsx';
import { Inspector } from './inspector.tsx';
import { Turns } from './turns.tsx';
import { useRowKeys } from './use-row-keys.ts';
import { Waterfall } from './waterfall.tsx';

export interface RowViewProps {
  readonly run: string;
  readonly line: number;
  readonly repeat: number;
}

/** What happened in this row, turn by turn, and where did it go wrong? */
export function RowView({ run, line, repeat }: RowViewProps) {
  const asked = query.value;
  const kept = rowQuery(asked);
  const path = `runs/${encodeURIComponent(run)}/rows/${line}/${repeat}`;
  const page = useJson<RowPage>(`${path}?${kept}`);
  const shown = page.value;
  const node = shown === undefined ? undefined : chosenNode(shown, asked.get('node'));
  const { row } = words.value;
  useTitle(`${row} ${line}`, run);
  useRowKeys(shown, node, kept);
  useLiveEvents(run, shown?.isPending === true, ({ type }) => type === 'ready' && page.again(), page.again);
  if (shown === undefined || page.failure !== undefined)
    return (
      <>
        <Where run={run} line={line} kept={kept} />
        <h1>
          {row} {line}
        </h1>
        {page.failure === undefined ? (
          <WaitingView lines={10} />
        ) : (
          <FailureView failure={page.failure} again={page.again} />
        )}
      </>
    );
  const rest = `${path}/values/`;
  return (
    <div aria-busy={!page.isCurrent}>
      <RowHead page={shown} kept={kept} node={node?.name} />
      <VerdictView verdict={shown.verdict} />
      <Scores page={shown} />
      <Turns page={shown} rest={rest} chosen={node?.name} />
      <div class="row-columns">
        <Waterfall page={shown} chosen={node?.name} />
        {node === undefined ? null : <Conversation node={node} rest={rest} page={shown} />}
        {node === undefined ? null : <Inspector node={node} nodes={shown.nodes} rest={rest} />}
      </div>
    </div>
  );
}

interface WhereProps {
  readonly run: string;
  readonly line: number;
  readonly kept: URLSearchParams;
}

function Where({ run, line, kept }: WhereProps) {
  const { whereYouAre, runsTitle, row } = words.value;
  return (
    <nav class="where" aria-label={whereYouAre}>
      <a href="/">{runsTitle}</a> <span aria-hidden="true">/</span>
      <a href={runAddress(run, kept)}>{run}</a> <span aria-hidden="true">/</span>
      <span aria-current="page">
        {row} {line}
      </span>
    </nav>
  );
}

interface RowHeadProps {
  readonly page: RowPage;
  readonly kept: URLSearchParams;
  /** That is shown. */
  readonly node: string | undefined;
}

function RowHead({ page, kept, node }: RowHeadProps) {
  const { rowOf, inFilter, previous, next, compareWith, status } = words.value;
  const { inFilter: place, against } = page;
  const isFiltered = kept.has('filter') && place !== undefined;
  return (
    <>
      <Where run={page.run} line={page.line} kept={kept} />
      <div class="page-head">
        <div class="row-title">
          <h1 dir="auto">
            <Mark shape={statusShape(page.status)} label={status[page.status]} />{' '}
            <RowTitle title={page.title} line={page.line} />
          </h1>
          <p class="faint small">
            {rowOf(countText(page.line), countText(page.rows))}
            {isFiltered ? ` · ${inFilter(countText(place.at), countText(place.of))}` : ''} · {page.duration.text} ·{' '}
            {page.tokens.text} {words.value.tokens}
          </p>
        </div>
        <div class="actions">
          {page.previous === undefined ? null : (
            <a class="button" href={rowAddress(page.run, page.previous, kept)}>
              <kbd>k</kbd> {previous}
            </a>
          )}
          {page.next === undefined ? null : (
            <a class="button" href={rowAddress(page.run, page.next, kept)}>
              {next} <kbd>j</kbd>
            </a>
          )}
          {isExported('/playground') ? (
            <a class="button" href={playgroundAddress(page.run, page.line, node)}>
              {words.value.trying.playground.tryIt} <kbd>p</kbd>
            </a>
          ) : null}
          {against === undefined ? null : (
            <a class="button" href={placeAddress(against.to)}>
              {compareWith(against.run)} <kbd>d</kbd>
            </a>
          )}
        </div>
      </div>
    </>
  );
}

function Scores({ page: { scores, labels, problems } }: { readonly page: RowPage }) {
  const said = Object.entries(labels);
  if (scores.length === 0 && said.length === 0 && problems.length === 0) return null;
  return (
    <>
      <ul class="row-scores" aria-label={words.value.scores}>
        {scores.map(({ metric, node, score }) => (
          <li key={metric} title={node}>
            {score.passed === undefined ? `${metric} ` : ''}
            <b>
              <ScoreText score={score} />
            </b>{' '}
            {score.passed === undefined ? '' : metric}
          </li>
        ))}
        {said.map(([name, is]) => (
          <li key={name}>
            <span class="tag">
              {words.value.filterNames.label} {name}: {words.value.label[is]}
            </span>
          </li>
        ))}
      </ul>
      {problems.map((problem) => (
        <p key={problem} class="warn">
          <Mark shape="unfinished" /> <PlainText text={words.value.told(problem)} />
        </p>
      ))}
    </>
  );
}
