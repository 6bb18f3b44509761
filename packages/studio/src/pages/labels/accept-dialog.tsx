import type {
  ExpectationChange,
  ExpectationChanged,
  LabelRow,
  LabelsPage,
  Value,
} from '@unroll/project/studio-contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, sendJson } from '../../load/request.ts';
import { countText } from '../../parts/count.ts';
import { Refusal } from '../../parts/refusal.tsx';
import { TextChanges } from '../../parts/text-changes.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import { say } from '../../shell/said.tsx';
import { words } from '../../words/words.ts';

export interface AcceptDialogProps {
  readonly page: LabelsPage;
  readonly row: LabelRow;
  /** What was typed as expected; empty for what the flow answered. */
  readonly typed: string;
  readonly written: (expectation: Value) => void;
  readonly close: () => void;
}

/** Shows what accepting an answer changes in the dataset's file, before it is written. */
export function AcceptDialog({ page, row, typed, written, close }: AcceptDialogProps) {
  const { labels } = words.value.comparing;
  const [column, setColumn] = useState(page.expectation?.column ?? '');
  const { shown, failure, send } = useExpectation(page, row, typed, column);
  const write = async (): Promise<void> => {
    if (shown === undefined || !(await send(shown.digest))) return;
    say(labels.written(shown.file));
    written(shown.expectation);
    close();
  };
  const button = useRef<HTMLButtonElement>(null);
  const canWrite = shown !== undefined && shown.lines.length > 0;
  const isInField = (): boolean => document.activeElement instanceof HTMLInputElement;
  useEffect(() => {
    // Enter writes once it was seen what, and does not close.
    if (canWrite && !isInField()) button.current?.focus();
  }, [canWrite]);
  const question = typed === '' ? labels.acceptAnswer : labels.acceptTyped;
  return (
    <Dialog title={labels.acceptTitle} close={close}>
      <form
        class="accept"
        onSubmit={(event) => {
          event.preventDefault();
          void write();
        }}
      >
        <p>{question(countText(row.line))}</p>
        <label class="label-field">
          <span>{labels.column}</span>
          <input value={column} onInput={({ currentTarget: { value } }) => setColumn(value)} />
        </label>
        {failure === undefined ? <Lines shown={shown} /> : <Refusal failure={failure} />}
        <p class="actions">
          <button ref={button} type="submit" class="button primary" disabled={!canWrite}>
            {labels.writeTo(page.expectation?.file ?? '')} <kbd>Enter</kbd>
          </button>
        </p>
      </form>
    </Dialog>
  );
}

interface Shown {
  readonly shown: ExpectationChanged | undefined;
  readonly failure: Failure | undefined;
  /** Writes it, told the file that was shown. Says whether that was done. */
  readonly send: (digest: string) => Promise<boolean>;
}

function useExpectation(
  { evaluation, run, metric }: LabelsPage,
  { line, repeat }: LabelRow,
  typed: string,
  column: string,
): Shown {
  const [state, setState] = useState<Omit<Shown, 'send'>>({ shown: undefined, failure: undefined });
  const asked: ExpectationChange = {
    ...{ evaluation, run, metric, line, repeat, column },
    ...(typed === '' ? {} : { expected: typed }),
  };
  const send = async (more: Pick<ExpectationChange, 'digest'>, signal?: AbortSignal): Promise<boolean> => {
    const answer = await sendJson<ExpectationChanged>('POST', 'labels/expectation', { ...asked, ...more }, signal);
    const isDone = 'value' in answer;
    setState(isDone ? { shown: answer.value, failure: undefined } : { shown: undefined, failure: answer.failure });
    return isDone;
  };
  useEffect(() => {
    const ended = new AbortController();
    if (column.trim() !== '') send({}, ended.signal).catch(() => undefined);
    return () => ended.abort();
  }, [column]);
  return { ...state, send: (digest) => send({ digest }) };
}

function Lines({ shown }: { readonly shown: ExpectationChanged | undefined }) {
  const { labels } = words.value.comparing;
  if (shown === undefined) return null;
  if (shown.lines.length === 0) return <p class="quiet">{labels.nothingChanges}</p>;
  return (
    <>
      {shown.lines.map(({ number, changes }) => (
        <section key={number} class="accept-line" aria-label={labels.lineOf(shown.file, countText(number))}>
          <h3>{labels.lineOf(shown.file, countText(number))}</h3>
          <TextChanges changes={changes} isSideBySide={false} />
        </section>
      ))}
    </>
  );
}
