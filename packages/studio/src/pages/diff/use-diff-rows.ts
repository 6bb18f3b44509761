import type { DiffRows } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { type Failure, request } from '../../load/request.ts';

interface State {
  readonly path: string;
  readonly rows: DiffRows['rows'];
  readonly paging?: DiffRows['paging'];
  readonly failure?: Failure;
}

export interface LoadedRows extends State {
  /** Reads the next page; undefined at the end. */
  readonly more: (() => void) | undefined;
}

const none: State = { path: '', rows: [] };

/** Pairs of rows, page after page as they are asked for. */
export function useDiffRows(path: string): LoadedRows {
  const [state, setState] = useState<State>(none);
  const read = async (cursor: string | undefined, signal?: AbortSignal): Promise<void> => {
    const answer = await request<DiffRows>(`${path}${cursor === undefined ? '' : `&cursor=${cursor}`}`, signal);
    setState((before) => {
      const known = cursor === undefined || before.path !== path ? [] : before.rows;
      if ('failure' in answer) return { path, rows: known, failure: answer.failure };
      return { path, rows: [...known, ...answer.value.rows], paging: answer.value.paging };
    });
  };
  useEffect(() => {
    const ended = new AbortController();
    read(undefined, ended.signal).catch(() => undefined);
    return () => ended.abort();
  }, [path]);
  const next = state.paging?.next ?? undefined;
  return { ...state, more: next === undefined ? undefined : () => void read(next) };
}
