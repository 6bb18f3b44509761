import { pythonRepr, type ReferenceDetails } from '@unroll/engine';
import type { ErrorsByKind, PromptFlowError } from './prompt-flow-error.ts';

const invalid = 'Invalid node definitions found in the flow graph.';

/** Mistakes in what nodes and outputs refer to. */
export const referenceErrors: ErrorsByKind<ReferenceDetails> = {
  'unknown-input': unknownInput,
  'unknown-node': ({ node, reads }) => ({
    code: 'NodeReferenceNotFound',
    message: `${invalid} Node '${node}' references a non-existent node '${reads}' in your flow. Please review your flow to ensure that the node name is accurately specified.`,
    node,
  }),
  'other-section': ({ node, reads, section }) => ({
    code: 'UnsupportedReference',
    message: `Flow execution failed. The section '${section}' of reference is currently unsupported. Please specify the output part of the node '${reads}'.`,
    node,
  }),
  'reads-aggregation': ({ node, reads }) => ({
    code: 'InvalidNodeReference',
    message: `${invalid} Non-aggregate node '${node}' cannot reference aggregate nodes {${reads.map((one) => `'${one}'`).join(', ')}}. Please review and rectify the node reference.`,
    node,
  }),
  'condition-of-aggregation': ({ node, reads }) => ({
    code: 'InvalidNodeReference',
    message: `${invalid} Non-aggregation node '${reads}' cannot be referenced in the activate config of the aggregation node '${node}'. Please review and rectify the node reference.`,
    node,
  }),
  cycle: ({ nodes }) => ({
    code: 'NodeCircularDependency',
    message: `${invalid} Node circular dependency has been detected among the nodes in your flow. Kindly review the reference relationships for the nodes ${pythonRepr(nodes)} and resolve the circular reference issue in the flow.`,
  }),
  'output-without-reference': ({ output }) => ({
    code: 'EmptyOutputReference',
    message: `The output '${output}' for flow is incorrect. The reference is not specified for the output '${output}' in the flow. To rectify this, ensure that you accurately specify the reference in the flow.`,
  }),
  'output-of-unknown-input': ({ output, input }) => unknownOutput(output, `flow input '${input}' in your flow. Please`),
  'output-of-unknown-node': ({ output, node }) =>
    unknownOutput(output, `node '${node}' in your flow. To resolve this issue, please`),
};

function unknownInput({
  node,
  input,
  known,
  by,
}: Extract<ReferenceDetails, { readonly kind: 'unknown-input' }>): PromptFlowError {
  if (by === 'input')
    return {
      code: 'InputReferenceNotFound',
      message: `${invalid} Node '${node}' references flow input '${input}' which is not defined in your flow. To resolve this issue, please review your flow, ensuring that you either add the missing flow inputs or adjust node reference to the correct flow input.`,
      node,
    };
  const message =
    by === 'condition'
      ? `Flow execution failed. The input '${input}' is not found from flow inputs '${known.join(', ')}'. Please check the input name and try again.`
      : `The input for node is incorrect. Node input '${input}' is not found from flow inputs of node '${node}'. Please review the node definition in your flow.`;
  return { code: 'InputNotFound', message, node };
}

function unknownOutput(output: string, what: string): PromptFlowError {
  return {
    code: 'OutputReferenceNotFound',
    message: `The output '${output}' for flow is incorrect. The output '${output}' references non-existent ${what} carefully review your flow and correct the reference definition for the output in question.`,
  };
}
