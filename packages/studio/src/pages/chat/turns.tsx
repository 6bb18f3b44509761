import { useEffect, useRef } from 'preact/hooks';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { SpokenView } from '../../parts/spoken-view.tsx';
import { rowAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import type { Talk, TalkTurn } from './talk.ts';

export interface TurnsProps {
  readonly talk: Talk;
  readonly chosen: number;
  readonly choose: (at: number) => void;
}

/** What was said, and what came back as it came. */
export function Turns({ talk, chosen, choose }: TurnsProps) {
  const { chat } = words.value.trying;
  const last = useRef<HTMLLIElement>(null);
  const { turns } = talk;
  useEffect(() => last.current?.scrollIntoView({ block: 'nearest' }), [turns.length]);
  if (turns.length === 0) return <p class="body quiet">{chat.begin}</p>;
  return (
    <ol class="talk">
      {turns.map((turn, at) => (
        <li key={at} ref={at === turns.length - 1 ? last : null} class={at === chosen ? 'chosen' : ''}>
          <div class="said-by-you">
            <b class="role">{chat.you}</b>
            <p class="plain-text reading" dir="auto">
              <PlainText text={turn.said} />
            </p>
          </div>
          <Answer chat={talk.chat} turn={turn} />
          <p class="turn-links small">
            <button type="button" class="link" aria-pressed={at === chosen} onClick={() => choose(at)}>
              {chat.trace(turn.line ?? at)}
            </button>
            {talk.chat === undefined || turn.line === undefined || turn.status === 'Running' ? null : (
              <a href={rowAddress(talk.chat, { line: turn.line, repeat: 0 })}>{chat.openRow}</a>
            )}
          </p>
        </li>
      ))}
      {turns.at(-1)?.isOutdated === true ? (
        <li>
          <p class="warn" role="status">
            {chat.outdated}
          </p>
        </li>
      ) : null}
    </ol>
  );
}

function Answer({ chat, turn }: { readonly chat: string | undefined; readonly turn: TalkTurn }) {
  const { status, trying } = words.value;
  const rest = `runs/${encodeURIComponent(chat ?? '')}/rows/${turn.line ?? 0}/0/values/`;
  return (
    <div class="said-by-flow" aria-live="polite" aria-busy={turn.status === 'Running'}>
      {turn.status === 'Running' ? <Mark shape="running" label={status.Running} /> : null}
      {turn.answer !== undefined && turn.status === 'Completed' ? (
        <SpokenView said={turn.answer} rest={rest} lines={60} />
      ) : (
        <p class="plain-text reading" dir="auto">
          <PlainText text={turn.text} />
        </p>
      )}
      {turn.status === 'Canceled' ? <p class="warn">{trying.chat.stopped}</p> : null}
      {turn.error === undefined || turn.status === 'Canceled' ? null : (
        <pre class="bad plain-text" role="alert">
          <PlainText text={words.value.told(turn.error)} />
        </pre>
      )}
    </div>
  );
}
