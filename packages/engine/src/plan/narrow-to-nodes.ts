import type { FlowSpec, NodeSpec } from '../flow/flow-spec.ts';
import { parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type CheckedNode, nodePlace } from './checked-node.ts';

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

/** What of a flow's mistakes keeps these nodes from running alone. */
export function mistakesAlone(diagnostics: readonly Diagnostic[], only: ReadonlySet<string>): readonly Diagnostic[] {
  return diagnostics
    .filter(({ unreadyNode }) => unreadyNode === undefined || only.has(unreadyNode))
    .map(withDetailsAlone);
}

function withDetailsAlone(diagnostic: Diagnostic): Diagnostic {
  const { details, unreadyNode, ...rest } = diagnostic;
  if (details?.kind === 'unknown-input' && details.by === 'input')
    return { ...diagnostic, details: { ...details, by: 'input of a node alone' } };
  const isPartial =
    details?.kind === 'node-without-source' || (details?.kind === 'node-type-not-run' && details.type === undefined);
  return isPartial ? { ...rest, details: { kind: 'no-type-or-source', node: details.node } } : diagnostic;
}

/** Nodes that run alone and name no template: looked for before the connection they name. */
export function checkTemplateNamed(nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return nodes
    .filter(({ spec }) => spec.source === undefined && (spec.type === 'llm' || spec.type === 'prompt'))
    .map((node) => ({
      severity: 'error',
      code: 'FLOW_MISSING_KEY',
      message: `node "${node.spec.name}" has no source`,
      span: nodePlace(node),
      help: 'for instance `source: {type: code, path: prompt.jinja2}`',
      details: { kind: 'no-type-or-source', node: node.spec.name },
    }));
}
