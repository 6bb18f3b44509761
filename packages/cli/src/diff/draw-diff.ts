import type { RunInfo } from '@unroll/engine';
import type { GraphNode, NodeDiff } from '@unroll/evals';
import type { DiffReport } from '@unroll/project';
import type { Arrow, Box, BoxStatus, Group, Picture } from '@unroll/project/graph';
import { kindsText, nodeTitle } from './kind-text.ts';

/**
 * The nodes of two runs as one picture, each in the colour of why it differs, with the arrows along which differences
 * went. The instances of a loop's node are one box, unless they are told apart.
 */
export function drawDiff({ diff, graph }: DiffReport, left: RunInfo, right: RunInfo): Picture {
  const boxOf = new Map(diff.nodes.flatMap((node) => node.instances.map((name) => [name, node.name] as const)));
  const drawn = diff.nodes.flatMap((node) => {
    const first = graph.get(node.instances[0] ?? '');
    return first === undefined ? [] : [{ node, first }];
  });
  const changed = new Set(diff.nodes.filter((node) => node.changed > 0).map(({ name }) => name));
  const inputs = [...new Set(drawn.flatMap(({ first }) => first.readsInputs))];
  const outputs = right.outputs ?? left.outputs ?? [];
  const arrow = (from: string, to: string, carries: boolean): Arrow => ({ from, to, kind: 'data', carries });
  return {
    title: right.flowName,
    direction: 'right',
    boxes: [
      ...inputs.map((name) => pill('input', name)),
      ...drawn.map(({ node, first }) => nodeBox(node, first)),
      ...outputs.map(({ name }) => pill('output', name)),
    ],
    arrows: unique([
      ...drawn.flatMap(({ node, first }) => [
        ...first.readsInputs.map((name) =>
          arrow(`input.${name}`, `node.${node.name}`, hasOrigin(node, `inputs.${name}`)),
        ),
        ...readsOf(first, boxOf)
          .filter((from) => from !== node.name)
          .map((from) => arrow(`node.${from}`, `node.${node.name}`, changed.has(from) && changed.has(node.name))),
      ]),
      ...arrowsBack(drawn),
      ...outputs.flatMap(({ name, reads }) => {
        const from = boxOf.get(reads ?? '');
        return from === undefined ? [] : [arrow(`node.${from}`, `output.${name}`, changed.has(from))];
      }),
    ]),
    groups: groupsOf(drawn.map(({ first }) => first)),
  };
}

interface DrawnNode {
  readonly node: NodeDiff;
  readonly first: GraphNode;
}

function readsOf({ reads }: GraphNode, boxOf: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set(reads.flatMap((name) => boxOf.get(name) ?? []))];
}

function hasOrigin({ origins }: NodeDiff, name: string): boolean {
  return origins.some((origin) => origin.name === name);
}

function pill(kind: 'input' | 'output', label: string): Box {
  return { id: `${kind}.${label}`, label, kind, type: kind, aggregation: false };
}

function nodeBox(node: NodeDiff, { loop, aggregation }: GraphNode): Box {
  return {
    id: `node.${node.name}`,
    label: nodeTitle(node),
    kind: 'node',
    type: node.kind,
    detail: node.changed === 0 ? 'same' : `${node.changed} changed: ${kindsText(node)}`,
    status: statusOf(node),
    ...(loop === undefined ? {} : { group: `loop.${loop}` }),
    aggregation,
  };
}

function statusOf({ kinds }: NodeDiff): BoxStatus {
  const order = ['cause', 'both', 'unknown', 'input', 'effect', 'noise'] as const;
  return order.find((kind) => (kinds[kind] ?? 0) > 0) ?? 'same';
}

/** From the last node of a folded loop to its first. */
function arrowsBack(drawn: readonly DrawnNode[]): readonly Arrow[] {
  const folded = drawn.filter(({ node, first }) => first.loop !== undefined && node.instances.length > 1);
  return [...Map.groupBy(folded, ({ first }) => first.loop).values()].flatMap((ofLoop): readonly Arrow[] => {
    const [start, end] = [ofLoop[0], ofLoop.at(-1)];
    if (start === undefined || end === undefined || start === end) return [];
    const label = `×${start.node.instances.length}`;
    return [{ from: `node.${end.node.name}`, to: `node.${start.node.name}`, kind: 'again', label }];
  });
}

function groupsOf(nodes: readonly GraphNode[]): readonly Group[] {
  const loops = new Set(nodes.flatMap(({ loop }) => loop ?? []));
  return [...loops].map((loop) => ({ id: `loop.${loop}`, label: loop }));
}

function unique(arrows: readonly Arrow[]): readonly Arrow[] {
  return [...new Map(arrows.map((arrow) => [`${arrow.kind} ${arrow.from} ${arrow.to}`, arrow])).values()];
}
