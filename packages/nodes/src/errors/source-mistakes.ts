import type { Diagnostic, NodeDefinition, NodeError } from '@unroll/engine';

/** A node that is nothing without the code or the tool it names, and names none. */
export function missingSourceError(node: string): NodeError {
  const message = `Node ${node} does not have source defined.`;
  return { code: 'UserErrorException', message, retryable: false };
}

export function missingSource(node: NodeDefinition): Diagnostic {
  const missing = sourceMistake(node, `node "${node.name}" has no source`, codeHelp);
  return { ...missing, code: 'FLOW_MISSING_KEY', details: { kind: 'node-without-source', node: node.name } };
}

/** A source without the file that is the node. */
export function missingPath(node: NodeDefinition, help: string = codeHelp): Diagnostic {
  const message = `the source of node "${node.name}" names no file`;
  return { ...sourceMistake(node, message, help), code: 'FLOW_MISSING_KEY' };
}

const codeHelp = 'for instance `source: {type: code, path: tool.py}`';

/** Why a node cannot be made ready, at its source or a key of it. */
export function sourceMistake(node: NodeDefinition, message: string, help: string, key?: string): Diagnostic {
  const places = [...(key === undefined ? [] : [['source', key]]), ['source'], ['name'], []];
  return {
    severity: 'error',
    code: 'FLOW_WRONG_VALUE',
    message,
    span: places.map((place) => node.locate(place)).find((found) => found !== undefined),
    help,
    unreadyNode: node.name,
  };
}
