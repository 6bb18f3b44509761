import type { RowPage } from '@unroll/project/studio-contract';
import { useJson } from '../../load/use-json.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { words } from '../../words/words.ts';
import { LiveSteps, Steps } from '../playground/steps.tsx';
import type { TalkTurn } from './talk.ts';

export interface TraceProps {
  readonly chat: string | undefined;
  readonly turn: TalkTurn;
}

/** What the nodes of a turn did: tools, tokens, time. */
export function Trace({ chat, turn }: TraceProps) {
  const { trying } = words.value;
  const isEnded = turn.status === 'Completed' || turn.status === 'Failed';
  return (
    <aside class="panel trace" aria-labelledby="trace-heading">
      <header>
        <h2 id="trace-heading">{trying.chat.trace(turn.line ?? 0)}</h2>
      </header>
      <div class="body">
        {isEnded && chat !== undefined && turn.line !== undefined ? (
          <Recorded key={`${chat} ${turn.line}`} chat={chat} line={turn.line} />
        ) : (
          <LiveSteps names={[...turn.statuses.keys()]} statuses={turn.statuses} />
        )}
        {turn.statuses.size === 0 ? <p class="quiet">{trying.chat.noTrace}</p> : null}
      </div>
    </aside>
  );
}

function Recorded({ chat, line }: { readonly chat: string; readonly line: number }) {
  const row = useJson<RowPage>(`runs/${encodeURIComponent(chat)}/rows/${line}/0?against=none`).value;
  const { time, tokensName, costName } = words.value;
  if (row === undefined) return null;
  return (
    <>
      <Steps nodes={row.nodes} />
      <dl class="pairs">
        <dt>{time}</dt>
        <dd>
          <FigureText figure={row.duration} />
        </dd>
        <dt>{tokensName}</dt>
        <dd>
          <FigureText figure={row.tokens} />
        </dd>
        <dt>{costName}</dt>
        <dd>
          <FigureText figure={row.cost} isWhyShown={true} />
        </dd>
      </dl>
    </>
  );
}
