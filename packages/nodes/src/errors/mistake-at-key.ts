import type { Diagnostic, NodeDefinition } from '@unroll/engine';

/** A mistake of the author at a key of a node, or at the node's name where the key is not written. */
export function mistakeAtKey(
  node: NodeDefinition,
  key: string,
  mistake: Pick<Diagnostic, 'code' | 'message' | 'help' | 'unreadyNode'> & Partial<Pick<Diagnostic, 'severity'>>,
): Diagnostic {
  return { severity: 'error', ...mistake, span: node.locate([key], 'value') ?? node.locate(['name'], 'value') };
}

/** @param problem what the key must be, for instance `expected a number` */
export function wrongValue(node: NodeDefinition, key: string, problem: string): Diagnostic {
  return mistakeAtKey(node, key, { code: 'FLOW_WRONG_VALUE', message: `${key}: ${problem}` });
}
