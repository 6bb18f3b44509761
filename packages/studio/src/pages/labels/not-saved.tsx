import type { Failure } from '../../load/request.ts';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { words } from '../../words/words.ts';

export interface NotSavedProps {
  readonly failure: Failure;
  readonly again: () => void;
}

/** What was said of the row stands here and in no file: why, and a way to try again. */
export function NotSaved({ failure: { message, help }, again }: NotSavedProps) {
  const { labels } = words.value.comparing;
  return (
    <div class="not-saved bad" role="alert">
      <p class="plain-text">
        <Mark shape="failed" /> {labels.notSaved} <PlainText text={message} />
      </p>
      {help === undefined ? null : (
        <p class="plain-text quiet">
          <PlainText text={help} />
        </p>
      )}
      <button type="button" class="button" onClick={again}>
        {labels.saveAgain}
      </button>
    </div>
  );
}
