import {
  getPath,
  hasRun,
  type LoopShape,
  type ReadRecord,
  type RowView,
  tellingNodes,
  type Usage,
} from '@unroll/engine';

/** What all rows together did in one iteration. */
interface LoopTurn {
  /** Rows in which a node of the group did something: after the end they are bypassed, or hand the state on. */
  readonly ran: number;
  readonly finished: number;
  readonly tokens: number;
  /** US dollars; 0 where nothing is known of it. */
  readonly cost: number;
  /** A call of it has no price that is known. */
  readonly isCostPartial: boolean;
}

/** How the rows of a run went round a loop, in their order. */
export interface LoopRows {
  readonly count: number;
  readonly lines: readonly number[];
  readonly repeats: readonly number[];
  /** Iteration after which the loop had ended, from 1; 0 where it never did. */
  readonly finishedAt: readonly number[];
  /** Iteration at which it should have ended; 0 where it should not have, NaN where nothing is said. */
  readonly dueAt: readonly number[];
  /** By iteration: index 0 is the first. */
  readonly turns: readonly LoopTurn[];
}

type Counted = { -readonly [Key in keyof LoopTurn]: LoopTurn[Key] };

/** Gathers rows one after the other. */
export class LoopRowsSoFar {
  private readonly shape: LoopShape;
  private readonly costOf: (node: string, usage: Usage) => number | undefined;
  /** Iterations of the group's nodes, from 0. */
  private readonly iterationOf: ReadonlyMap<string, number>;
  private readonly telling: ReadonlyMap<string, number>;
  private readonly turns: readonly Counted[];
  /** By iteration, from 0, the last row, from 1, in which it ran. */
  private readonly ranIn: number[];
  private seen = 0;
  private readonly lines: number[] = [];
  private readonly repeats: number[] = [];
  private readonly finishedAt: number[] = [];
  private readonly dueAt: number[] = [];

  /** @param costOf US dollars of a call of a node, 0 where nobody is billed; undefined where its price is unknown */
  constructor(shape: LoopShape, costOf: (node: string, usage: Usage) => number | undefined) {
    this.shape = shape;
    this.costOf = costOf;
    this.iterationOf = new Map(shape.members.flatMap((names, index) => names.map((name) => [name, index] as const)));
    this.telling = tellingNodes(shape);
    this.ranIn = shape.members.map(() => 0);
    this.turns = shape.members.map(() => ({ ran: 0, finished: 0, tokens: 0, cost: 0, isCostPartial: false }));
  }

  /** @param dueAt iteration at which it should have ended, null where it should not have */
  take(row: LoopRowRead, dueAt: number | null | undefined): void {
    const ended = this.endOf(row);
    this.lines.push(row.line);
    this.repeats.push(row.repeat);
    this.finishedAt.push(ended + 1);
    this.dueAt.push(dueAt === undefined ? Number.NaN : (dueAt ?? 0));
    this.countTurns(row.nodes, ended);
    // A state that was finished before its loop ended in none of the iterations.
    const last = this.turns[ended];
    if (last !== undefined && this.ranIn[ended] === this.seen) last.finished += 1;
  }

  /** A row that did not complete: of it counts what it took, and nothing is said of its end. */
  takeBroken(row: LoopRowRead): void {
    this.countTurns(row.nodes, this.endOf(row));
  }

  private endOf({ records }: LoopRowRead): number {
    const { stateNodes, until } = this.shape;
    return stateNodes.findIndex((name) => isFinished(records.get(name), until));
  }

  rows(): LoopRows {
    const { lines, repeats, finishedAt, dueAt, turns } = this;
    return { count: lines.length, lines, repeats, finishedAt, dueAt, turns };
  }

  private countTurns(nodes: LoopRowRead['nodes'], ended: number): void {
    this.seen += 1;
    for (const { node, status } of nodes) {
      const index = this.turnOf(node, ended);
      if (index === undefined || !this.telling.has(node) || !hasRun(status)) continue;
      if (this.ranIn[index] !== this.seen) (this.turns[index] as Counted).ran += 1;
      this.ranIn[index] = this.seen;
    }
    for (const { node, usage } of nodes) {
      const index = this.turnOf(node, ended);
      if (usage === undefined || index === undefined || this.ranIn[index] !== this.seen) continue;
      const turn = this.turns[index] as Counted;
      turn.tokens += usage.totalTokens;
      addCost(turn, this.costOf(node, usage));
    }
  }

  /** The turn a node belongs to, but for those after the end. */
  private turnOf(node: string, ended: number): number | undefined {
    const index = this.iterationOf.get(node);
    return index === undefined || (ended >= 0 && index > ended) ? undefined : index;
  }
}

function addCost(turn: Counted, cost: number | undefined): void {
  turn.cost += cost ?? 0;
  turn.isCostPartial ||= cost === undefined;
}

/** What of a row tells how it went round: the ends of the group's nodes, the states. */
export interface LoopRowRead extends Pick<RowView, 'line' | 'repeat'> {
  readonly nodes: readonly Pick<RowView['nodes'][number], 'node' | 'status' | 'usage'>[];
  readonly records: ReadonlyMap<string, Pick<ReadRecord, 'output'>>;
}

function isFinished(record: Pick<ReadRecord, 'output'> | undefined, until: string): boolean {
  const reached = record?.output === undefined ? undefined : getPath(record.output, [until]);
  return reached?.steps === 1 && reached.value === true;
}
