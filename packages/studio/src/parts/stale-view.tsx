import { type Failure, failureText } from '../load/request.ts';
import { words } from '../words/words.ts';
import { Mark } from './mark.tsx';
import { PlainText } from './plain-text.tsx';

export interface StaleViewProps {
  /** Of reading again what is shown. */
  readonly failure: Failure | undefined;
  readonly again: () => void;
}

/** What is shown is from before: it could not be read again, why, and a way to try. */
export function StaleView({ failure, again }: StaleViewProps) {
  if (failure === undefined) return null;
  return (
    <p class="stale" role="alert">
      <Mark shape="unfinished" /> <b>{words.value.stale}</b>
      <span class="plain-text">
        <PlainText text={failureText(failure)} />
      </span>
      {failure.code === 'NotExported' ? null : (
        <button type="button" class="button" onClick={again}>
          {words.value.again}
        </button>
      )}
    </p>
  );
}
