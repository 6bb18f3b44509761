import type { Label, LabelRow, LabelsPage } from '@unroll/project/studio-contract';
import { useRef, useState } from 'preact/hooks';
import { useCanWrite } from '../../load/use-session.ts';
import { Mark } from '../../parts/mark.tsx';
import { RowTitle } from '../../parts/row-title.tsx';
import { ValueView } from '../../parts/value-view.tsx';
import { rowAddress } from '../../route/view.ts';
import { say } from '../../shell/said.tsx';
import { words } from '../../words/words.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { type Judgement, judgements, useLabelKeys } from './label-keys.ts';
import { NotSaved } from './not-saved.tsx';
import { ScoreChoice } from './score-choice.tsx';
import type { Labelling } from './use-labelling.ts';

export interface LabelPanelProps {
  readonly page: LabelsPage;
  readonly row: LabelRow;
  readonly label: Label;
  readonly labelling: Labelling;
}

/** One answer, what the judge says of it, and what you say. */
export function LabelPanel({ page, row, label, labelling }: LabelPanelProps) {
  const { labels } = words.value.comparing;
  const unsaved = labelling.unsavedOf(row);
  // What is not typed here is as it is kept, also where somebody else has changed that since.
  const [typed, setTyped] = useState<Pick<Label, 'note' | 'expected'>>(textsOf(unsaved?.label ?? {}));
  const { note = '', expected = '' } = { ...label, ...typed };
  const type = (text: Pick<Label, 'note' | 'expected'>): void => setTyped((known) => ({ ...known, ...text }));
  const noteField = useRef<HTMLTextAreaElement>(null);
  const expectedField = useRef<HTMLTextAreaElement>(null);
  const save = (change: Label): void => labelling.save({ ...label, ...typed, ...change });
  const step = (by: number): void => {
    const to = labelling.chosen + by;
    if (to >= 0 && to < labelling.rows.length) labelling.choose(to);
  };
  const keep = (): void => {
    const isTyped = note !== (label.note ?? '') || expected !== (label.expected ?? '');
    if (isTyped && unsaved?.failure.code !== 'LabelChanged') save({});
  };
  const next = (): void => {
    keep();
    step(1);
  };
  // One key a row: what is judged is left for the next row, and `u` takes it back.
  const judge = (judgement: Judgement): void => {
    save({ judgement });
    say(`${words.value.row} ${row.line}: ${words.value.label[judgement]}`);
    step(1);
  };
  const [isAccepting, setAccepting] = useState(false);
  const canWrite = useCanWrite();
  const accept = canWrite && page.expectation !== undefined ? () => setAccepting(true) : undefined;
  const written = canWrite ? { save, judge, next, accept, undo: labelling.undo } : undefined;
  useLabelKeys({ step, written, note: noteField, expected: expectedField });
  return (
    <section class="panel one-label" aria-label={`${words.value.row} ${row.line}`}>
      <header>
        <h2>
          {words.value.row} {row.line}
        </h2>
        <a href={rowAddress(page.run, row)}>{labels.openRow}</a>
      </header>
      <div class="body">
        <h3>{labels.question}</h3>
        <p class="row-heading" dir="auto">
          <RowTitle title={row.title} line={row.line} />
        </p>
        <h3>{labels.answer}</h3>
        <ValueView value={row.answer} rest="" lines={16} isReading />
        <Expectation row={row} column={page.expectation?.column} />
        <Judge row={row} metric={page.metric} />
        <div class="judgements" role="radiogroup" aria-label={labels.yourJudgement}>
          {judgements.map(({ key, judgement, shape }) => (
            <button
              key={key}
              type="button"
              class="button"
              role="radio"
              aria-checked={label.judgement === judgement}
              disabled={!canWrite}
              onClick={() => judge(judgement)}
            >
              <kbd>{key}</kbd> <Mark shape={shape} /> {words.value.label[judgement]}
            </button>
          ))}
        </div>
        <ScoreChoice score={label.score} canWrite={canWrite} choose={(score) => save({ score })} />
        <Field
          name={labels.note}
          hint="n"
          field={noteField}
          text={note}
          set={(text) => type({ note: text })}
          left={keep}
          isFixed={!canWrite}
        />
        <Field
          name={labels.expected}
          hint="e"
          field={expectedField}
          text={expected}
          set={(text) => type({ expected: text })}
          left={keep}
          isFixed={!canWrite}
        />
        {unsaved === undefined ? null : <NotSaved failure={unsaved.failure} again={() => save(unsaved.label)} />}
        <div class="actions label-actions">
          <span class="small faint">{labels.saved(page.file)}</span>
          {accept === undefined ? null : (
            <button type="button" class="button" onClick={accept}>
              {labels.accept} <kbd>a</kbd>
            </button>
          )}
          <button type="button" class="button" onClick={() => step(1)}>
            {labels.skip} <kbd>s</kbd>
          </button>
          {canWrite ? (
            <button type="button" class="button primary" onClick={next}>
              {labels.saveNext} <kbd>Enter</kbd>
            </button>
          ) : null}
        </div>
      </div>
      {isAccepting ? (
        <AcceptDialog
          {...{ page, row }}
          typed={expected}
          written={(expectation) => labelling.expect(row, expectation)}
          close={() => setAccepting(false)}
        />
      ) : null}
    </section>
  );
}

interface ExpectationProps {
  readonly row: LabelRow;
  readonly column: string | undefined;
}

/** What the dataset expects, where it says something. */
function Expectation({ row: { expectation }, column }: ExpectationProps) {
  if (expectation === undefined || column === undefined) return null;
  return (
    <>
      <h3>{words.value.comparing.labels.inDataset(column)}</h3>
      <ValueView value={expectation} rest="" lines={6} isReading />
    </>
  );
}

function Judge({ row: { judge }, metric }: { readonly row: LabelRow; readonly metric: string }) {
  const { passes, doesNotPass, noScore } = words.value;
  if (judge === undefined)
    return (
      <p class="judge faint">
        {metric}: {noScore}
      </p>
    );
  return (
    <p class="judge">
      <span class={judge.passed ? 'ok' : 'bad'}>
        <Mark shape={judge.passed ? 'passes' : 'does-not-pass'} />
      </span>{' '}
      <b>{metric}</b> {judge.passed ? passes : doesNotPass} <span class="faint">{judge.evaluator}</span>
    </p>
  );
}

interface FieldProps {
  readonly name: string;
  readonly hint: string;
  readonly field: { current: HTMLTextAreaElement | null };
  readonly text: string;
  readonly set: (text: string) => void;
  /** Told when somebody is done with it: what was typed is not lost to a click elsewhere. */
  readonly left: () => void;
  readonly isFixed: boolean;
}

function Field({ name, hint, field, text, set, left, isFixed }: FieldProps) {
  return (
    <label class="label-field">
      <span>
        {name} <kbd>{hint}</kbd>
      </span>
      <textarea
        ref={field}
        rows={2}
        value={text}
        dir="auto"
        readOnly={isFixed}
        onInput={({ currentTarget: { value } }) => set(value)}
        onBlur={left}
      />
    </label>
  );
}

function textsOf({ note, expected }: Label): Pick<Label, 'note' | 'expected'> {
  return { ...(note === undefined ? {} : { note }), ...(expected === undefined ? {} : { expected }) };
}
