import type { JsonObject, NodeRun, RowRun } from '@unroll/engine';
import type { ServedFlow } from './serve-flow.ts';
import type { ServedRun } from './served-runs.ts';
import type { RequestPlace } from './traffic-record.ts';

/** Code of the ProjectFailure that says that where requests are kept cannot be reached now: it may be later. */
export const engineUnreachable = 'EngineUnreachable';

/** Runs requests that nobody waits for elsewhere, where they outlive this process: each as a run of its own. What fails is a ProjectFailure. */
export interface DistantRequests {
  /** @returns where the row will be; undefined where so many are under way that no more are taken */
  begin(flow: ServedFlow, inputs: JsonObject): Promise<RequestPlace | undefined>;
  /** A request to one of these flows, to whichever server it was made; undefined where there is none. */
  find(place: RequestPlace, flows: readonly ServedFlow[]): Promise<DistantRequest | undefined>;
  /** The newest requests to these flows, to whichever server they were made, each a run. */
  list(flows: readonly ServedFlow[], limit: number): Promise<readonly ServedRun[]>;
  /** Its row is given up as soon as whoever runs it hears of it; nothing changes where it has ended. */
  cancel(place: RequestPlace): Promise<void>;
}

/** As it stands now. */
export interface DistantRequest {
  readonly flow: ServedFlow;
  /** Undefined until it has ended. */
  readonly row: Pick<RowRun, 'status' | 'outputs' | 'error' | 'unfinished'> | undefined;
  /** Records of its nodes, in the order they were appended. */
  readonly nodes: readonly NodeRun[];
}
