import type { RowView } from '@unroll/engine';
import { GrowingColumns } from './row-columns.ts';
import type { LoopIndex } from './row-index.ts';

/** What of a loop is needed to tell its turns. */
interface LoopMembers {
  readonly name: string;
  readonly stateNodes: readonly string[];
  /** By turn, from the first. */
  readonly members: readonly (readonly string[])[];
}

/**
 * Gathers how the rows went round one loop. A turn ran where one of its nodes did; that of the state does not count where there
 * are others, since it hands the answer on in turns that are passed over.
 */
export class LoopColumns {
  private readonly rows = new GrowingColumns({ ran: new Uint8Array(1024), ended: new Uint8Array(1024) });
  /** Turn of a node, from 1. */
  private readonly turnOf: ReadonlyMap<string, number>;
  private readonly times: number;

  constructor({ stateNodes, members }: LoopMembers) {
    const states = new Set(stateNodes);
    this.times = members.length;
    this.turnOf = new Map(
      members.flatMap((names, index) => {
        const others = names.filter((name) => !states.has(name));
        return (others.length > 0 ? others : names).map((name) => [name, index + 1] as const);
      }),
    );
  }

  take({ nodes, status, isUnfinished }: RowView): void {
    const at = this.rows.add();
    const ran = nodes.reduce((max, node) => {
      const turn = hasRun(node.status) ? this.turnOf.get(node.node) : undefined;
      return Math.max(max, turn ?? 0);
    }, 0);
    this.rows.columns.ran[at] = ran;
    this.rows.columns.ended[at] = status === 'Completed' && !(isUnfinished && ran === this.times) ? 1 : 0;
  }

  index(): LoopIndex {
    const { size, columns } = this.rows;
    return { times: this.times, ran: columns.ran.subarray(0, size), ended: columns.ended.subarray(0, size) };
  }
}

function hasRun(status: string): boolean {
  return status === 'Completed' || status === 'Failed' || status === 'Canceled';
}
