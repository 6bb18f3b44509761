import type { JsonValue, NodeDetails } from '@unroll/engine';
import { pythonStr } from '@unroll/engine';
import type { ErrorsByKind, PromptFlowError } from './prompt-flow-error.ts';

/** Mistakes of a single node. What keeps its tool from being loaded is told with the node and the class within. */
export const nodeErrors: ErrorsByKind<NodeDetails> = {
  'node-type-unknown': ({ node, type }) => ({ code: 'ValueError', message: `'${type}' is not a valid ToolType`, node }),
  'node-type-not-run': ({ node, type }) =>
    unsupportedNodeType(node, `Tool type ${type === undefined ? 'None' : `ToolType.${type.toUpperCase()}`}`),
  'node-without-source': ({ node }) =>
    notLoaded(node, 'UserErrorException', `Node ${node} does not have source defined.`),
  'no-type-or-source': ({ node }, { span }) => ({
    code: 'SingleNodeValidationError',
    message: `Validation failed when attempting to execute the node. Properties 'source' or 'type' are not specified for Node '${node}' in flow '${span?.file.path ?? ''}'. Please make sure these properties are in place and try again.`,
    node,
  }),
  'half-condition': ({ node }) => ({
    code: 'FlowDefinitionError',
    message: `The definition of activate config for node ${node} is incorrect. Please check your flow yaml and resubmit.`,
    node,
  }),
  'duplicate-node': ({ node }) => ({
    code: 'DuplicateNodeName',
    message: `Invalid node definitions found in the flow graph. Node with name '${node}' appears more than once in the node definitions in your flow, which is not allowed. To address this issue, please review your flow and either rename or remove nodes with identical names.`,
    node,
  }),
  'file-missing': ({ node, path, isTemplate }) => notLoaded(node, 'InvalidSource', missingFile(node, path, isTemplate)),
  'template-syntax': ({ node, problem }) => ({
    code: 'ResolveToolError',
    message: `Tool load failed in '${node}': ${problem}`,
    node,
  }),
  'literal-type': ({ node, input, value, type }) =>
    notLoaded(
      node,
      'NodeInputValidationError',
      `Input '${input}' for node '${node}' of value '${pythonStr(value as JsonValue)}' is not type ${type}.`,
    ),
  'connection-missing': ({ node, connection, known }) => missingConnection(connection, node, known),
  'override-node': ({ node }) => ({ code: 'InvalidFlowError', message: `Node ${node} not found in flow` }),
  'override-key': ({ key }) => ({
    code: 'InvalidFlowError',
    message: `Unsupported llm connection overwrite keys: {'${key}'}, only ['connection', 'deployment_name', 'model'] are supported.`,
  }),
};

/** @param what a type of tools, or of sources of them */
export function unsupportedNodeType(node: string, what: string): PromptFlowError {
  return notLoaded(node, 'NotImplementedError', `${what} is not supported yet.`);
}

function notLoaded(node: string, code: string, message: string): PromptFlowError {
  return { code: 'ResolveToolError', message: `Tool load failed in '${node}': (${code}) ${message}`, node };
}

function missingFile(node: string, path: string, isTemplate: boolean): string {
  return isTemplate
    ? `Node source path '${path}' is invalid on node '${node}'.`
    : `Load tool failed for node '${node}'. Tool file '${path}' can not be found.`;
}

function missingConnection(connection: string, node: string | undefined, known: readonly string[]): PromptFlowError {
  if (node === undefined)
    return { code: 'ConnectionNotFoundError', message: `Connection '${connection}' is not found.` };
  const names = known.map((one) => `'${one}'`).join(', ');
  const detail = `Connection '${connection}' not found in dict connection provider. Available keys are [${names}].`;
  return notLoaded(node, 'GetConnectionError', `Get connection '${connection}' for node '${node}' error: ${detail}`);
}
