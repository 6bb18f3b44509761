import type { ComponentChildren } from 'preact';
import type { Failure } from '../load/request.ts';
import { words } from '../words/words.ts';
import { Mark } from './mark.tsx';
import { PlainText } from './plain-text.tsx';

export interface EmptyViewProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Nothing is here, what that means and what to do. */
export function EmptyView({ title, children }: EmptyViewProps) {
  return (
    <div class="state">
      <p class="title">{title}</p>
      {children}
    </div>
  );
}

export interface FailureViewProps {
  readonly failure: Failure;
  readonly again: () => void;
}

/** What could not be read; what is not there yet is no failure. */
export function FailureView({ failure: { code, message, help }, again }: FailureViewProps) {
  if (code === 'NotExported' || code === 'NothingToLabel')
    return (
      <EmptyView title={message}>
        <p class="quiet">{help}</p>
      </EmptyView>
    );
  return (
    <div class="state" role="alert">
      <p class="title">
        <Mark shape="failed" /> {words.value.failedToRead}
      </p>
      <p class="plain-text">
        <PlainText text={message} />
      </p>
      {help === undefined ? null : (
        <p class="plain-text quiet">
          <PlainText text={help} />
        </p>
      )}
      <p class="actions">
        <button type="button" class="button" onClick={again}>
          {words.value.again}
        </button>
        <a class="button" href="/">
          {words.value.backToRuns}
        </a>
      </p>
    </div>
  );
}

export interface WaitingViewProps {
  readonly lines: number;
}

/** Lines where lines will be; seen only when it takes longer than a moment (style). */
export function WaitingView({ lines }: WaitingViewProps) {
  return (
    <div class="waiting-lines" role="status" aria-label={words.value.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="skeleton" />
      ))}
    </div>
  );
}
