import type { Session } from '@unroll/project/studio-contract';
import { useJson } from './use-json.ts';

/** What this studio may do; nothing can be changed as long as that is not known. */
export function useCanWrite(): boolean {
  const { value } = useJson<Session>('session');
  return value !== undefined && !value.isReadOnly && !value.isExport;
}
