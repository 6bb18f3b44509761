import { type LoopShape, type RowView, tellingNodes, timesRound } from '@unroll/engine';
import type { LoopIndex } from './row-index.ts';

/** Gathers how the rows went round one loop. */
export class LoopColumns {
  private readonly ran: number[] = [];
  private readonly ended: boolean[] = [];
  private readonly telling: ReadonlyMap<string, number>;
  private readonly times: number;

  constructor(shape: LoopShape) {
    this.times = shape.members.length;
    this.telling = tellingNodes(shape);
  }

  take({ nodes, status, isUnfinished }: RowView): void {
    const ran = timesRound(this.telling, nodes);
    this.ran.push(ran);
    this.ended.push(status === 'Completed' && !(isUnfinished && ran === this.times));
  }

  index(): LoopIndex {
    const { times, ran, ended } = this;
    return { times, ran, ended };
  }
}
