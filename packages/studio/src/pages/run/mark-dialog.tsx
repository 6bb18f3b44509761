import type { RunLine, RunMarks } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { sendJson } from '../../load/request.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { say } from '../../shell/said.tsx';
import { words } from '../../words/words.ts';

export interface MarkDialogProps {
  readonly run: RunLine;
  readonly close: () => void;
  /** Told when it is kept. */
  readonly done: () => void;
}

/** What people say of a run: its name, tags and a note. What was refused stays to be fixed. */
export function MarkDialog({ run, close, done }: MarkDialogProps) {
  const [name, setName] = useState(run.name ?? '');
  const [tags, setTags] = useState(run.tags.join(', '));
  const [note, setNote] = useState(run.note ?? '');
  const [problem, setProblem] = useState<string>();
  const { acting } = words.value;
  const save = async (): Promise<void> => {
    const asked: RunMarks = { name, note, tags: tagsOf(tags) };
    const answer = await sendJson<RunLine>('PATCH', `runs/${encodeURIComponent(run.id)}`, asked);
    if ('failure' in answer) return setProblem(answer.failure.message);
    close();
    say(acting.saved);
    done();
  };
  return (
    <Dialog title={acting.markTitle(run.id)} close={close}>
      <form
        class="begin"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label class="label-field">
          {acting.markName}
          <input value={name} autofocus onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <label class="label-field">
          {acting.markTags}
          <input value={tags} onInput={({ currentTarget }) => setTags(currentTarget.value)} />
        </label>
        <label class="label-field">
          {acting.markNote}
          <textarea rows={3} value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
        </label>
        <p class="quiet small">{acting.markHelp}</p>
        {problem === undefined ? null : (
          <p class="bad" role="alert">
            {problem}
          </p>
        )}
        <p class="actions">
          <button type="submit" class="button primary">
            {acting.save} <kbd>Enter</kbd>
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function tagsOf(text: string): readonly string[] {
  return text
    .split(/[,、，]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
