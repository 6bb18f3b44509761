import type { LiveRun, RunControl, RunLine } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { sendJson } from '../../load/request.ts';
import { useCanWrite } from '../../load/use-session.ts';
import { countText } from '../../parts/count.ts';
import { go } from '../../route/address.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useKeys } from '../../shell/keys.ts';
import { say } from '../../shell/said.tsx';
import { words } from '../../words/words.ts';
import { MarkDialog } from './mark-dialog.tsx';

export interface RunActionsProps {
  readonly run: RunLine;
  /** Told when something was done with it. */
  readonly done: () => void;
}

interface Action {
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

/** What can be done with a run as it stands; nothing where the studio only looks. */
export function RunActions({ run, done }: RunActionsProps) {
  const canWrite = useCanWrite();
  const [isRemoving, setRemoving] = useState(false);
  const [isMarking, setMarking] = useState(false);
  const actions = canWrite
    ? actionsOf(run, done, { remove: () => setRemoving(true), mark: () => setMarking(true) })
    : [];
  useKeys(actions.map(({ key, label, run: act }) => ({ keys: [key], group: 'page' as const, label, run: act })));
  return (
    <>
      {canWrite && run.progress?.isOurs === true ? <Pace run={run} done={done} /> : null}
      {actions.map(({ key, label, run: act }) => (
        <button key={key} type="button" class="button" onClick={act}>
          {label} <kbd>{key}</kbd>
        </button>
      ))}
      {isMarking ? <MarkDialog run={run} close={() => setMarking(false)} done={done} /> : null}
      {isRemoving ? <RemoveDialog run={run} close={() => setRemoving(false)} /> : null}
    </>
  );
}

interface Dialogs {
  readonly remove: () => void;
  readonly mark: () => void;
}

function actionsOf(run: RunLine, done: () => void, { remove, mark }: Dialogs): readonly Action[] {
  const { acting } = words.value;
  const { progress, canResume, status, failed } = run;
  const control = (asked: RunControl, told: string) => () => void send(run.id, asked, told, done);
  const isLive = status === 'Running';
  const isOver = !isLive && status !== 'Unreadable';
  return [
    ...(progress?.canStop === true
      ? [
          {
            key: 'S',
            label: acting.stop,
            run: control({ do: 'stop' }, progress.isOurs ? acting.stopped : acting.stopping),
          },
        ]
      : []),
    ...(canResume === undefined
      ? []
      : [{ key: 'G', label: acting.goOn, run: control({ do: 'resume', retryFailed: false }, acting.began) }]),
    ...(isOver && (failed.value ?? 0) > 0
      ? [{ key: 'F', label: acting.retry, run: control({ do: 'resume', retryFailed: true }, acting.began) }]
      : []),
    ...(status === 'Unreadable' ? [] : [{ key: 't', label: acting.mark, run: mark }]),
    ...(isLive ? [] : [{ key: 'X', label: acting.remove, run: remove }]),
  ];
}

async function send(run: string, asked: RunControl, told: string, done: () => void): Promise<void> {
  const answer = await sendJson<LiveRun>('POST', `runs/${encodeURIComponent(run)}/control`, asked);
  say('value' in answer ? told : answer.failure.message);
  done();
}

const paces = [1, 2, 4, 8, 16, 32, 64] as const;

/** How many rows run at a time; another number holds for the rows that have not begun. */
function Pace({ run, done }: RunActionsProps) {
  const { acting } = words.value;
  const now = run.progress?.concurrency ?? 8;
  const known: readonly number[] = paces.some((pace) => pace === now) ? paces : [now, ...paces];
  return (
    <label class="pace">
      <span class="small quiet">{acting.pace}</span>{' '}
      <select
        class="button"
        value={String(now)}
        onChange={({ currentTarget: { value } }) =>
          void send(run.id, { do: 'pace', concurrency: Number(value) }, acting.paced(value), done)
        }
      >
        {known.map((pace) => (
          <option key={pace} value={String(pace)}>
            {countText(pace)}
          </option>
        ))}
      </select>
    </label>
  );
}

function RemoveDialog({ run, close }: { readonly run: RunLine; readonly close: () => void }) {
  const { acting } = words.value;
  const remove = async (): Promise<void> => {
    const answer = await sendJson<object>('DELETE', `runs/${encodeURIComponent(run.id)}`, {});
    close();
    say('value' in answer ? acting.removed(run.id) : answer.failure.message);
    if ('value' in answer) go('/');
  };
  return (
    <Dialog title={acting.removeTitle(run.name ?? run.id)} close={close}>
      <p>{acting.removeHelp}</p>
      <p class="actions">
        <button type="button" class="button danger" onClick={() => void remove()}>
          {acting.removeNow}
        </button>
      </p>
    </Dialog>
  );
}
