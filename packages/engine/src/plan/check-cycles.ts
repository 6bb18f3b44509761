import type { FlowSpec, NodeSpec } from '../flow/flow-spec.ts';
import type { Diagnostic, Note } from '../source/diagnostic.ts';
import { findCycles } from './find-cycle.ts';
import { nodeReferences } from './flow-references.ts';

/**
 * Nodes that wait for each other, with every arrow.
 *
 * @param dependencies indexes each node waits for, by index
 * @param left nodes that can never run, also those that only wait for a cycle
 */
export function checkCycles(
  spec: FlowSpec,
  dependencies: readonly (readonly number[])[],
  left: readonly number[],
): readonly Diagnostic[] {
  if (left.length === 0) return [];
  const names = [...new Set(left.map((index) => spec.nodes[index]?.name ?? ''))].sort();
  return findCycles(dependencies).map((cycle) => {
    const nodes = cycle.flatMap((index) => spec.nodes[index] ?? []);
    const arrows = nodes.map((node, index) => arrow(spec, node, nodes[(index + 1) % nodes.length] ?? node));
    const [first] = arrows;
    return {
      severity: 'error',
      code: 'FLOW_CYCLE',
      message: `nodes wait for each other in a circle: ${[...nodes, ...nodes.slice(0, 1)].map(({ name }) => name).join(' -> ')}`,
      ...(first?.span === undefined ? {} : { span: first.span }),
      help: 'each waits for the output of the next; cut one of the arrows, or repeat the nodes with `loops`',
      notes: arrows,
      details: { kind: 'cycle', nodes: names },
    };
  });
}

function arrow(spec: FlowSpec, node: NodeSpec, source: NodeSpec): Note {
  const made = nodeReferences(spec, node).find(
    ({ reference }) => reference.kind === 'node' && reference.node === source.name,
  );
  const through = made?.input === undefined ? 'its condition' : `its input "${made.input}"`;
  return {
    message: `"${node.name}" waits for "${source.name}" through ${through}`,
    ...(made?.span === undefined ? {} : { span: made.span }),
  };
}
