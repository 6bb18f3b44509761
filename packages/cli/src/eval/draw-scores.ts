import type { RunNode } from '@unroll/engine';
import { type EvalResult, type MetricResult, scoreText, toneOfNode } from '@unroll/evals';
import type { Arrow, Box, Group, Picture } from '@unroll/project/graph';

/** The flow of an evaluation, each node in the colour of its metrics; instances of a loop's node are one box. */
export function drawScores(result: EvalResult): Picture | undefined {
  const { made, flow } = result.run;
  if (made === undefined) return undefined;
  const drawn = [...Map.groupBy(made.nodes, boxName)].map(([name, instances]) => ({ name, instances }));
  const boxOf = new Map(made.nodes.map((node) => [node.name, boxName(node)]));
  const inputs = [...new Set(made.nodes.flatMap(({ readsInputs = [] }) => readsInputs))];
  const outputs = made.outputs ?? [];
  const arrow = (from: string, to: string): Arrow => ({ from, to, kind: 'data' });
  return {
    title: flow,
    direction: 'right',
    boxes: [
      ...inputs.map(
        (name): Box => ({ id: `input.${name}`, label: name, kind: 'input', type: 'input', aggregation: false }),
      ),
      ...drawn.map((node) => nodeBox(node, result)),
      ...outputs.map(({ name }) => outputPill(name, result)),
    ],
    arrows: unique([
      ...drawn.flatMap(({ name, instances: [first] }) => [
        ...(first?.readsInputs ?? []).map((input) => arrow(`input.${input}`, `node.${name}`)),
        ...(first?.reads ?? []).map((read) => arrow(`node.${boxOf.get(read)}`, `node.${name}`)),
      ]),
      ...arrowsBack(drawn),
      ...outputs.flatMap(({ name, reads }) =>
        reads === undefined ? [] : [arrow(`node.${boxOf.get(reads)}`, `output.${name}`)],
      ),
    ]),
    groups: [...new Set(made.nodes.flatMap(({ loop }) => loop ?? []))].map(
      (loop): Group => ({ id: `loop.${loop}`, label: loop }),
    ),
  };
}

interface DrawnNode {
  readonly name: string;
  readonly instances: readonly RunNode[];
}

function boxName({ name, loop, family, iteration }: RunNode): string {
  return loop !== undefined && family !== undefined && iteration ? family : name;
}

function nodeBox({ name, instances }: DrawnNode, result: EvalResult): Box {
  const [first] = instances;
  const { tone, metrics } = toneOfNode(result, [name, ...instances.map((instance) => instance.name)]);
  return {
    id: `node.${name}`,
    label: instances.length > 1 ? `${name} ×${instances.length}` : name,
    kind: 'node',
    type: first?.kind ?? '',
    ...(metrics.length === 0 ? {} : { detail: metricsText(metrics) }),
    status: tone,
    ...(first?.loop === undefined ? {} : { group: `loop.${first.loop}` }),
    aggregation: first?.aggregation ?? false,
  };
}

function outputPill(name: string, result: EvalResult): Box {
  const { tone, metrics } = toneOfNode(result, [`outputs.${name}`]);
  const label = metrics.length === 0 ? name : `${name}: ${metricsText(metrics)}`;
  const status = tone === 'unmeasured' ? {} : { status: tone };
  return { id: `output.${name}`, label, kind: 'output', type: 'output', ...status, aggregation: false };
}

const mostMetrics = 2;

function metricsText(metrics: readonly MetricResult[]): string {
  const told = metrics
    .slice(0, mostMetrics)
    .map((metric) => `${metric.name} ${scoreText(metric.summary.mean ?? 0, metric)}`);
  const more = metrics.length - told.length;
  return [...told, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** From the last node of a folded loop to its first. */
function arrowsBack(drawn: readonly DrawnNode[]): readonly Arrow[] {
  const folded = drawn.filter(({ instances }) => instances.length > 1);
  return [...Map.groupBy(folded, ({ instances }) => instances[0]?.loop).values()].flatMap(
    (ofLoop): readonly Arrow[] => {
      const [start, end] = [ofLoop[0], ofLoop.at(-1)];
      if (start === undefined || end === undefined || start === end) return [];
      return [
        { from: `node.${end.name}`, to: `node.${start.name}`, kind: 'again', label: `×${start.instances.length}` },
      ];
    },
  );
}

function unique(arrows: readonly Arrow[]): readonly Arrow[] {
  const own = arrows.filter(({ from, to, kind }) => from !== to || kind === 'again');
  return [...new Map(own.map((arrow) => [`${arrow.kind} ${arrow.from} ${arrow.to}`, arrow])).values()];
}
