import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isLost } from '../load/request.ts';
import { useSession } from '../load/use-session.ts';
import { Mark } from '../parts/mark.tsx';
import { arrivals, go, view } from '../route/address.ts';
import { exportedPage, isExported } from '../route/exported-page.ts';
import { switchLanguage, words } from '../words/words.ts';
import { GoToDialog, isGoToOpen } from './go-to-dialog.tsx';
import { HelpDialog, isHelpOpen } from './help-dialog.tsx';
import { keyName } from './key-hint.tsx';
import { useKeys } from './keys.ts';
import { Said, say } from './said.tsx';

const pages = [
  { page: 'runs', address: '/', keys: 'g r', also: ['run', 'row', 'diff'] },
  { page: 'evaluations', address: '/evaluations', keys: 'g e', also: [] },
  { page: 'labels', address: '/labels', keys: 'g l', also: [] },
  { page: 'playground', address: '/playground', keys: 'g p', also: [] },
  { page: 'chat', address: '/chat', keys: 'g c', also: [] },
] as const;

/** An export shows what is in it. */
const shownPages = pages.filter(({ address }) => isExported(address));

export interface ShellProps {
  readonly children: ComponentChildren;
}

/** What stands on every page: the bar, the keys that hold everywhere, the dialogs. */
export function Shell({ children }: ShellProps) {
  useShellKeys();
  const main = useFocusOnArrival();
  const { skip, lost, lostHelp } = words.value;
  return (
    <>
      <a class="unseen" href="#main">
        {skip}
      </a>
      <TopBar />
      {isLost.value ? (
        <p class="notice-bar" role="status">
          <Mark shape="waiting" /> <b>{lost}</b> {lostHelp}
        </p>
      ) : null}
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <HelpDialog />
      <GoToDialog />
      <Said />
    </>
  );
}

function TopBar() {
  const { product, studio, goTo, allKeys, otherLanguage, switchLanguage: switchText, readOnly, exported } = words.value;
  const session = useSession();
  const open = view.value.page;
  return (
    <header class="top">
      <a class="home" href={exportedPage?.start ?? '/'}>
        <Mark shape="logo" />
        <span class="label">{product}</span>
      </a>
      <nav aria-label={studio}>
        {shownPages.map(({ page, address, also }) => (
          <a key={page} href={address} aria-current={page === open || isOneOf(also, open) ? 'page' : undefined}>
            {words.value.pages[page]}
          </a>
        ))}
      </nav>
      <span class="push" />
      {session?.isReadOnly === true ? <span class="tag">{readOnly}</span> : null}
      {session?.isExport === true ? <span class="tag">{exported}</span> : null}
      {isExported('/') ? (
        <button type="button" class="search go-to" onClick={() => openGoTo()}>
          <Mark shape="search" />
          <span class="label">{goTo}</span>
          <span class="push" />
          <kbd>{keyName('Control+k')}</kbd>
        </button>
      ) : null}
      <button type="button" class="button plain" onClick={switchLanguage}>
        <span lang={words.value.language === 'ja' ? 'en' : 'ja'}>{otherLanguage}</span>
        <span class="unseen">{switchText}</span>
      </button>
      <button type="button" class="button plain help" onClick={() => openHelp()}>
        <kbd>?</kbd> <span class="unseen">{allKeys}</span>
      </button>
    </header>
  );
}

function isOneOf(list: readonly string[], one: string): boolean {
  return list.includes(one);
}

function openHelp(): void {
  isHelpOpen.value = true;
}

function openGoTo(): void {
  isGoToOpen.value = true;
}

function useShellKeys(): void {
  const { keys } = words.value;
  const group = 'everywhere';
  useKeys([
    { keys: ['?'], group, label: keys.help, run: openHelp },
    { keys: ['Control+k'], group, label: keys.goTo, run: openGoTo },
    { keys: ['/'], group, label: keys.search, run: focusSearch },
    { keys: ['y'], group, label: keys.copy, run: copyAddress },
    ...shownPages.map(({ page, address, keys: bound }) => ({
      keys: [bound],
      group: 'everywhere' as const,
      label: keys[page],
      run: () => go(address),
    })),
  ]);
}

/** The search field of the page; without one that of the whole studio. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main .search input');
  if (field === null) openGoTo();
  field?.focus();
  field?.select();
}

function copyAddress(): void {
  const { copied, notCopied } = words.peek();
  const copying = navigator.clipboard?.writeText(window.location.href) ?? Promise.reject(new Error('no clipboard'));
  copying.then(
    () => say(copied),
    () => say(notCopied),
  );
}

/** Whoever comes to another page begins at its top; a screen reader reads its heading. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null);
  const count = arrivals.value;
  useEffect(() => {
    if (count === 0) return;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [count]);
  return main;
}
