import type { LiveEvent, RunLine, RunsPage } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { useLiveEvents } from '../../load/live-events.ts';
import { type Failure, request } from '../../load/request.ts';
import { type Loaded, useJson } from '../../load/use-json.ts';
import { useSession } from '../../load/use-session.ts';

/** Milliseconds until a list of which older runs are still to be read is asked for again. */
const againMs = 300;

export interface ListedRuns {
  readonly page: Loaded<RunsPage>;
  readonly runs: readonly RunLine[];
  /** Runs that began since the list was read; they wait until they are asked for. */
  readonly fresh: number;
  readonly older: (() => void) | undefined;
  /** Of reading older ones. */
  readonly olderFailure: Failure | undefined;
  /** Name of the folder that is shown. */
  readonly folder: string | undefined;
  readonly reread: () => void;
}

/** The list of runs, its later pages, and what happens to the runs in it. */
export function useRuns(path: string): ListedRuns {
  const page = useJson<RunsPage>(path);
  const session = useSession();
  const [more, setMore] = useState<{ readonly of: RunsPage; readonly pages: readonly RunsPage[] }>();
  const [olderFailure, setOlderFailure] = useState<Failure>();
  const [changed, setChanged] = useState<ReadonlyMap<string, RunLine | undefined>>(new Map());
  const pages = page.value === undefined ? [] : [page.value, ...(more?.of === page.value ? more.pages : [])];
  const listed = pages.flatMap(({ runs }) => runs);
  const known = new Set(listed.map(({ id }) => id));
  useLiveEvents(undefined, session !== undefined && !session.isExport, (event) => {
    // What its gates say of a run that has ended comes with the list.
    const hasEnded = event.type === 'run' && event.run.status !== 'Running' && known.has(event.run.id);
    if (hasEnded || event.type === 'ready') page.again();
    if (hasEnded) setChanged((before) => new Map([...before].filter(([id]) => id !== event.run.id)));
    else setChanged((before) => withEvent(before, event));
  });
  const unread = page.value?.unread ?? 0;
  useEffect(() => {
    if (unread === 0 || page.failure !== undefined) return;
    const later = setTimeout(page.again, againMs);
    return () => clearTimeout(later);
  }, [page.value, page.failure]);
  const next = pages.at(-1)?.paging.next ?? null;
  const older = async (): Promise<void> => {
    const answer = await request<RunsPage>(`${path}&cursor=${encodeURIComponent(next ?? '')}`);
    setOlderFailure('failure' in answer ? answer.failure : undefined);
    if ('value' in answer && page.value !== undefined)
      setMore({ of: page.value, pages: [...pages.slice(1), answer.value] });
  };
  return {
    page,
    runs: listed.flatMap((run) => (changed.has(run.id) ? (changed.get(run.id) ?? []) : run)),
    fresh: [...changed].filter(([id, run]) => run !== undefined && !known.has(id)).length,
    older: next === null ? undefined : older,
    olderFailure,
    folder: session?.folder,
    reread: () => {
      setChanged(new Map());
      setOlderFailure(undefined);
      page.again();
    },
  };
}

function withEvent(
  before: ReadonlyMap<string, RunLine | undefined>,
  event: LiveEvent,
): ReadonlyMap<string, RunLine | undefined> {
  if (event.type === 'run') return new Map([...before, [event.run.id, event.run]]);
  return event.type === 'removed' ? new Map([...before, [event.run, undefined]]) : before;
}
