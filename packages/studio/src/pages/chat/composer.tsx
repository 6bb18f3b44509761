import { useEffect, useRef, useState } from 'preact/hooks';
import { isConverting } from '../../shell/is-converting.ts';
import { words } from '../../words/words.ts';

export interface ComposerProps {
  readonly isRunning: boolean;
  readonly send: (message: string) => void;
  readonly stop: () => void;
}

/** Where a message is written: Enter sends it, Shift and Enter make a line; an Enter that ends a conversion sends nothing. */
export function Composer({ isRunning, send, stop }: ComposerProps) {
  const { chat } = words.value.trying;
  const [message, setMessage] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const submit = (): void => {
    if (isRunning || message.trim() === '') return;
    setMessage('');
    send(message);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={field}
        aria-label={chat.message}
        rows={3}
        value={message}
        dir="auto"
        onInput={({ currentTarget: { value } }) => setMessage(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isConverting(event)) return;
          event.preventDefault();
          submit();
        }}
      />
      {isRunning ? (
        <button type="button" class="button" onClick={stop}>
          {chat.stop} <kbd>Esc</kbd>
        </button>
      ) : (
        <button type="submit" class="button primary" disabled={message.trim() === ''}>
          {chat.send} <kbd>↵</kbd>
        </button>
      )}
    </form>
  );
}
