import { allNodes } from '../flow/all-nodes.ts';
import { type ChosenModel, chosenModel, withChosen } from '../flow/chosen-model.ts';
import type { FlowSpec, LoopSpec, NodeSpec } from '../flow/flow-spec.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { DiagnosticDetails } from '../source/diagnostic-details.ts';
import { didYouMean } from '../source/nearest-name.ts';

/** For one run, another connection, deployment or model of a node: `ask.connection=mine`, `ask.deployment_name=gpt-4o`. */
export interface ConnectionOverride {
  readonly node: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Puts connections, deployments and models of this run in the place of the written ones. An llm node and a prompty take
 * `connection`, `deployment_name` and `model`; any other node those of its inputs that hold a text, so every one that may name a
 * connection. A family of a loop is overridden by its name.
 */
export function overrideConnections(
  spec: FlowSpec,
  overrides: readonly ConnectionOverride[],
): { readonly spec: FlowSpec; readonly diagnostics: readonly Diagnostic[] } {
  if (overrides.length === 0) return { spec, diagnostics: [] };
  const nodes = allNodes(spec);
  const diagnostics = overrides.flatMap((override) => {
    const named = nodes.filter(({ name }) => name === override.node);
    if (named.length === 0) return [unknownNode(override, nodes)];
    return named.some((node) => accepts(node, override.key)) ? [] : [unsupportedKey(override)];
  });
  const override = (node: NodeSpec): NodeSpec =>
    overrides
      .filter((wanted) => wanted.node === node.name && accepts(node, wanted.key))
      .reduce((overridden, { key, value }) => overrideOne(overridden, key, value), node);
  const overrideLoop = (loop: LoopSpec): LoopSpec => ({
    ...loop,
    nodes: loop.nodes.map(override),
    ...(loop.finalize === undefined ? {} : { finalize: override(loop.finalize) }),
  });
  return { spec: { ...spec, nodes: spec.nodes.map(override), loops: spec.loops.map(overrideLoop) }, diagnostics };
}

const modelKeys: readonly string[] = ['deployment_name', 'model'];

/** What overrides of a node that is a prompty choose. */
export function chosenBy(overrides: readonly ConnectionOverride[], node: string): ChosenModel {
  const own = overrides.filter((one) => one.node === node && isOfModel(one.key));
  return chosenModel(own.reduce((settings, { key, value }) => withChosen(settings, key, value), {}));
}

function isOfModel(key: string): boolean {
  return key === 'connection' || modelKeys.includes(key);
}

function accepts(node: NodeSpec, key: string): boolean {
  if (node.type === 'prompty') return isOfModel(key);
  if (modelKeys.includes(key)) return true;
  if (node.connection !== undefined) return key === 'connection';
  return typeof node.inputs[key] === 'string';
}

function overrideOne(node: NodeSpec, key: string, value: string): NodeSpec {
  if (node.type === 'prompty') {
    const settings = withChosen(node.settings, key, value);
    return key === 'connection' ? { ...node, connection: value, settings } : { ...node, settings };
  }
  if (key === 'connection' && node.connection !== undefined) return { ...node, connection: value };
  return { ...node, inputs: { ...node.inputs, [key]: value } };
}

function unknownNode({ node, key }: ConnectionOverride, nodes: readonly NodeSpec[]): Diagnostic {
  const names = nodes.map(({ name }) => name);
  return wrong(`"${node}.${key}" is to be overridden and there is no node "${node}"`, didYouMean(node, names), {
    kind: 'override-node',
    node,
  });
}

function unsupportedKey({ node, key }: ConnectionOverride): Diagnostic {
  return wrong(
    `"${key}" of node "${node}" cannot be overridden`,
    'an llm node and a prompty take connection, deployment_name and model; a python node its inputs that name a connection',
    { kind: 'override-key', node, key },
  );
}

function wrong(message: string, help: string | undefined, details: DiagnosticDetails): Diagnostic {
  return {
    severity: 'error',
    code: 'FLOW_OVERRIDE',
    message,
    help,
    details,
  };
}
