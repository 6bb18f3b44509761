import type { MetricResult, RunMade } from '../eval-result/eval-result.ts';

/** A metric and the node that is to blame where it fails. */
export interface MeasuredNode {
  readonly metric: MetricResult;
  /** A node, or a family; the node an output is read from. */
  readonly node: string;
  /** As results name it: a family as `agent[*]`. */
  readonly label: string;
}

/**
 * Metrics in the order of the flow: of two of one node the one written first, of a family where its last instance
 * stands (until then it is not complete), outputs of the flow last.
 */
export function measuredNodes(metrics: readonly MetricResult[], made: RunMade | undefined): readonly MeasuredNode[] {
  return metrics
    .map((metric) => ({ metric, node: metric.node ?? outputNode(metric.on, made), place: placeOf(metric, made) }))
    .sort((one, other) => one.place - other.place)
    .map(({ metric, node }) => ({ metric, node, label: isFamily(node, made) ? `${node}[*]` : node }));
}

function isFamily(node: string, made: RunMade | undefined): boolean {
  const nodes = made?.nodes ?? [];
  return nodes.every(({ name }) => name !== node) && nodes.some(({ family }) => family === node);
}

function outputNode(on: string, made: RunMade | undefined): string {
  const [, name] = /^outputs\.([^.[]+)/.exec(on) ?? [];
  const { outputs = [] } = made ?? {};
  return outputs.find((output) => output.name === name || output.isWhole === true)?.reads ?? on;
}

function placeOf({ node }: MetricResult, made: RunMade | undefined): number {
  const nodes = made?.nodes ?? [];
  if (node === undefined) return nodes.length + 1;
  const at = nodes.findLastIndex(({ name, family }) => name === node || family === node);
  return at === -1 ? nodes.length : at;
}
