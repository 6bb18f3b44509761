import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasCommandKey } from './command-key.ts';
import { isConverting } from './is-converting.ts';

/** What keys do: `keys` as KeyboardEvent.key names them, a sequence with a space between (`g r`). */
export interface KeyBinding {
  readonly keys: readonly string[];
  readonly group: 'everywhere' | 'list' | 'page';
  readonly label: string;
  readonly run: (key: string) => void;
}

/** Later ones come first: a page's own keys go before those of the shell. */
export const bindings = signal<readonly KeyBinding[]>([]);

/** Binds keys as long as the component stands: as soon as it is seen, so that no key is lost between two views. */
export function useKeys(given: readonly KeyBinding[]): void {
  const latest = useRef(given);
  latest.current = given;
  const shown = given.map(({ keys, label }) => keys.join() + label).join();
  useLayoutEffect(() => {
    const bound = given.map((binding, index) => ({
      ...binding,
      run: (key: string) => latest.current[index]?.run(key),
    }));
    bindings.value = [...bound, ...bindings.peek()];
    return () => {
      bindings.value = bindings.peek().filter((one) => !bound.includes(one));
    };
  }, [shown]);
}

let begun = '';

/** Listens for all keys of the page. Single letters do nothing in text fields, in which Escape leaves the field. */
export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (isForOthers(event)) return;
    if (isTextField(event.target) && !isControl(event)) leaveOnEscape(event);
    else press(event);
  });
}

/** What the browser, an open dialog or a converted text takes. */
function isForOthers(event: KeyboardEvent): boolean {
  if (isConverting(event) || event.defaultPrevented || event.altKey || (event.metaKey && !hasCommandKey)) return true;
  return document.querySelector('dialog[open]') !== null || (event.key === 'Enter' && isPressable(event.target));
}

function isControl({ ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || (metaKey && hasCommandKey);
}

function press(event: KeyboardEvent): void {
  const key = isControl(event) ? `Control+${event.key.toLowerCase()}` : event.key;
  const found = bindingOf(begun === '' ? key : `${begun} ${key}`) ?? bindingOf(key);
  begun = found === undefined && beginsSequence(key) ? key : '';
  if (found === undefined) return;
  event.preventDefault();
  found.run(key);
}

function bindingOf(keys: string): KeyBinding | undefined {
  return bindings.peek().find((one) => one.keys.includes(keys));
}

function beginsSequence(key: string): boolean {
  return bindings.peek().some((one) => one.keys.some((keys) => keys.startsWith(`${key} `)));
}

function leaveOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !(event.target instanceof HTMLElement)) return;
  event.preventDefault();
  event.target.blur();
}

function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a, button, summary') !== null;
}
