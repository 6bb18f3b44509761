import type { ChatPage } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { useJson } from '../../load/use-json.ts';
import { useSession } from '../../load/use-session.ts';
import { EmptyView, FailureView, WaitingView } from '../../parts/state-view.tsx';
import { query, setQuery } from '../../route/address.ts';
import { runAddress } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { Composer } from './composer.tsx';
import { beginAgain, isRunning, stop, talk, talkWith } from './talk.ts';
import { Trace } from './trace.tsx';
import { Turns } from './turns.tsx';

type ChatFlow = ChatPage['flows'][number];

/** Talking with a flow: each turn with what its nodes did. */
export function ChatView() {
  const page = useJson<ChatPage>('chat');
  const { pages, trying } = words.value;
  useTitle(pages.chat);
  if (page.value === undefined)
    return (
      <>
        <h1>{pages.chat}</h1>
        {page.failure === undefined ? (
          <WaitingView lines={6} />
        ) : (
          <FailureView failure={page.failure} again={page.again} />
        )}
      </>
    );
  const { flows } = page.value;
  const asked = query.value.get('flow');
  const flow = flows.find(({ path }) => path === asked) ?? flows[0];
  if (flow === undefined)
    return (
      <>
        <h1>{pages.chat}</h1>
        <EmptyView title={trying.chat.none}>
          <p class="quiet">{trying.chat.noneHelp}</p>
        </EmptyView>
      </>
    );
  return <Talking key={flow.path} flow={flow} flows={flows} />;
}

function Talking({ flow, flows }: { readonly flow: ChatFlow; readonly flows: readonly ChatFlow[] }) {
  const { chat } = words.value.trying;
  const session = useSession();
  const now = talkWith(flow.path);
  const [chosen, choose] = useState<number>();
  const [inputs, setInputs] = useState<Readonly<Record<string, string>>>({});
  const shown = chosen !== undefined && chosen < now.turns.length ? chosen : now.turns.length - 1;
  const running = isRunning(now);
  const end = (): void => stop(flow.path);
  useKeys([{ keys: ['Escape'], group: 'page', label: chat.keyStop, run: end }]);
  const send = (message: string): void => {
    choose(undefined);
    void talk(flow.path, message, inputs);
  };
  const turn = now.turns[shown];
  return (
    <>
      <div class="page-head chat-head">
        <h1>
          {flow.name} <span class="about">{flow.hasHistory ? '' : chat.noHistory}</span>
        </h1>
        <div class="actions">
          {flows.length < 2 ? null : (
            <select
              class="button"
              aria-label={chat.flow}
              value={flow.path}
              onChange={({ currentTarget: { value } }) => setQuery({ flow: value })}
            >
              {flows.map(({ path, name }) => (
                <option key={path} value={path}>
                  {name} ({path})
                </option>
              ))}
            </select>
          )}
          {now.chat === undefined ? null : (
            <a class="button" href={runAddress(now.chat)}>
              {chat.openRecord}
            </a>
          )}
          <button type="button" class="button" disabled={now.turns.length === 0} onClick={() => beginAgain(flow.path)}>
            {chat.newChat}
          </button>
        </div>
      </div>
      <div class="chat">
        <section class="panel" aria-label={chat.talk}>
          <Turns talk={now} chosen={shown} choose={choose} />
          {now.turns.length > 0 ? null : (
            <OtherInputs
              inputs={flow.inputs}
              given={inputs}
              set={(name, json) => setInputs({ ...inputs, [name]: json })}
            />
          )}
          {session?.isReadOnly === true ? (
            <p class="body quiet">{chat.readOnly}</p>
          ) : (
            <Composer isRunning={running} send={send} stop={end} />
          )}
        </section>
        {turn === undefined ? null : <Trace chat={now.chat} turn={turn} />}
      </div>
    </>
  );
}

interface OtherInputsProps {
  readonly inputs: ChatFlow['inputs'];
  readonly given: Readonly<Record<string, string>>;
  readonly set: (name: string, json: string) => void;
}

/** They hold for the whole chat. */
function OtherInputs({ inputs, given, set }: OtherInputsProps) {
  if (inputs.length === 0) return null;
  return (
    <div class="body editor-values">
      <p class="quiet small">{words.value.trying.chat.inputs}</p>
      {inputs.map(({ name, type, json }) => (
        <label key={name}>
          <code>{name}</code> <span class="faint small">{type}</span>
          <textarea
            rows={1}
            value={given[name] ?? json ?? ''}
            spellcheck={false}
            dir="auto"
            onInput={({ currentTarget: { value } }) => set(name, value)}
          />
        </label>
      ))}
    </div>
  );
}
