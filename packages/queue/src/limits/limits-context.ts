import type { Clock } from '@unroll/nodes';
import type { Database } from '../database/database.ts';

/** What the limits of all connections have in common. */
export interface LimitsContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Aborted: nobody waits any more. */
  readonly ended: AbortSignal;
}
