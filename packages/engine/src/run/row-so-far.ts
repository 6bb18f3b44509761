import type { FinishedNode, Handed, RowScope } from '../node/row-scope.ts';
import { ScopeSlots } from '../node/scope-slots.ts';

type Finished = ReadonlyMap<string, FinishedNode>;

const none: Finished = new Map();

/** One attempt at a row, and what earlier ones left of it. */
export class RowSoFar extends ScopeSlots implements RowScope {
  private readonly find: (node: string) => FinishedNode | undefined;
  private readonly finished: Finished;
  private readonly now: () => number;
  private readonly beganAt: number;

  /**
   * @param find a node that completed in this attempt, or was taken from an earlier one
   * @param finished nodes that completed in earlier attempts
   * @param now milliseconds since the epoch
   */
  constructor(find: (node: string) => FinishedNode | undefined, finished: Finished = none, now: () => number) {
    super();
    this.find = find;
    this.finished = finished;
    this.now = now;
    this.beganAt = now();
  }

  handed(node: string): Handed | undefined {
    const found = this.find(node);
    if (found?.output === undefined) return undefined;
    const { output, beside } = found;
    return beside === undefined ? { output } : { output, beside };
  }

  workedSince(at: number): number {
    return workedMs(this.finished.values(), at, this.beganAt) + this.now() - Math.max(at, this.beganAt);
  }
}

/** What nodes took together between two times: nodes that ran side by side count once. */
function workedMs(nodes: Iterable<FinishedNode>, from: number, to: number): number {
  const spans = [...nodes].flatMap(({ startedAt, durationMs }): (readonly [number, number])[] => {
    if (startedAt === undefined || durationMs === undefined) return [];
    return [[Math.max(startedAt, from), Math.min(startedAt + durationMs, to)]];
  });
  let worked = 0;
  let until = from;
  for (const [start, end] of spans.sort(([one], [other]) => one - other)) {
    worked += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return worked;
}
