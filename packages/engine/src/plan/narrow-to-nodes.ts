import type { FlowSpec, NodeSpec } from '../flow/flow-spec.ts';
import { parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type CheckedNode, nodePlace, optional } from './checked-node.ts';

/**
 * A flow as far as nodes that run alone need it: of all other nodes the names are left, outputs and conditions are gone,
 * and a node that is read and is not there counts as there, as its output is given.
 */
export function narrowTo(spec: FlowSpec, only: ReadonlySet<string>): FlowSpec {
  const nodes = spec.nodes.map((node) => (only.has(node.name) ? withoutCondition(node) : nameOnly(node)));
  const names = new Set(nodes.map(({ name }) => name));
  const read = nodes.flatMap(({ inputs }) => Object.values(inputs).flatMap((value) => parseReference(value) ?? []));
  const missing = new Set(read.flatMap((one) => (one.kind === 'node' && !names.has(one.node) ? [one.node] : [])));
  return { ...spec, nodes: [...nodes, ...[...missing].map(given)], outputs: [] };
}

function withoutCondition({ activate: _, ...node }: NodeSpec): NodeSpec {
  return node;
}

function nameOnly(node: NodeSpec): NodeSpec {
  return { ...withoutCondition(node), inputs: {} };
}

function given(name: string): NodeSpec {
  return { name, type: '', inputs: {}, aggregation: false, useVariants: false, settings: {}, path: [] };
}

/**
 * What of a flow's mistakes keeps these nodes from running alone, in the words Prompt flow has for that.
 *
 * @param file the flow's definition, as it is shown
 */
export function mistakesAlone(
  diagnostics: readonly Diagnostic[],
  only: ReadonlySet<string>,
  file: string,
): readonly Diagnostic[] {
  return diagnostics.flatMap((diagnostic) => {
    const { promptFlow } = diagnostic;
    if (promptFlow?.node === undefined) return [diagnostic];
    if (promptFlow.code === 'ResolveToolError' && !only.has(promptFlow.node)) return [];
    return [{ ...diagnostic, promptFlow: { ...promptFlow, ...inWordsOfOneNode(file, promptFlow) } }];
  });
}

function inWordsOfOneNode(
  file: string,
  { code, message, node = '' }: NonNullable<Diagnostic['promptFlow']>,
): Partial<NonNullable<Diagnostic['promptFlow']>> {
  const input = /references flow input '(.*?)' which is not defined/.exec(message)?.[1];
  if (code === 'InputReferenceNotFound' && input !== undefined) {
    return {
      code: 'InputNotFound',
      message: `The input for node is incorrect. Node input '${input}' is not found from flow inputs of node '${node}'. Please review the node definition in your flow.`,
    };
  }
  if (code !== 'ResolveToolError' || !/Tool type None|does not have source defined/.test(message)) return {};
  return notWhole(node, file);
}

function notWhole(node: string, file: string): { readonly code: string; readonly message: string } {
  return {
    code: 'SingleNodeValidationError',
    message: `Validation failed when attempting to execute the node. Properties 'source' or 'type' are not specified for Node '${node}' in flow '${file}'. Please make sure these properties are in place and try again.`,
  };
}

/** Nodes that run alone and name no template: looked for before the connection they name. */
export function checkTemplateNamed(nodes: readonly CheckedNode[], file: string): readonly Diagnostic[] {
  return nodes
    .filter(({ spec }) => spec.source === undefined && (spec.type === 'llm' || spec.type === 'prompt'))
    .map((node) => ({
      severity: 'error',
      code: 'FLOW_MISSING_KEY',
      message: `node "${node.spec.name}" has no source`,
      ...optional('span', nodePlace(node)),
      help: 'for instance `source: {type: code, path: prompt.jinja2}`',
      promptFlow: { ...notWhole(node.spec.name, file), node: node.spec.name },
    }));
}
