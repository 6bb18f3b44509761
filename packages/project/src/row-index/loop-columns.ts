import { type LoopShape, type RowView, tellingNodes, timesRound } from '@unroll/engine';
import { GrowingColumns } from './row-columns.ts';
import type { LoopIndex } from './row-index.ts';

/** Gathers how the rows went round one loop. */
export class LoopColumns {
  private readonly rows = new GrowingColumns({ ran: new Uint8Array(1024), ended: new Uint8Array(1024) });
  private readonly telling: ReadonlyMap<string, number>;
  private readonly times: number;

  constructor(shape: LoopShape) {
    this.times = shape.members.length;
    this.telling = tellingNodes(shape);
  }

  take({ nodes, status, isUnfinished }: RowView): void {
    const at = this.rows.add();
    const ran = timesRound(this.telling, nodes);
    this.rows.columns.ran[at] = ran;
    this.rows.columns.ended[at] = status === 'Completed' && !(isUnfinished && ran === this.times) ? 1 : 0;
  }

  index(): LoopIndex {
    const { size, columns } = this.rows;
    return { times: this.times, ran: columns.ran.subarray(0, size), ended: columns.ended.subarray(0, size) };
  }
}
