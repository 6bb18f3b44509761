import { allNodes } from '../flow/all-nodes.ts';
import { type ChosenModel, withChosen } from '../flow/chosen-model.ts';
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
 *
 * @param choosing names of the types whose nodes keep what is chosen apart (`choosesModel`)
 */
export function overrideConnections(
  spec: FlowSpec,
  overrides: readonly ConnectionOverride[],
  choosing: ReadonlySet<string>,
): { readonly spec: FlowSpec; readonly diagnostics: readonly Diagnostic[] } {
  if (overrides.length === 0) return { spec, diagnostics: [] };
  const nodes = allNodes(spec);
  const diagnostics = overrides.flatMap((override) => {
    const named = nodes.filter(({ name }) => name === override.node);
    if (named.length === 0) return [unknownNode(override, nodes)];
    return named.some((node) => accepts(node, override.key, choosing)) ? [] : [unsupportedKey(override)];
  });
  const override = (node: NodeSpec): NodeSpec =>
    overrides
      .filter((wanted) => wanted.node === node.name && accepts(node, wanted.key, choosing))
      .reduce((overridden, { key, value }) => overrideOne(overridden, key, value, choosing), node);
  const overrideLoop = (loop: LoopSpec): LoopSpec => ({
    ...loop,
    nodes: loop.nodes.map(override),
    ...(loop.finalize === undefined ? {} : { finalize: override(loop.finalize) }),
  });
  return { spec: { ...spec, nodes: spec.nodes.map(override), loops: spec.loops.map(overrideLoop) }, diagnostics };
}

const modelKeys: readonly string[] = ['deployment_name', 'model'];

/** What the overrides of a node choose where its type keeps that apart. */
export function chosenBy(overrides: readonly ConnectionOverride[], node: string): ChosenModel | undefined {
  const own = overrides.filter((one) => one.node === node && isOfModel(one.key));
  return own.reduce<ChosenModel | undefined>((chosen, { key, value }) => withChosen(chosen, key, value), undefined);
}

function isOfModel(key: string): boolean {
  return key === 'connection' || modelKeys.includes(key);
}

function accepts(node: NodeSpec, key: string, choosing: ReadonlySet<string>): boolean {
  if (choosing.has(node.type)) return isOfModel(key);
  if (modelKeys.includes(key)) return true;
  if (node.connection !== undefined) return key === 'connection';
  return typeof node.inputs[key] === 'string';
}

function overrideOne(node: NodeSpec, key: string, value: string, choosing: ReadonlySet<string>): NodeSpec {
  if (choosing.has(node.type)) {
    const chosen = withChosen(node.chosen, key, value);
    return key === 'connection' ? { ...node, connection: value, chosen } : { ...node, chosen };
  }
  if (key === 'connection' && node.connection !== undefined) return { ...node, connection: value };
  return { ...node, inputs: { ...node.inputs, [key]: value } };
}

function unknownNode({ node, key }: ConnectionOverride, nodes: readonly NodeSpec[]): Diagnostic {
  const names = nodes.map(({ name }) => name);
  const help = didYouMean(node, names) ?? `the nodes are ${names.join(', ')}`;
  const message = `"${node}.${key}" is to be overridden and there is no node "${node}"`;
  return wrong(message, help, { kind: 'override-node', node });
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
