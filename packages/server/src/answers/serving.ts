import type { DistantRequests, ProjectHost, ServedFlow } from '@unroll/project';
import type { EditedFlows } from './edited-flows.ts';
import type { Gate } from './gate.ts';
import type { PendingRow } from './pending-row.ts';

/** What all routes stand on. */
export interface Serving {
  readonly flows: readonly ServedFlow[];
  /** These, and those they took the place of, whose rows can still be asked for. */
  readonly recorded: () => readonly ServedFlow[];
  /** Where flows are edited while they are served. */
  readonly edited: EditedFlows | undefined;
  readonly gate: Gate;
  /** Milliseconds a request may take, its wait in the queue among them. */
  readonly requestTimeoutMs: number;
  /** Of the product. */
  readonly version: string;
  readonly host: ProjectHost;
  /** Rows that nobody waits for and that have not ended here, by `run/line`. */
  readonly pending: Map<string, PendingRow>;
  /** Where rows run that nobody waits for; here where absent. */
  readonly distant: DistantRequests | undefined;
  isDraining(): boolean;
  /** Aborted when requests under way are waited for no longer: the server ends now. */
  readonly givenUp: AbortSignal;
}
