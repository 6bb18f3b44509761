import type { Diagnostic, NodeError } from '@unroll/engine';

/** A node that is nothing without the code or the tool it names, and names none. */
export function missingSourceError(node: string): NodeError {
  const message = `Node ${node} does not have source defined.`;
  return { code: 'UserErrorException', message, retryable: false };
}

export function missingSource(node: string): Diagnostic {
  return {
    severity: 'error',
    code: 'FLOW_MISSING_KEY',
    message: `node "${node}" has no source`,
    help: 'for instance `source: {type: code, path: tool.py}`',
    unreadyNode: node,
    details: { kind: 'node-without-source', node },
  };
}
