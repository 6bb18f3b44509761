// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { FlowOutputSpec, FlowSpec, NodeSpec } from '../flow/flow-spec.ts';
import { parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { DiagnosticDetails } from '../source/diagnostic-details.ts';
import { type Explanation, explainUnknownInput, explainUnknownNode, type KnownNames } from './explain-reference.ts';

/** Outputs of the flow that refer to nothing, or to what gives nothing. */
export function checkOutputs(spec: FlowSpec, known: KnownNames): readonly Diagnostic[] {
  const nodes = new Map(spec.nodes.toReversed().map((node) => [node.name, node]));
  return spec.outputs.flatMap((output) => {
    const found = checkOutput(spec, output, known, nodes);
    return found === undefined ? [] : [found];
  });
}

function checkOutput(
  spec: FlowSpec,
  output: FlowOutputSpec,
  known: KnownNames,
  nodes: ReadonlyMap<string, NodeSpec>,
): Diagnostic | undefined {
  const written = output.reference;
  if (written === undefined || written === '' || written === null) return emptyReference(spec, output);
  const reference = parseReference(written);
  if (reference === undefined) return undefined;
  if (reference.kind === 'flow-input') {
    if (known.inputs.names.has(reference.input)) return undefined;
    const details = { kind: 'output-of-unknown-input', output: output.name, input: reference.input } as const;
    return notFound(spec, output, 'FLOW_UNKNOWN_INPUT', explainUnknownInput(known, reference.input), details);
  }
  const node = nodes.get(reference.node);
  if (node === undefined) {
    const details = { kind: 'output-of-unknown-node', output: output.name, node: reference.node } as const;
    const explanation = explainUnknownNode(known, reference.node, String(written));
    return notFound(spec, output, 'FLOW_UNKNOWN_NODE', explanation, details);
  }
  if (node.aggregation) return ofAggregation(spec, output, node.name);
  return reference.section === 'output' ? undefined : ignoredSection(spec, output, reference.section);
}

function emptyReference(spec: FlowSpec, output: FlowOutputSpec): Diagnostic {
  const { name } = output;
  return {
    // A written null gives null; the others are refused.
    severity: output.reference === null ? 'warning' : 'error',
    code: 'FLOW_EMPTY_REFERENCE',
    message: `output "${name}" does not say where its value comes from`,
    span: placeOf(spec, output),
    help: 'for instance `reference: ${node.output}`',
    details: { kind: 'output-without-reference', output: name },
  };
}

function notFound(
  spec: FlowSpec,
  output: FlowOutputSpec,
  code: string,
  explanation: Explanation,
  details: DiagnosticDetails,
): Diagnostic {
  return {
    severity: 'error',
    code,
    ...explanation,
    span: placeOf(spec, output),
    details,
  };
}

function ofAggregation(spec: FlowSpec, output: FlowOutputSpec, node: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'FLOW_OUTPUT_OF_AGGREGATION',
    message: `output "${output.name}" refers to the aggregation node "${node}" and is not given`,
    span: placeOf(spec, output),
    help: 'aggregation nodes run after all rows; log a metric there',
  };
}

function ignoredSection(spec: FlowSpec, output: FlowOutputSpec, section: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'FLOW_REFERENCE_SECTION',
    message: `output "${output.name}" gives the whole output of the node: "${section}" is ignored`,
    span: placeOf(spec, output),
    help: 'a property stands after a second point: `${node.output.property}`',
  };
}

function placeOf(spec: FlowSpec, { name }: FlowOutputSpec): Diagnostic['span'] {
  return spec.locate(['outputs', name, 'reference']) ?? spec.locate(['outputs', name], 'key');
}
