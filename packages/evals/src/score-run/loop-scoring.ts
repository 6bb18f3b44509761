import { type JsonObject, type LoopShape, loopShapes, type RowView, type RunInfo } from '@unroll/engine';
import type { MetricResult } from '../eval-result/eval-result.ts';
import type { FamilyResult } from '../eval-result/family-result.ts';
import { LoopRowsSoFar } from '../iterations/loop-rows.ts';
import { viewLoop } from '../iterations/view-loop.ts';
import type { CompiledMetric } from './compile-metric.ts';
import type { NodePrices } from './score-services.ts';

/** Gathers how the rows of a run went round its loops while they are scored. */
export class LoopScoring {
  private readonly loops: readonly GatheredLoop[];

  constructor(info: RunInfo, metrics: readonly CompiledMetric[], priceOf: NodePrices = () => undefined) {
    this.loops = loopShapes(info.nodes).map((shape) => {
      const due = metrics.find((metric) => isDue(metric, shape));
      const until = due?.spec.parameters['until'];
      const own = typeof until === 'string' ? { ...shape, until } : shape;
      return { shape: own, due, rows: new LoopRowsSoFar(own, priceOf) };
    });
  }

  /** Nodes whose records are read whole: states, and of the others what their tokens were. */
  get nodes(): readonly string[] {
    return this.loops.flatMap(({ shape }) => [...shape.stateNodes, ...shape.members.flat()]);
  }

  /** Nodes of which is read how they ended. */
  get ends(): readonly string[] {
    return this.loops.flatMap(({ shape }) => shape.members.flat());
  }

  take(row: RowView, columns: JsonObject | undefined): void {
    for (const { due, rows } of this.loops) {
      if (row.status !== 'Completed') {
        rows.takeBroken(row);
        continue;
      }
      const value = columns === undefined ? undefined : due?.expected?.(row, columns);
      rows.take(row, value === null || typeof value === 'number' ? value : undefined);
    }
  }

  /** @param metrics results of all metrics of the evaluation */
  results(metrics: readonly MetricResult[]): readonly FamilyResult[] {
    return this.loops.map(({ shape, rows }) => {
      const right = metrics.find((metric) => judgesTurns(metric, shape));
      return viewLoop(shape, rows.rows(), right?.scores);
    });
  }
}

interface GatheredLoop {
  readonly shape: LoopShape;
  /** Metric that says when the loop should have ended. */
  readonly due: CompiledMetric | undefined;
  readonly rows: LoopRowsSoFar;
}

function isDue({ spec, found, expected }: CompiledMetric, { stateFamily }: LoopShape): boolean {
  const isOfLoop = found?.kind === 'family' && found.family === stateFamily;
  return isOfLoop && spec.evaluator.name === 'finished_at' && expected !== undefined;
}

/** The first that passes or fails each turn's state. */
function judgesTurns({ kind, node, scores }: MetricResult, { stateFamily }: LoopShape): boolean {
  return kind === 'pass' && node === stateFamily && scores.iterations !== undefined;
}
