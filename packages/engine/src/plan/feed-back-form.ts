import type { FlowSpec, LoopSpec, NodeSpec } from '../flow/flow-spec.ts';
import { outputPlace, parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';

/** Package tool that calls the code of a node and feeds its error back; how an unrolled flow is written without `loops`. */
const feedBackTool = 'unroll.feed_back';

/** Inputs of the form that are none of the code's. */
export const feedBackFormInputs: readonly string[] = ['code', 'tool', 'state_input', 'message_input'];

/**
 * Which inputs of the last node of a loop hold state and message: the one bound to `${loop.state}` and the one bound to
 * the output of another node of the group. undefined where that is not one each.
 */
export function feedBackInputs({ nodes }: Pick<LoopSpec, 'nodes'>): NodeSpec['feedBack'] {
  const last = nodes.at(-1);
  const inputs = Object.entries(last?.inputs ?? {});
  const states = inputs.filter(([, value]) => isWholeState(value));
  const others = new Set(nodes.slice(0, -1).map(({ name }) => name));
  const messages = inputs.filter(([, value]) => {
    const place = outputPlace(value);
    return place !== undefined && place.property === '' && others.has(place.node);
  });
  const [state] = states;
  const [message] = messages;
  if (state === undefined || message === undefined || states.length + messages.length !== 2) return undefined;
  return { stateInput: state[0], messageInput: message[0] };
}

/** Whether a written value is `${loop.state}`. */
export function isWholeState(value: JsonValue): boolean {
  const reference = parseReference(value);
  return (
    reference?.kind === 'node' &&
    reference.node === 'loop' &&
    reference.section === 'state' &&
    reference.property === ''
  );
}

/** The node written as a call of the package tool; the node itself where nothing is fed back. */
export function toFeedBackForm(node: NodeSpec): NodeSpec {
  const { feedBack, source, inputs, ...rest } = node;
  if (feedBack === undefined) return node;
  return {
    ...rest,
    source: { type: 'package', tool: feedBackTool },
    inputs: {
      ...(source?.path === undefined ? {} : { code: source.path }),
      ...(source?.tool === undefined ? {} : { tool: source.tool }),
      state_input: feedBack.stateInput,
      message_input: feedBack.messageInput,
      ...inputs,
    },
  };
}

/** The node that a call of the package tool stands for; any other node as it is. */
export function fromFeedBackForm(
  node: NodeSpec,
  spec: FlowSpec,
): { readonly node: NodeSpec; readonly diagnostics: readonly Diagnostic[] } {
  if (node.source?.tool !== feedBackTool) return { node, diagnostics: [] };
  const { source: _form, inputs: written, ...rest } = node;
  const { code, tool, state_input: stateInput, message_input: messageInput, ...inputs } = written;
  const diagnostics = [
    ...inputNameDiagnostics('state_input', stateInput, inputs, node, spec),
    ...inputNameDiagnostics('message_input', messageInput, inputs, node, spec),
  ];
  const source = originalSource(code, tool);
  const restored = { ...rest, ...(source === undefined ? {} : { source }), inputs };
  if (typeof stateInput !== 'string' || typeof messageInput !== 'string') return { node: restored, diagnostics };
  return { node: { ...restored, feedBack: { stateInput, messageInput } }, diagnostics };
}

function originalSource(code: JsonValue | undefined, tool: JsonValue | undefined): NodeSpec['source'] {
  if (typeof code === 'string' && typeof tool === 'string') return { type: 'package_with_prompt', path: code, tool };
  if (typeof tool === 'string') return { type: 'package', tool };
  return typeof code === 'string' ? { type: 'code', path: code } : undefined;
}

function inputNameDiagnostics(
  key: string,
  name: JsonValue | undefined,
  inputs: JsonObject,
  node: NodeSpec,
  spec: FlowSpec,
): readonly Diagnostic[] {
  if (typeof name === 'string' && Object.hasOwn(inputs, name)) return [];
  const help = typeof name === 'string' ? didYouMean(name, Object.keys(inputs)) : undefined;
  return [
    {
      severity: 'error',
      code: 'FLOW_FEED_BACK',
      message:
        typeof name === 'string'
          ? `node "${node.name}" has no input "${name}"`
          : `node "${node.name}" lacks the input "${key}"`,
      span: spec.locate([...node.path, 'inputs', key]) ?? spec.locate([...node.path, 'name']),
      help: help ?? `${key} is the name of one of the other inputs`,
    },
  ];
}
