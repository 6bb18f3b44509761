import type { Checked, Edits, PlaygroundPage } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { type Failure, sendJson } from '../../load/request.ts';

/** Milliseconds after the last key before an edit is looked at. */
const restMs = 250;

export interface Check {
  readonly checked?: Checked;
  readonly failure?: Failure;
  /** It is of the edits as they are. */
  readonly isCurrent: boolean;
}

/** What is changed, and what is wrong with it. */
export function useCheck(page: PlaygroundPage, edits: Edits, isReadOnly: boolean): Check {
  const { run, line, node } = page;
  const asked = JSON.stringify({ run, line, node, edits });
  const [state, setState] = useState<{
    readonly asked: string;
    readonly checked?: Checked;
    readonly failure?: Failure;
  }>({ asked: '' });
  useEffect(() => {
    if (isReadOnly) return;
    const ended = new AbortController();
    const ask = (): void => {
      sendJson<Checked>('POST', 'playground/check', JSON.parse(asked) as object, ended.signal).then(
        (answer) => setState('value' in answer ? { asked, checked: answer.value } : { asked, failure: answer.failure }),
        () => undefined,
      );
    };
    const waiting = setTimeout(ask, restMs);
    return () => {
      clearTimeout(waiting);
      ended.abort();
    };
  }, [asked, isReadOnly, page]);
  return { ...state, isCurrent: state.asked === asked };
}
