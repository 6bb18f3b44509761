import type { NodeRun, ReadRow, RunInfo, Values } from '@unroll/engine';
import type { CompiledMetric } from '../score-run/compile-metric.ts';
import type { FamilyResult, MetricResult } from '../score-run/eval-result.ts';
import type { NodePrices } from '../score-run/score-services.ts';
import { type LoopRow, type LoopShape, loopShapes, readLoopRow } from './loop-rows.ts';
import { viewLoop } from './view-loop.ts';

/** Gathers how the rows of a run went round its loops while they are scored. */
export class LoopScoring {
  private readonly loops: readonly GatheredLoop[];
  private readonly priceOf: NodePrices;

  constructor(info: RunInfo, metrics: readonly CompiledMetric[], priceOf: NodePrices = () => undefined) {
    this.priceOf = priceOf;
    this.loops = loopShapes(info.nodes).map((shape) => {
      const due = metrics.find((metric) => isDue(metric, shape));
      const until = due?.spec.parameters['until'];
      const own = typeof until === 'string' ? { ...shape, until } : shape;
      return { shape: own, due, rows: [], expected: new Map() };
    });
  }

  /** Nodes whose records are read whole. */
  get nodes(): readonly string[] {
    return this.loops.flatMap(({ shape }) => shape.stateNodes);
  }

  /** Rows that did not complete tell nothing of the loop. */
  take(row: ReadRow, columns: Values | undefined): void {
    if (row.status !== 'Completed') return;
    const { line, repeat } = row;
    for (const { shape, due, rows, expected } of this.loops) {
      const costOf = (node: string, usage: NonNullable<NodeRun['usage']>): number => this.priceOf(node, usage) ?? 0;
      rows.push(readLoopRow(shape, { line, repeat }, recordsOf(row), costOf));
      const value = columns === undefined ? undefined : due?.expected?.(row, columns);
      if (value === null || typeof value === 'number') expected.set(`${line}/${repeat}`, value);
    }
  }

  /** @param metrics results of all metrics of the evaluation */
  results(metrics: readonly MetricResult[]): readonly FamilyResult[] {
    return this.loops.map(({ shape, due, rows, expected }) => {
      const right = metrics.find((metric) => judgesTurns(metric, shape));
      return viewLoop(shape, rows, {
        ...(right === undefined ? {} : { right }),
        ...(due === undefined ? {} : { expectedAt: (line, repeat) => expected.get(`${line}/${repeat}`) }),
      });
    });
  }
}

interface GatheredLoop {
  readonly shape: LoopShape;
  /** Metric that says when the loop should have ended. */
  readonly due: CompiledMetric | undefined;
  readonly rows: LoopRow[];
  readonly expected: Map<string, number | null>;
}

function isDue({ spec, found, expected }: CompiledMetric, { stateFamily }: LoopShape): boolean {
  const isOfLoop = found?.kind === 'family' && found.family === stateFamily;
  return isOfLoop && spec.evaluator.name === 'finished_at' && expected !== undefined;
}

/** The first that passes or fails each turn's state. */
function judgesTurns({ kind, node, scores }: MetricResult, { stateFamily }: LoopShape): boolean {
  return kind === 'pass' && node === stateFamily && scores.iterations !== undefined;
}

/** How every node ended, with the outputs of those that were read whole. */
function recordsOf({ line, nodes, records }: ReadRow): readonly NodeRun[] {
  return nodes.map((end) => {
    const output = records.get(end.node)?.output;
    return { line, ...end, ...(output === undefined ? {} : { output }) };
  });
}
