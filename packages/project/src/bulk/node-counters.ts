import { addUsage, type NodeRun, type RunNode, type Usage } from '@unroll/engine';
import type { Group } from '../host/run-progress.ts';
import type { Price } from '../prices/price-file.ts';
import { Spent } from '../prices/spent.ts';
import { createQuantiles, type Quantiles } from './quantiles.ts';

class NodeCounter {
  readonly name: string;
  readonly aggregation: boolean;
  inFlight = 0;
  size = 0;
  private readonly type: string;
  private readonly loop: string | undefined;
  private readonly ended = { completed: 0, failed: 0, bypassed: 0, canceled: 0, cached: 0 };
  private readonly durations: Quantiles = createQuantiles();
  private usage: Usage | undefined;
  private readonly spent = new Spent();

  constructor(name: string, node: RunNode, loop: string | undefined) {
    this.name = name;
    this.type = node.kind;
    this.aggregation = node.aggregation === true;
    this.loop = loop;
  }

  take(run: NodeRun, price: Price | undefined): void {
    if (run.status === 'NotRun') return;
    if (run.status === 'Bypassed') {
      this.ended.bypassed += 1;
      return;
    }
    this.inFlight = Math.max(0, this.inFlight - 1);
    this.ended[run.status === 'Completed' ? 'completed' : run.status === 'Failed' ? 'failed' : 'canceled'] += 1;
    if (run.cache === 'hit') {
      this.ended.cached += 1;
      return;
    }
    if (run.durationMs !== undefined) this.durations.add(run.durationMs);
    if (run.usage === undefined) return;
    this.usage = addUsage(this.usage, run.usage);
    this.spent.call(run.usage, price);
  }

  view(): Group {
    const { name, type, aggregation, size, inFlight, usage, loop } = this;
    const { cost, isCostPartial } = this.spent;
    const p50Ms = this.durations.at(0.5);
    const p95Ms = this.durations.at(0.95);
    return {
      name,
      type,
      aggregation,
      size,
      inFlight,
      isCostPartial,
      ...this.ended,
      kind: loop === undefined ? 'node' : 'family',
      ...(loop === undefined ? {} : { loop }),
      ...(usage === undefined ? {} : { usage }),
      ...(cost === undefined ? {} : { cost }),
      ...(p50Ms === undefined ? {} : { p50Ms }),
      ...(p95Ms === undefined ? {} : { p95Ms }),
    };
  }
}

class LoopCounter {
  private readonly name: string;
  private readonly stopped: number[] = [];
  times = 0;
  constructor(name: string) {
    this.name = name;
  }
  note(times: number): void {
    this.stopped[times] = (this.stopped[times] ?? 0) + 1;
  }
  view(): Group {
    const stopped = Array.from({ length: this.times + 1 }, (_, times) => this.stopped[times] ?? 0);
    return { kind: 'loop', name: this.name, times: this.times, stopped };
  }
}

/** Counters of a flow's nodes, the instances of a family in one. */
export interface Counters {
  readonly byNode: ReadonlyMap<string, NodeCounter>;
  readonly loops: ReadonlyMap<string, LoopCounter>;
  /** In the order of the flow, a loop before its families. */
  view(): readonly Group[];
}

export function createCounters(nodes: readonly RunNode[]): Counters {
  const byNode = new Map<string, NodeCounter>();
  const families = new Map<string, NodeCounter>();
  const loops = new Map<string, LoopCounter>();
  const shown: (NodeCounter | LoopCounter)[] = [];
  const shownOnce = <Counter extends NodeCounter | LoopCounter>(
    known: Map<string, Counter>,
    key: string,
    create: () => Counter,
  ): Counter => {
    const counter = known.get(key) ?? create();
    if (!known.has(key)) shown.push(counter);
    known.set(key, counter);
    return counter;
  };
  for (const node of nodes) {
    const { loop, family, iteration = 0 } = node;
    const isInLoop = loop !== undefined && family !== undefined && iteration > 0;
    if (isInLoop) {
      const counter = shownOnce(loops, loop, () => new LoopCounter(loop));
      counter.times = Math.max(counter.times, iteration);
    }
    const counter = isInLoop
      ? shownOnce(families, `${loop}\0${family}`, () => new NodeCounter(family, node, loop))
      : shownOnce(families, `\0${node.name}`, () => new NodeCounter(node.name, node, undefined));
    counter.size += 1;
    byNode.set(node.name, counter);
  }
  return { byNode, loops, view: () => shown.map((counter) => counter.view()) };
}
