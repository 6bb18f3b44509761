import type { Edits, PlaygroundPage, RowAnswer, RowPage } from '@unroll/project/studio-contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLiveEvents } from '../../load/live-events.ts';
import { readEvents } from '../../load/read-events.ts';
import { type Failure, request } from '../../load/request.ts';
import { queryOf } from '../../route/view.ts';

type NodeStatus = Extract<RowAnswer, { readonly type: 'node' }>['status'];

/** The row as it runs with the change, and what came of it. */
export interface RowTrial {
  readonly isRunning: boolean;
  readonly statuses: ReadonlyMap<string, NodeStatus>;
  /** The node that wrote last, and what it wrote so far. */
  readonly text?: { readonly node: string; readonly text: string };
  readonly ended?: Extract<RowAnswer, { readonly type: 'ended' }>;
  /** As it is recorded. */
  readonly row?: RowPage;
  readonly failure?: Failure;
}

export interface RowTrialControl {
  readonly trial: RowTrial | undefined;
  readonly run: () => void;
  readonly stop: () => void;
}

/** Runs the row; who leaves the page stops it. */
export function useRowTrial(page: PlaygroundPage, edits: Edits): RowTrialControl {
  const [trial, setTrial] = useState<RowTrial>();
  const stopping = useRef<AbortController>(undefined);
  const change = (how: (trial: RowTrial) => RowTrial): void => setTrial((now) => how(now ?? begun()));
  useEffect(() => () => stopping.current?.abort(), []);
  const read = (id: string): void => {
    void readRow(id, page).then((row) => row && change((now) => (now.ended?.run === id ? { ...now, row } : now)));
  };
  const ended = trial?.ended?.run;
  const readEnded = (): void => {
    if (ended !== undefined) read(ended);
  };
  useLiveEvents(ended, ended !== undefined, ({ type }) => type === 'ready' && readEnded(), readEnded);
  const run = async (): Promise<void> => {
    stopping.current?.abort();
    const stop = new AbortController();
    stopping.current = stop;
    setTrial(begun());
    const { run: base, line, node } = page;
    const tell = (event: RowAnswer): void => {
      if (!stop.signal.aborted) change((now) => after(now, event));
      if (event.type === 'ended') read(event.run);
    };
    const failure = await readEvents<RowAnswer>('playground/row', { run: base, line, node, edits }, tell, stop.signal);
    if (stopping.current === stop)
      change((now) => ({ ...now, isRunning: false, ...(failure === undefined ? {} : { failure }) }));
  };
  return { trial, run: () => void run(), stop: () => stopping.current?.abort() };
}

function begun(): RowTrial {
  return { isRunning: true, statuses: new Map() };
}

function after(trial: RowTrial, event: RowAnswer): RowTrial {
  if (event.type === 'node') return { ...trial, statuses: new Map(trial.statuses).set(event.node, event.status) };
  if (event.type === 'text') {
    const before = trial.text?.node === event.node ? trial.text.text : '';
    return { ...trial, text: { node: event.node, text: before + event.text } };
  }
  if (event.type === 'ended') return { ...trial, ended: event };
  return event.type === 'failed' ? { ...trial, failure: failureOf(event.error) } : trial;
}

function failureOf({ code, message, help }: Extract<RowAnswer, { readonly type: 'failed' }>['error']): Failure {
  return help === undefined ? { code, message } : { code, message, help };
}

async function readRow(run: string, { run: against, line }: PlaygroundPage): Promise<RowPage | undefined> {
  const path = `runs/${encodeURIComponent(run)}/rows/${line}/0?${queryOf({ against })}`;
  const answer = await request<RowPage>(path);
  return 'value' in answer ? answer.value : undefined;
}
