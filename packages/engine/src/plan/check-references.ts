import type { FlowSpec, NodeSpec } from '../flow/flow-spec.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { explainSection, explainUnknownInput, explainUnknownNode, type KnownNames } from './explain-reference.ts';
import { type NodeReference, nodeReferences } from './flow-references.ts';

/**
 * Nodes of the same name, references of nodes to what does not exist, and rules of aggregation; in this order:
 * names, then inputs of the flow, then node by node.
 */
export function checkReferences(spec: FlowSpec, known: KnownNames): readonly Diagnostic[] {
  const { names } = known.nodes;
  const declared = [...known.inputs.names];
  const aggregations = new Set(spec.nodes.filter((node) => node.aggregation).map((node) => node.name));
  const references = spec.nodes.map((node) => ({ node, references: nodeReferences(spec, node) }));
  return [
    ...duplicateNames(spec),
    ...references.flatMap(({ node, references: made }) =>
      made.flatMap((one) => unknownInput(node, one, known, declared)),
    ),
    ...references.flatMap(({ node, references: made }) => [
      ...made.flatMap((one) => aggregationCondition(node, one, aggregations, names)),
      ...made.flatMap((one) => unknownNode(node, one, known)),
      ...readsAggregation(node, made, aggregations),
      ...made.flatMap((one) => otherSection(node, one, names)),
    ]),
  ];
}

/** What a loop makes twice is told by `checkLoops`. */
function duplicateNames(spec: FlowSpec): readonly Diagnostic[] {
  const first = new Map<string, NodeSpec>();
  return spec.nodes.flatMap((node) => {
    const before = first.get(node.name);
    if (before === undefined) first.set(node.name, node);
    if (before === undefined || node.instance !== undefined || before.instance !== undefined) return [];
    const place = spec.locate([...before.path, 'name']);
    return [
      {
        severity: 'error',
        code: 'FLOW_DUPLICATE_NODE',
        message: `two nodes are called "${node.name}"`,
        span: spec.locate([...node.path, 'name']),
        help: 'rename one of them',
        notes: [{ message: 'the first is here', ...(place === undefined ? {} : { span: place }) }],
        details: { kind: 'duplicate-node', node: node.name },
      },
    ];
  });
}

/** An undeclared input in a condition is met only when the node is reached. */
function unknownInput(
  node: NodeSpec,
  { reference, input, span }: NodeReference,
  known: KnownNames,
  declared: readonly string[],
): readonly Diagnostic[] {
  if (reference.kind !== 'flow-input' || known.inputs.names.has(reference.input)) return [];
  const by = input === undefined ? 'condition' : 'input';
  return [
    {
      severity: 'error',
      code: 'FLOW_UNKNOWN_INPUT',
      ...explainUnknownInput(known, reference.input),
      span,
      ...(input === undefined && !node.aggregation ? { allowsRun: true } : {}),
      details: { kind: 'unknown-input', node: node.name, input: reference.input, known: declared, by },
    },
  ];
}

function aggregationCondition(
  node: NodeSpec,
  { reference, input, span }: NodeReference,
  aggregations: ReadonlySet<string>,
  names: ReadonlySet<string>,
): readonly Diagnostic[] {
  const isCondition = node.aggregation && input === undefined && reference.kind === 'node';
  if (!isCondition || aggregations.has(reference.node) || !names.has(reference.node)) return [];
  return [
    {
      severity: 'error',
      code: 'FLOW_AGGREGATION',
      message: `the condition of the aggregation node "${node.name}" looks at "${reference.node}", which runs once a row`,
      span,
      help: 'such a condition may only look at aggregation nodes',
      details: { kind: 'condition-of-aggregation', node: node.name, reads: reference.node },
    },
  ];
}

function unknownNode(
  node: NodeSpec,
  { reference, text, span }: NodeReference,
  known: KnownNames,
): readonly Diagnostic[] {
  if (reference.kind !== 'node' || known.nodes.names.has(reference.node)) return [];
  return [
    {
      severity: 'error',
      code: 'FLOW_UNKNOWN_NODE',
      ...explainUnknownNode(known, reference.node, text, node.instance !== undefined),
      span,
      details: { kind: 'unknown-node', node: node.name, reads: reference.node },
    },
  ];
}

function readsAggregation(
  node: NodeSpec,
  references: readonly NodeReference[],
  aggregations: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (node.aggregation) return [];
  const wrong = references.flatMap(({ reference, span }) =>
    reference.kind === 'node' && aggregations.has(reference.node) ? [{ source: reference.node, span }] : [],
  );
  const all = [...new Set(wrong.map(({ source }) => source))];
  return wrong.map(({ source, span }) => ({
    severity: 'error',
    code: 'FLOW_AGGREGATION',
    message: `"${node.name}" runs once a row and cannot read the aggregation node "${source}"`,
    span,
    help: 'aggregation nodes run after all rows: set `aggregation: true` on the reader too',
    details: { kind: 'reads-aggregation', node: node.name, reads: all },
  }));
}

/** It is met only when the node is reached; aggregation nodes are refused at once. */
function otherSection(
  node: NodeSpec,
  { reference, span }: NodeReference,
  names: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (reference.kind !== 'node' || reference.section === 'output' || !names.has(reference.node)) return [];
  return [
    {
      severity: 'error',
      code: 'FLOW_REFERENCE_SECTION',
      ...explainSection(reference),
      span,
      ...(node.aggregation ? {} : { allowsRun: true }),
      details: { kind: 'other-section', node: node.name, reads: reference.node, section: reference.section },
    },
  ];
}

/** Class and message of the failure of a node that reads another section than `output`. */
export function unsupportedSection(node: string, section: string): { readonly code: string; readonly message: string } {
  const message = `Flow execution failed. The section '${section}' of reference is currently unsupported. Please specify the output part of the node '${node}'.`;
  return { code: 'UnsupportedReference', message };
}
