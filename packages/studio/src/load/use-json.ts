import { useEffect, useState } from 'preact/hooks';
import { language } from '../words/words.ts';
import { type Failure, request } from './request.ts';

export interface Loaded<T> {
  /** The last that was read; of the path before while a new one is read, so that nothing jumps. */
  readonly value?: T;
  readonly failure?: Failure;
  /** `value` is of the path asked for. */
  readonly isCurrent: boolean;
  readonly again: () => void;
}

/** Reads `path` of the API, again whenever it changes. */
export function useJson<T>(path: string): Loaded<T> {
  const [state, setState] = useState<{ readonly path: string; readonly value?: T; readonly failure?: Failure }>({
    path: '',
  });
  const [times, setTimes] = useState(0);
  const spoken = language.value;
  useEffect(() => {
    const ended = new AbortController();
    request<T>(path, ended.signal).then(
      (answer) => setState((before) => ('value' in answer ? { path, ...answer } : { ...before, ...answer, path })),
      () => undefined,
    );
    return () => ended.abort();
  }, [path, times, spoken]);
  return { ...state, isCurrent: state.path === path, again: () => setTimes((before) => before + 1) };
}
