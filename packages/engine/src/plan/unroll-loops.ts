import type { FlowSpec, LoopSpec, NodeInstance, NodeSpec } from '../flow/flow-spec.ts';
import { type OutputPlace, outputPlace, outputReference, parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { checkLoops } from './check-loops.ts';
import { feedBackInputs, fromFeedBackForm } from './feed-back-form.ts';

export interface UnrolledFlow {
  readonly spec: FlowSpec;
  readonly diagnostics: readonly Diagnostic[];
}

/** Package tool of the node that ends a loop; `loopEnd` is what it does. */
const loopEndTool = 'unroll.loop_end';

/**
 * Lays every loop out as plain nodes, so that no later pass, and no runner, knows that loops exist.
 *
 *     state -> [ agent -> function ] times: 2   =>   state -> agent_1 -> function_1 -> agent_2 -> function_2 -> <loop>
 *
 * The nodes of a group, but for its last, are guarded by the state they are given, or by a node that is: once the state has
 * ended the loop they are bypassed, and the last ones hand the state on to the node named after the loop.
 */
export function unrollLoops(spec: FlowSpec): UnrolledFlow {
  const restored = spec.nodes.map((node) => fromFeedBackForm(node, spec));
  const nodes = [...restored.map(({ node }) => node), ...spec.loops.flatMap(unrollLoop)];
  const diagnostics = [...checkLoops(spec), ...restored.flatMap((read) => read.diagnostics)];
  return { spec: { ...spec, nodes, loops: [] }, diagnostics };
}

/** What `${loop.…}` and the names of the group mean at one place of the unrolled flow. */
interface Scope {
  readonly loop: LoopSpec;
  readonly iteration: number;
  /** Where the state comes from; undefined where the author's `state` is no output of a node. */
  readonly state: OutputPlace | undefined;
}

function unrollLoop(loop: LoopSpec): readonly NodeSpec[] {
  const iterations = Array.from({ length: loop.times }, (_, index) => index + 1);
  const last = loop.nodes.at(-1);
  const stateBefore = (iteration: number): OutputPlace | undefined =>
    iteration === 1 || last === undefined
      ? outputPlace(loop.state)
      : { node: instanceName(last.name, iteration - 1), property: '' };
  const pairs = iterations.flatMap((iteration) => {
    const scope = { loop, iteration, state: stateBefore(iteration) };
    return loop.nodes.map((node) => instanceOf(node, scope, node === last));
  });
  const end: Scope = { loop, iteration: loop.times, state: stateBefore(loop.times + 1) };
  return [...pairs, ...finalizeNodes(end), endNode(end)];
}

function instanceName(family: string, iteration: number): string {
  return `${family}_${iteration}`;
}

function instanceOf(node: NodeSpec, scope: Scope, isLast: boolean): NodeSpec {
  const { loop, iteration } = scope;
  const feedBack = isLast && loop.onError === 'feed_back' ? feedBackInputs(loop) : undefined;
  return {
    ...node,
    name: instanceName(node.name, iteration),
    inputs: substituteAll(node.inputs, scope),
    ...(isLast ? {} : (ownCondition(node, scope) ?? guard(scope))),
    instance: { loop: loop.name, family: node.name, iteration, ...outerOf(loop) },
    ...(feedBack === undefined ? {} : { feedBack }),
  };
}

/**
 * A condition on another node of the same iteration: once the loop has ended that one is bypassed, and so is who asks for
 * it, so that no guard is needed beside it.
 */
function ownCondition({ activate }: NodeSpec, scope: Scope): Pick<NodeSpec, 'activate'> | undefined {
  return activate === undefined ? undefined : { activate: { ...activate, when: substitute(activate.when, scope) } };
}

/** Runs only while the state has not ended the loop. */
function guard({ loop, state }: Scope): Pick<NodeSpec, 'activate'> {
  if (state === undefined) return {};
  const property = state.property === '' ? loop.until : `${state.property}.${loop.until}`;
  return { activate: { when: outputReference(state.node, property), is: false } };
}

function finalizeNodes(scope: Scope): readonly NodeSpec[] {
  const { loop } = scope;
  if (loop.finalize === undefined || loop.onExhausted !== 'finalize') return [];
  const { finalize } = loop;
  const instance = { loop: loop.name, family: finalize.name, iteration: 0, ...outerOf(loop) };
  return [{ ...finalize, inputs: substituteAll(finalize.inputs, scope), ...guard(scope), instance }];
}

function endNode(scope: Scope): NodeSpec {
  const { loop } = scope;
  const isFinalized = loop.onExhausted === 'finalize' && loop.finalize !== undefined;
  return {
    name: loop.name,
    type: 'python',
    source: { type: 'package', tool: loopEndTool },
    inputs: {
      state: stateReference(scope, ''),
      until: loop.until,
      on_exhausted: loop.onExhausted,
      loop: loop.name,
      ...(loop.budget === undefined ? {} : { budget: { ...loop.budget } }),
      ...(isFinalized ? { final: outputReference(loop.finalize.name) } : {}),
      ...(isFinalized && loop.answerBehind !== undefined ? { answer_behind: loop.answerBehind } : {}),
      ...(loop.keepsResults === false ? { keeps_results: false } : {}),
    },
    aggregation: false,
    useVariants: false,
    settings: {},
    path: loop.path,
    instance:
      loop.outer === undefined
        ? { loop: loop.name, family: loop.name, iteration: 0 }
        : { ...loop.outer, ends: loop.name },
  };
}

function outerOf({ outer }: LoopSpec): Pick<NodeInstance, 'outer'> {
  return outer === undefined ? {} : { outer: { loop: outer.loop, iteration: outer.iteration } };
}

function substituteAll(inputs: JsonObject, scope: Scope): JsonObject {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, substitute(value, scope)]));
}

function substitute(value: JsonValue, scope: Scope): JsonValue {
  const reference = parseReference(value);
  if (reference?.kind !== 'node') return value;
  const { node, section, property } = reference;
  if (node === 'loop') {
    if (section === 'state') return stateReference(scope, property);
    return section === 'iteration' && property === '' ? scope.iteration : null;
  }
  if (!scope.loop.nodes.some((member) => member.name === node)) return value;
  const rest = property === '' ? section : `${section}.${property}`;
  return `\${${instanceName(node, scope.iteration)}.${rest}}`;
}

function stateReference({ state }: Scope, property: string): JsonValue {
  if (state === undefined) return null;
  return outputReference(state.node, [state.property, property].filter((part) => part !== '').join('.'));
}
