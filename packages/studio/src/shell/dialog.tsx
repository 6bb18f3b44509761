import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { words } from '../words/words.ts';

export interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A dialog in front of the page; the browser keeps the focus in it, Escape closes it, and the focus goes back. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // As soon as it stands: a key that is typed behind the one that opened it is its own.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const closeOutside = (event: MouseEvent): void => {
    if (event.target === dialog.current) close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser does for every dialog
    <dialog ref={dialog} aria-label={title} onClose={close} onClick={closeOutside}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="button plain" onClick={close}>
          {words.value.close} <kbd>Esc</kbd>
        </button>
      </header>
      <div class="body">{children}</div>
    </dialog>
  );
}
