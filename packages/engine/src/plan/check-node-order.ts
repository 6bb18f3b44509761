import type { FlowSpec } from '../flow/flow-spec.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { nodeReferences } from './flow-references.ts';

/**
 * Whether rows read and write images in the `basic` form whatever `message_format` says: the format is forgotten
 * where nodes have to be put in order (docs/decisions/0009). A flow with loops or node types of ours keeps it.
 *
 * @param order indexes of the nodes, as they can run
 */
export function forgetsMessageFormat({ isStandard }: FlowSpec, order: readonly number[]): boolean {
  return isStandard && order.some((index, place) => index !== place);
}

/** The first node that stands before one it reads, where that changes how images are read. */
export function checkNodeOrder(spec: FlowSpec, order: readonly number[]): readonly Diagnostic[] {
  if (spec.messageFormat === 'basic' || !forgetsMessageFormat(spec, order)) return [];
  const seen = new Set<string>();
  for (const node of spec.nodes) {
    seen.add(node.name);
    const early = nodeReferences(spec, node).find(
      ({ reference }) => reference.kind === 'node' && !seen.has(reference.node),
    );
    if (early === undefined || early.reference.kind !== 'node') continue;
    const written = spec.locate(['message_format']);
    return [
      {
        severity: 'warning',
        code: 'FLOW_NODE_ORDER',
        message: `"${node.name}" stands before "${early.reference.node}", which it reads: images are read and written as with \`message_format: basic\``,
        ...(early.span === undefined ? {} : { span: early.span }),
        help: `put "${node.name}" behind "${early.reference.node}"; Prompt flow forgets the format of a flow whose nodes it has to sort`,
        notes: [
          { message: 'the format that is forgotten, except for literals', ...(written ? { span: written } : {}) },
        ],
      },
    ];
  }
  return [];
}
