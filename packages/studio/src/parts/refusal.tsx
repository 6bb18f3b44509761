import { type Failure, failureText } from '../load/request.ts';
import { Mark } from './mark.tsx';
import { PlainText } from './plain-text.tsx';

/** Why what was asked for in a dialog is not done. */
export function Refusal({ failure }: { readonly failure: Failure }) {
  return (
    <p class="plain-text" role="alert">
      <Mark shape="failed" /> <PlainText text={failureText(failure)} />
    </p>
  );
}
