import type { RowPage, TurnView, ValueChangeView } from '@unroll/project/studio-contract';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Segments } from '../../parts/segments.tsx';
import { query, setQuery } from '../../route/address.ts';
import { words } from '../../words/words.ts';
import { ChangeView } from './change-view.tsx';
import { nodeLink } from './node-link.ts';

export interface TurnsProps {
  readonly page: RowPage;
  readonly rest: string;
  readonly chosen: string | undefined;
}

const shapes = { ran: 'completed', bypassed: 'bypassed', failed: 'failed', 'not run': 'not-run' } as const;

/** Each turn of a loop beside the one before: what its nodes did, and what changed in the state. */
export function Turns({ page, rest, chosen }: TurnsProps) {
  const { turnByTurn, compareTurns, withBefore, withRun, againstBefore, againstRun } = words.value;
  const isAgainstRun = query.value.get('turns') === 'run' && page.against !== undefined;
  if (page.loops.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="turns-title">
      <header>
        <h2 id="turns-title">{turnByTurn}</h2>
        <span class="quiet small">
          <ins>{words.value.added}</ins> <del>{words.value.removed}</del>{' '}
          {isAgainstRun ? againstRun(page.against?.run ?? '') : againstBefore}
        </span>
        {page.against === undefined ? null : (
          <Segments
            label={compareTurns}
            choices={[
              { id: 'before', text: withBefore },
              { id: 'run', text: withRun(page.against.run) },
            ]}
            chosen={isAgainstRun ? 'run' : 'before'}
            choose={(to) => setQuery({ turns: to === 'run' ? 'run' : undefined }, 'replace')}
          />
        )}
      </header>
      {page.loops.map((loop) => (
        <div key={loop.name} class="loop-turns">
          {page.loops.length > 1 ? <h3>{loop.name}</h3> : null}
          <ol class="turns" aria-label={loop.name}>
            {loop.turns.map((turn) => (
              <li key={turn.turn} class={turnClass(turn, chosen)}>
                <TurnOfRow page={page} turn={turn} rest={rest} isAgainstRun={isAgainstRun} />
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

function turnClass({ isFirstBad, status, nodes }: TurnView, chosen: string | undefined): string {
  const isChosen = chosen !== undefined && nodes.includes(chosen);
  return [isFirstBad ? 'wrong' : '', status === 'ran' ? '' : 'off', isChosen ? 'chosen' : ''].filter(Boolean).join(' ');
}

interface TurnProps {
  readonly page: RowPage;
  readonly turn: TurnView;
  readonly rest: string;
  readonly isAgainstRun: boolean;
}

function TurnOfRow({ page, turn, rest, isAgainstRun }: TurnProps) {
  const { turn: turnText, wentWrongFirst, status, stateAfter, same } = words.value;
  const statusWord = {
    ran: status.Completed,
    bypassed: status.Bypassed,
    failed: status.Failed,
    'not run': status.NotRun,
  };
  const label = turn.isFirstBad ? wentWrongFirst : statusWord[turn.status];
  const changes: readonly ValueChangeView[] = (isAgainstRun ? turn.changesAgainst : turn.changes) ?? [];
  const nodes = page.nodes.filter(({ name }) => turn.nodes.includes(name));
  return (
    <>
      <h3>
        <Mark shape={turn.isFirstBad ? 'does-not-pass' : shapes[turn.status]} label={label} /> {turnText(turn.turn)}
        <span class="faint">
          {turn.status === 'ran'
            ? `${turn.tokens.text} ${words.value.tokens} · ${turn.duration.text}`
            : statusWord[turn.status]}
        </span>
      </h3>
      {turn.status === 'bypassed' ? null : (
        <ul class="did">
          {nodes.map(({ name, did }) => (
            <li key={name}>
              <a href={nodeLink(name)}>{name}</a>{' '}
              <span class="quiet">
                <PlainText text={did ?? ''} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {turn.status === 'bypassed' && changes.length === 0 ? null : (
        <>
          <p class="faint small">{stateAfter}</p>
          {changes.length === 0 ? (
            <p class="faint">{same}</p>
          ) : (
            <ul class="changes">
              {changes.map((change) => (
                <li key={change.path}>
                  <ChangeView change={change} rest={rest} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </>
  );
}
