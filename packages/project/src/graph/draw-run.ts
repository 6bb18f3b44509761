import type { RunInfo, RunNode } from '@unroll/engine';
import type { Arrow, Box, Group, Picture } from './picture.ts';

/** The recorded nodes that a box stands for. */
export interface DrawnNode {
  /** Of its box. */
  readonly id: string;
  readonly label: string;
  /** In the order of the flow; more than one where a loop is folded. */
  readonly instances: readonly RunNode[];
}

/** Boxes of a run's nodes in the order of the flow; folded, instances of a loop's node are one. */
export function drawnNodes(nodes: readonly RunNode[], isFolded: boolean): readonly DrawnNode[] {
  return [...Map.groupBy(nodes, (node) => boxName(node, isFolded))].map(([label, instances]) => {
    return { id: `node.${label}`, label, instances };
  });
}

/**
 * The picture of a recorded run, whose flow need not be there any more.
 *
 *     folded:    state -> [ agent -> function ]×3 -> answer        with an arrow back from function to agent
 *     unfolded:  state -> [ [agent_1 -> function_1] -> [agent_2 -> function_2] … -> answer ]
 */
export function drawRun(info: Pick<RunInfo, 'nodes' | 'outputs' | 'flowName'>, isFolded: boolean): Picture {
  const drawn = drawnNodes(info.nodes, isFolded);
  const boxOf = new Map(drawn.flatMap(({ id, instances }) => instances.map(({ name }) => [name, id] as const)));
  const inputs = [...new Set(info.nodes.flatMap(({ readsInputs = [] }) => readsInputs))];
  const outputs = info.outputs ?? [];
  return {
    title: info.flowName,
    direction: 'right',
    boxes: [
      ...inputs.map((name) => pill('input', name)),
      ...drawn.map((node) => nodeBox(node, isFolded)),
      ...outputs.map(({ name }) => pill('output', name)),
    ],
    arrows: unique([
      ...drawn.flatMap((node) => arrowsInto(node, boxOf)),
      ...(isFolded ? arrowsBack(drawn) : []),
      ...outputs.flatMap(({ name, reads }) => arrowFrom(boxOf.get(reads ?? ''), `output.${name}`)),
    ]),
    groups: groupsOf(info.nodes, isFolded),
  };
}

function boxName({ name, loop, family, iteration }: RunNode, isFolded: boolean): string {
  return isFolded && loop !== undefined && family !== undefined && iteration ? family : name;
}

function pill(kind: 'input' | 'output', label: string): Box {
  return { id: `${kind}.${label}`, label, kind, type: kind, aggregation: false };
}

function nodeBox({ id, label, instances }: DrawnNode, isFolded: boolean): Box {
  const [first] = instances;
  const { loop, iteration = 0 } = first ?? {};
  return {
    id,
    label: instances.length > 1 ? `${label} ×${instances.length}` : label,
    kind: 'node',
    type: first?.kind ?? '',
    ...(loop === undefined
      ? {}
      : { group: isFolded || iteration === 0 ? `loop.${loop}` : `loop.${loop}.${iteration}` }),
    aggregation: first?.aggregation ?? false,
  };
}

/** Folded, a box hears what its first instance does: the others hear from the turn before. */
function arrowsInto({ id, instances: [first] }: DrawnNode, boxOf: ReadonlyMap<string, string>): readonly Arrow[] {
  return [
    ...(first?.readsInputs ?? []).flatMap((name) => arrowFrom(`input.${name}`, id)),
    ...(first?.reads ?? []).flatMap((name) => arrowFrom(boxOf.get(name), id)),
  ];
}

function arrowFrom(from: string | undefined, to: string): readonly Arrow[] {
  return from === undefined ? [] : [{ from, to, kind: 'data' }];
}

/** From the last node of a folded loop to its first. */
function arrowsBack(drawn: readonly DrawnNode[]): readonly Arrow[] {
  const folded = drawn.filter(({ instances }) => instances.length > 1);
  const loops = Map.groupBy(folded, ({ instances }) => instances[0]?.loop);
  return [...loops.values()].flatMap((ofLoop): readonly Arrow[] => {
    const [start, end] = [ofLoop[0], ofLoop.at(-1)];
    if (start === undefined || end === undefined || start === end) return [];
    return [{ from: end.id, to: start.id, kind: 'again', label: `×${start.instances.length}` }];
  });
}

function groupsOf(nodes: readonly RunNode[], isFolded: boolean): readonly Group[] {
  const loops = [...new Set(nodes.flatMap(({ loop }) => loop ?? []))];
  return loops.flatMap((loop): readonly Group[] => {
    const outer = { id: `loop.${loop}`, label: loop };
    if (isFolded) return [outer];
    const turns = new Set(nodes.flatMap((node) => (node.loop === loop && node.iteration ? node.iteration : [])));
    const inner = [...turns].sort((one, other) => one - other);
    return [outer, ...inner.map((turn) => ({ id: `loop.${loop}.${turn}`, label: `${turn}`, parent: outer.id }))];
  });
}

function unique(arrows: readonly Arrow[]): readonly Arrow[] {
  const own = arrows.filter(({ from, to, kind }) => from !== to || kind === 'again');
  return [...new Map(own.map((arrow) => [`${arrow.kind} ${arrow.from} ${arrow.to}`, arrow])).values()];
}
