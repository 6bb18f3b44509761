import type { LiveEvent } from '@unroll/project/studio-contract';
import { useEffect, useRef } from 'preact/hooks';
import { exportedPage } from '../route/exported-page.ts';
import { queryOf } from '../route/view.ts';
import { language } from '../words/words.ts';
import { apiBase } from './request.ts';

/**
 * Tells of what happens to all runs, or to one; the browser connects again by itself.
 *
 * @param opened called when it begins to hear: what happened before is to be asked for
 */
export function useLiveEvents(
  run: string | undefined,
  isWanted: boolean,
  tell: (event: LiveEvent) => void,
  opened: () => void = () => undefined,
): void {
  const latest = useRef({ tell, opened });
  latest.current = { tell, opened };
  const spoken = language.value;
  useEffect(() => {
    if (!isWanted || exportedPage !== undefined) return;
    // EventSource sends no header of its own.
    const source = new EventSource(`${apiBase}events?${queryOf({ run, language: spoken })}`);
    source.onmessage = ({ data }) => latest.current.tell(JSON.parse(data) as LiveEvent);
    source.onopen = () => latest.current.opened();
    return () => source.close();
  }, [run, isWanted, spoken]);
}
