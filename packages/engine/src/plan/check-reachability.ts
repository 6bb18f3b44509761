import type { FlowSpec } from '../flow/flow-spec.ts';
import { parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { createNameSearch, type NameSearch } from '../source/nearest-name.ts';
import { isNeverActivated } from './check-conditions.ts';
import { type CheckedNode, nodePlace, placeInNode, shownName } from './checked-node.ts';
import { flowGraph, readNodes, withAllBefore } from './flow-graph.ts';

/** Parts of a flow that are there for nothing: nodes nobody reads or that never run, inputs nobody uses. */
export function checkReachability(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  const hasResult = spec.outputs.length > 0 || nodes.some(({ definition }) => definition.aggregation);
  return [
    ...(hasResult || nodes.length === 0 ? unreadNodes(spec, nodes) : [withoutResult(spec)]),
    ...neverRunning(spec, nodes),
    ...unusedInputs(spec, nodes),
  ];
}

function withoutResult(spec: FlowSpec): Diagnostic {
  return {
    severity: 'warning',
    code: 'FLOW_NO_OUTPUT',
    message: 'the flow has no outputs: its result is always empty',
    span: spec.locate(['outputs'], 'key') ?? spec.locate(['nodes'], 'key'),
    help: 'add `outputs:` with a reference to a node',
  };
}

function unreadNodes(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  const graph = flowGraph(nodes);
  const reached = withAllBefore(graph, [
    ...referencedByOutputs(spec),
    ...nodes.filter((node) => node.definition.aggregation || node.hasSideEffects).map(({ spec: { name } }) => name),
    ...meantNodes(spec, nodes),
  ]);
  const isReached = (node: CheckedNode): boolean => reached.has(node.spec.name);
  return nodes
    .filter((node) => graph.outDegree(node.spec.name) === 0 && !family(node, nodes).some(isReached))
    .map((node) => ({
      severity: 'warning',
      code: 'NODE_UNREAD',
      message: `nothing reads node "${shownName(node)}"`,
      span: nodePlace(node),
      help: 'read its output in another node or in `outputs:`, or remove it',
    }));
}

/** The instances of a node in its loop: what the author wrote once is read when one of them is. */
function family(node: CheckedNode, nodes: readonly CheckedNode[]): readonly CheckedNode[] {
  const { instance } = node.spec;
  if (instance === undefined) return [node];
  return nodes.filter(({ spec }) => spec.instance?.loop === instance.loop && spec.instance.family === instance.family);
}

function referencedByOutputs(spec: FlowSpec): readonly string[] {
  return spec.outputs.flatMap(({ reference }) => {
    const parsed = parseReference(reference);
    return parsed?.kind === 'node' ? [parsed.node] : [];
  });
}

/** Nodes that a misspelt reference was meant for: that mistake is told at the reference. */
function meantNodes(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly string[] {
  const known = createNameSearch(nodes.map((node) => node.spec.name));
  const references = new Set([...referencedByOutputs(spec), ...nodes.flatMap(readNodes)]);
  return [...references].flatMap((name) => (known.names.has(name) ? [] : (known.nearest(name) ?? [])));
}

function neverRunning(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  const first = nodes.filter((node) => isNeverActivated(node, spec, nodes));
  const never = new Map(first.map((node) => [node.spec.name, node]));
  const found: Diagnostic[] = [];
  for (let before = -1; before !== never.size; ) {
    before = never.size;
    for (const node of nodes) {
      const cause = never.has(node.spec.name) ? undefined : causeOf(node, never);
      if (cause === undefined) continue;
      never.set(node.spec.name, cause);
      found.push(neverRuns(node, cause));
    }
  }
  return found;
}

/** The node whose condition keeps `node` from running, by the rules of bypassing. */
function causeOf(node: CheckedNode, never: ReadonlyMap<string, CheckedNode>): CheckedNode | undefined {
  const condition = parseReference(node.spec.activate?.when);
  if (condition?.kind === 'node') return never.get(condition.node);
  if (node.spec.activate !== undefined || node.definition.aggregation) return undefined;
  const read = readNodes(node);
  return read.length > 0 && read.every((name) => never.has(name)) ? never.get(read[0] ?? '') : undefined;
}

function neverRuns(node: CheckedNode, cause: CheckedNode): Diagnostic {
  return {
    severity: 'warning',
    code: 'NODE_NEVER_RUNS',
    message: `node "${shownName(node)}" never runs: it reads only nodes that never run`,
    span: nodePlace(node),
    notes: [
      {
        message: `the condition of node "${shownName(cause)}" never holds`,
        span: placeInNode(cause, ['activate', 'is']),
      },
    ],
  };
}

function unusedInputs(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  const used = usedInputs(spec, nodes);
  const known = createNameSearch(spec.inputs.map(({ name }) => name));
  const meant = new Set([...used].flatMap((name) => (known.names.has(name) ? [] : meantInput(name, known))));
  return spec.inputs
    .filter(({ name, isChatHistory }) => !used.has(name) && !meant.has(name) && !isChatHistory)
    .map(({ name }) => ({
      severity: 'warning',
      code: 'FLOW_INPUT_UNUSED',
      message: `nothing uses the input "${name}" of the flow`,
      span: spec.locate(['inputs', name], 'key'),
      help: `read it as \${inputs.${name}}, or remove it`,
    }));
}

/** The input that an unknown one was meant to be: a near name, or the one whose property is asked for. */
function meantInput(name: string, known: NameSearch): readonly string[] {
  const whole = name.split(/[.[]/)[0] ?? name;
  return known.names.has(whole) ? [whole] : [known.nearest(name) ?? []].flat();
}

function usedInputs(spec: FlowSpec, nodes: readonly CheckedNode[]): ReadonlySet<string> {
  const written = [
    ...nodes.map((node) => node.spec.activate?.when),
    ...spec.outputs.map(({ reference }) => reference),
  ].map(parseReference);
  const direct = written.flatMap((reference) => (reference?.kind === 'flow-input' ? [reference.input] : []));
  const bound = nodes.flatMap((node) =>
    Object.values(node.definition.inputs).flatMap((input) => (input.kind === 'flow-input' ? [input.input] : [])),
  );
  return new Set([...direct, ...bound]);
}
