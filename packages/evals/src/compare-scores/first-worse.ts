import type { RunGraph } from '../attribute-changes/run-graph.ts';
import type { Baseline } from '../baseline/baseline.ts';
import type { FirstWorseGroup } from '../eval-result/eval-result.ts';
import type { ComparedDefinitions } from './definition-changes.ts';
import type { MeasuredNode } from './measured-nodes.ts';
import type { PairedRows, RowPlaces } from './pair-rows.ts';

export interface FirstWorseOptions {
  readonly before: Baseline;
  readonly after: Baseline;
  readonly paired: PairedRows;
  /** In the order of the flow, compared already. */
  readonly measured: readonly MeasuredNode[];
  readonly definitions: ComparedDefinitions | undefined;
}

const linesTold = 10;

/**
 * Every row that got worse, under the first node in the order of the flow whose own metric did. Pass metrics always
 * count; numbers, which differ a little in every row, only where the metric is worse as a whole.
 */
export function firstWorse(options: FirstWorseOptions): readonly FirstWorseGroup[] {
  const columns = options.measured.map((one) => columnsOf(one, options));
  const found = options.paired.pairs.flatMap((places) => {
    for (const { measured, turned } of columns) {
      const kind = turned(places);
      if (kind !== undefined) return [{ measured, kind, line: places.line }];
    }
    return [];
  });
  const groups = Map.groupBy(found, ({ measured, kind }) => `${measured.metric.name} ${kind}`);
  return Array.from(groups.values(), (rows): FirstWorseGroup => {
    const [{ measured, kind }] = rows as [(typeof rows)[0]];
    const causes = causesOf(measured.node, options);
    return {
      node: measured.label,
      metric: measured.metric.name,
      kind,
      rows: rows.length,
      lines: rows.slice(0, linesTold).map(({ line }) => line),
      ...(causes === undefined ? {} : { causes }),
    };
  }).sort((one, other) => other.rows - one.rows);
}

interface MetricColumns {
  readonly measured: MeasuredNode;
  turned(places: RowPlaces): FirstWorseGroup['kind'] | undefined;
}

function columnsOf(measured: MeasuredNode, { before, after }: FirstWorseOptions): MetricColumns {
  const { metric } = measured;
  const scoresOf = ({ metrics }: Baseline): readonly (number | null)[] =>
    metrics.find(({ name }) => name === metric.name)?.scores ?? [];
  const [was, is] = [scoresOf(before), scoresOf(after)];
  const sign = metric.better === 'higher' ? 1 : -1;
  const isJudged = metric.kind === 'pass' || metric.comparison?.verdict === 'worse';
  return {
    measured,
    turned: (places) => {
      const [old, now] = [was[places.before] ?? null, is[places.after] ?? null];
      if (old === null) return undefined;
      if (now === null) return metric.summary.errors > 0 ? 'no score' : undefined;
      return isJudged && sign * (now - old) < 0 ? 'worse' : undefined;
    },
  };
}

/**
 * Changed definitions that can have made a node worse: its own, and those of nodes it depends on that have no metric of
 * their own, which would have told; where there is none of these, any it depends on.
 */
function causesOf(node: string, { definitions, measured }: FirstWorseOptions): readonly string[] | undefined {
  if (definitions === undefined) return undefined;
  const { graph, changes } = definitions;
  if (readsWholeRow(node, graph)) return changes.map((change) => change.node);
  const reached = ancestors(node, graph);
  const groupsOf = (names: ReadonlySet<string>): readonly string[] =>
    changes.map((change) => change.node).filter((name) => reachesGroup(name, names, graph));
  const own = new Set([...graph.values()].filter((one) => isOf(one, node)).map(({ name }) => name));
  const vouched = measured.filter((one) => one.node !== node).map((one) => one.node);
  const suspects = groupsOf(reached).filter(
    (name) => groupsOf(own).includes(name) || !vouched.some(isGroup(name, graph)),
  );
  return suspects.length > 0 ? suspects : groupsOf(reached);
}

/**
 * Whether what is measured is no node: the row (a judge of it, its cost or latency) or all outputs. Any node may have
 * changed that, also one with a metric of its own, which tells nothing of what the node costs.
 */
function readsWholeRow(node: string, graph: RunGraph): boolean {
  return !/^inputs\b/.test(node) && ![...graph.values()].some((one) => isOf(one, node));
}

function isGroup(group: string, graph: RunGraph): (node: string) => boolean {
  return (node) => node === group || graph.get(node)?.family === group;
}

function isOf({ name, family }: { readonly name: string; readonly family?: string }, node: string): boolean {
  return name === node || family === node;
}

function reachesGroup(group: string, names: ReadonlySet<string>, graph: RunGraph): boolean {
  return names.has(group) || [...names].some((name) => graph.get(name)?.family === group);
}

/** A node, or the instances of a family, with everything they depend on. */
function ancestors(node: string, graph: RunGraph): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...graph.values()].filter((one) => isOf(one, node)).map(({ name }) => name);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...(graph.get(name)?.reads ?? []));
  }
  return reached;
}
