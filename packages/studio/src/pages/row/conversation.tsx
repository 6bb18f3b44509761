import type { Message, NodeView, RowPage } from '@unroll/project/studio-contract';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ValueView } from '../../parts/value-view.tsx';
import { words } from '../../words/words.ts';
import { nodeLink } from './node-link.ts';

export interface ConversationProps {
  readonly node: NodeView;
  readonly page: RowPage;
  readonly rest: string;
}

/** What the chosen node said to its model and was answered; what any other node was given and gave. */
export function Conversation({ node, page, rest }: ConversationProps) {
  const { conversationOf, inputsName, outputName, rowInputs, rowOutputs } = words.value;
  const isChat = node.conversation.length > 0;
  return (
    <div class="middle">
      <section class="panel" aria-labelledby="talk-title">
        <header>
          <h2 id="talk-title">{isChat ? conversationOf(node.name) : node.name}</h2>
          {node.written === undefined ? null : <span class="faint small">{node.written}</span>}
        </header>
        {node.error === undefined ? null : (
          <div class="message wrong">
            <p class="bad strong">
              <Mark shape="failed" /> {node.error.code}
            </p>
            <p class="plain-text">
              <PlainText text={words.value.told(node.error.message)} />
            </p>
          </div>
        )}
        {isChat
          ? node.conversation.map((message, index) => (
              <MessageView
                key={index}
                message={message}
                rest={rest}
                isLast={index === node.conversation.length - 1}
                node={node}
              />
            ))
          : [
              { name: inputsName, value: node.inputs },
              { name: outputName, value: node.output },
            ].map(({ name, value }) => (
              <div key={name} class="message">
                <h3>{name}</h3>
                <ValueView value={value} rest={rest} lines={24} isReading={true} />
              </div>
            ))}
      </section>
      <section class="panel" aria-label={rowOutputs}>
        {[
          { name: rowInputs, value: page.inputs },
          { name: rowOutputs, value: page.outputs },
        ].map(({ name, value }) => (
          <div key={name} class="message">
            <h3>{name}</h3>
            <ValueView value={value} rest={rest} />
          </div>
        ))}
      </section>
    </div>
  );
}

export interface MessageViewProps {
  readonly message: Message;
  /** That was sent it; absent where it is only shown what would be sent. */
  readonly node?: NodeView;
  readonly rest: string;
  readonly isLast?: boolean;
}

export function MessageView({ message, node, rest, isLast = false }: MessageViewProps) {
  const { roles, image, answersCall } = words.value;
  const { role, name, parts, calls, answers, from } = message;
  const kind = role === 'tool' || role === 'function' ? 'tool' : isLast ? 'last' : '';
  return (
    <article class={`message said ${kind} ${isLast && node?.isFirstBad === true ? 'wrong' : ''}`}>
      <b class="role">{roles[role] ?? role}</b>
      <p class="about">
        {name === undefined ? null : <code>{name}</code>}
        <span class="faint small">
          {from === undefined || from === node?.name ? null : <a href={nodeLink(from)}>{from}</a>}
          {answers === undefined ? '' : ` ${answersCall} ${answers}`}
          {isLast && node?.tokens !== undefined
            ? ` ${node.tokens.total.text} ${words.value.tokens} · ${node.duration.text}`
            : ''}
        </span>
      </p>
      <div class="said-text">
        {parts.map((part, index) => {
          if (part.kind === 'text')
            return <ValueView key={`${index} text`} value={part.text} rest={rest} isReading={true} />;
          if (part.kind === 'other') return <ValueView key={`${index} other`} value={part.json} rest={rest} />;
          return <Picture key={`${index} image`} source={part.source} label={image} />;
        })}
        {calls.map((call, index) => (
          <div key={call.id ?? `${index} ${call.name}`} class="call">
            <code class="tool-name">{call.name}</code>
            <ValueView value={call.arguments} rest={rest} lines={6} />
          </div>
        ))}
      </div>
    </article>
  );
}

/** Pictures that are in the record are shown; nothing is loaded from elsewhere. */
function Picture({ source, label }: { readonly source: string; readonly label: string }) {
  if (source.startsWith('data:image/')) return <img class="picture" src={source} alt={label} />;
  return (
    <code>
      <PlainText text={source} />
    </code>
  );
}
