import { signal } from '@preact/signals';
import type { RunLine, RunsPage } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { useJson } from '../load/use-json.ts';
import { Mark } from '../parts/mark.tsx';
import { statusShape } from '../parts/status.ts';
import { go } from '../route/address.ts';
import { rowAddress, runAddress } from '../route/view.ts';
import { words } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { isConverting } from './is-converting.ts';

export const isGoToOpen = signal(false);

const close = (): void => {
  isGoToOpen.value = false;
};

export function GoToDialog() {
  return isGoToOpen.value ? <GoTo /> : null;
}

/** A run by a part of its name or flow; `name/12` for a row of it. */
function GoTo() {
  const { goTo, goToHint, noMatch } = words.value;
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [name = '', row] = text.split('/');
  const [isAwaited, setIsAwaited] = useState(false);
  const { value, isCurrent } = useJson<RunsPage>(`runs?limit=12&text=${encodeURIComponent(name)}`);
  const runs = value?.runs ?? [];
  const addressOf = (run: RunLine): string =>
    row !== undefined && /^\d+$/.test(row) ? rowAddress(run.id, { line: Number(row), repeat: 0 }) : runAddress(run.id);
  const open = (run: RunLine): void => {
    close();
    go(addressOf(run));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isConverting(event)) return;
    const chosen = isCurrent ? runs[at] : undefined;
    // Nothing is listed yet, or of what was typed before: the run that is meant comes soon.
    if (event.key === 'Enter' && chosen === undefined) setIsAwaited(true);
    else if (event.key === 'Enter' && chosen !== undefined) open(chosen);
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, runs.length - 1));
    if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    if (['Enter', 'ArrowDown', 'ArrowUp'].includes(event.key)) event.preventDefault();
  };
  const onInput = (event: Event & { readonly currentTarget: HTMLInputElement }): void => {
    setText(event.currentTarget.value);
    setAt(0);
    setIsAwaited(false);
  };
  const first = isCurrent ? runs[0] : undefined;
  useEffect(() => {
    if (isAwaited && first !== undefined) open(first);
  }, [isAwaited, first]);
  return (
    <Dialog title={goTo} close={close}>
      <label class="search">
        <Mark shape="search" />
        <span class="unseen">{goToHint}</span>
        <input autofocus value={text} placeholder={goToHint} onInput={onInput} onKeyDown={onKeyDown} />
      </label>
      <ul class="go-to-list">
        {runs.map((run, index) => (
          <li key={run.id}>
            <a href={addressOf(run)} onClick={close} class={index === at ? 'chosen' : ''}>
              <Mark shape={statusShape(run.status)} label={words.value.status[run.status]} />
              {run.name ?? run.id} <span class="faint">{run.flow}</span>
            </a>
          </li>
        ))}
      </ul>
      {value !== undefined && runs.length === 0 ? <p class="quiet">{noMatch}</p> : null}
    </Dialog>
  );
}
