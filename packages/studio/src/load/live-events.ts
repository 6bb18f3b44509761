import type { LiveEvent } from '@unroll/project/studio-contract';
import { useEffect, useRef } from 'preact/hooks';
import { apiBase } from './request.ts';

/** Tells of what happens to all runs, or to one; the browser connects again by itself. */
export function useLiveEvents(run: string | undefined, isWanted: boolean, tell: (event: LiveEvent) => void): void {
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    if (!isWanted) return;
    const source = new EventSource(`${apiBase}events${run === undefined ? '' : `?run=${encodeURIComponent(run)}`}`);
    source.onmessage = ({ data }) => latest.current(JSON.parse(data) as LiveEvent);
    return () => source.close();
  }, [run, isWanted]);
}
