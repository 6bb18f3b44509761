import { signal } from '@preact/signals';
import type { Session } from '@unroll/project/studio-contract';
import { useEffect } from 'preact/hooks';
import { request } from './request.ts';

const known = signal<Session>();
let asked: Promise<void> | undefined;

/** Asks what this studio is and may do, once for all views; what failed is asked again by the next view. */
export async function readSession(): Promise<void> {
  asked ??= request<Session>('session').then((answer) => {
    if ('value' in answer) known.value = answer.value;
    else asked = undefined;
  });
  await asked;
}

/** What this studio is; undefined as long as that is not known. */
export function useSession(): Session | undefined {
  useEffect(() => {
    void readSession();
  }, []);
  return known.value;
}

/** What this studio may do; nothing can be changed as long as that is not known. */
export function useCanWrite(): boolean {
  const session = useSession();
  return session !== undefined && !session.isReadOnly && !session.isExport;
}
