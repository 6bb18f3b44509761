import { defaultIterations, toolCallKeys } from '../flow/agent-keys.ts';
import type { FlowSpec, LoopSpec, NodeSpec } from '../flow/flow-spec.ts';
import { readBudget } from '../flow/read-budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { checkAgents, isAgent } from './check-agents.ts';

/** Package tool that gives the sentence of an agent which had to stop. */
export const forcedAnswerTool = 'unroll.forced_answer';

/**
 * Writes every agent as a loop of ordinary nodes, so that no later pass knows that agents exist.
 *
 *     ask  =>  ask_start -> [ ask_plan -> ask_act ] times: max_iterations -> ask
 *
 * `ask_start` tells which tools there are and gives the first state, `ask_plan` asks the model, `ask_act` makes the calls
 * it asked for. The result keeps the agent's name.
 */
export function unrollAgents(spec: FlowSpec): { readonly spec: FlowSpec; readonly diagnostics: readonly Diagnostic[] } {
  const agents = spec.nodes.filter(isAgent);
  const diagnostics = checkAgents(spec);
  if (agents.length === 0) return { spec, diagnostics };
  const nodes = spec.nodes.map((node) => (isAgent(node) ? startNode(node) : node));
  return { spec: { ...spec, nodes, loops: [...spec.loops, ...agents.map(loopOf)] }, diagnostics };
}

const startName = ({ name }: NodeSpec): string => `${name}_start`;
const planName = ({ name }: NodeSpec): string => `${name}_plan`;

/** What an agent's nodes share, and what is no input of its model. */
const ownInputs = ['resume'];
const questionInputs = ['query', 'input', 'question'];

function startNode(agent: NodeSpec): NodeSpec {
  const { activate, inputs, settings } = agent;
  const question = questionInputs.find((name) => Object.hasOwn(inputs, name));
  const given = {
    ...(question === undefined ? {} : { query: inputs[question] ?? null }),
    ...Object.fromEntries(ownInputs.flatMap((name) => (isGiven(agent, name) ? [[name, inputs[name] ?? null]] : []))),
  };
  return {
    ...plain(agent),
    name: startName(agent),
    ...(agent.instance === undefined
      ? {}
      : { instance: { ...agent.instance, family: `${agent.instance.family}_start` } }),
    type: 'offer_tools',
    inputs: given,
    ...(activate === undefined ? {} : { activate }),
    settings: picked(settings, ['tools', 'format', 'max_time', 'comment'], agent.name),
  };
}

/** What the caller of the flow answers is for one turn: a later iteration of a loop around the agent would take it once more. */
function isGiven({ inputs, instance }: NodeSpec, name: string): boolean {
  const value = inputs[name];
  const isOfFlow = typeof value === 'string' && value.trim().startsWith('${inputs.');
  return value !== undefined && !(isOfFlow && (instance?.iteration ?? 1) > 1);
}

function loopOf(agent: NodeSpec): LoopSpec {
  const { name, settings, path } = agent;
  const { max_iterations: times, max_time: seconds, budget = null, early_stopping: stopping } = settings;
  const limits = readBudget({ ...(isMapping(budget) ? budget : {}), ...(seconds === undefined ? {} : { seconds }) });
  const finalize = finalizeNode(agent);
  return {
    name,
    times: typeof times === 'number' && times >= 0 && times <= 100 ? Math.floor(times) : defaultIterations,
    state: `\${${startName(agent)}.output.state}`,
    until: 'finished',
    onExhausted: stopping === 'force' || stopping === 'generate' ? 'finalize' : 'unfinished',
    onError: 'fail',
    nodes: [planNode(agent), actNode(agent)],
    ...(finalize === undefined ? {} : { finalize }),
    ...(stopping === 'generate' && settings['format'] === 'react' ? { answerBehind: 'Final Answer:' } : {}),
    ...(Object.keys(limits).length === 0 ? {} : { budget: limits }),
    ...(settings['return_intermediate_steps'] === false ? { keepsResults: false } : {}),
    ...(agent.instance === undefined ? {} : { outer: agent.instance }),
    path,
  };
}

function planNode(agent: NodeSpec): NodeSpec {
  const { format = 'tools' } = agent.settings;
  const start = startName(agent);
  const offered: JsonObject =
    format === 'react'
      ? {
          tool_list: `\${${start}.output.tool_list}`,
          tool_names: `\${${start}.output.tool_names}`,
          agent_scratchpad: '${loop.state.scratchpad}',
          ...(Object.hasOwn(agent.inputs, 'stop') ? {} : { stop: ['\nObservation:'] }),
        }
      : { [String(format)]: `\${${start}.output.tools}`, scratchpad: '${loop.state.scratchpad}' };
  return {
    ...modelNode(agent, format !== 'react'),
    name: planName(agent),
    inputs: { ...modelInputs(agent), ...offered },
  };
}

function actNode(agent: NodeSpec): NodeSpec {
  return {
    ...plain(agent),
    name: `${agent.name}_act`,
    type: 'tools',
    inputs: { state: '${loop.state}', message: `\${${planName(agent)}.output}` },
    settings: picked(agent.settings, [...toolCallKeys, 'cache'], agent.name),
  };
}

function finalizeNode(agent: NodeSpec): NodeSpec | undefined {
  const name = `${agent.name}_final`;
  const { early_stopping: stopping, format } = agent.settings;
  if (stopping === 'force') {
    const source = { type: 'package', tool: forcedAnswerTool } as const;
    return { ...plain(agent), name, type: 'python', source, inputs: {}, settings: {} };
  }
  if (stopping !== 'generate') return undefined;
  const isText = format === 'react';
  const steps = { [isText ? 'agent_scratchpad' : 'scratchpad']: '${loop.state.scratchpad}' };
  const toolTexts = isText ? { tool_list: '', tool_names: '' } : {};
  const { tool_choice: _choice, function_call: _call, ...inputs } = modelInputs(agent);
  return { ...modelNode(agent, !isText), name, inputs: { ...inputs, ...toolTexts, ...steps } };
}

function modelInputs({ inputs }: NodeSpec): JsonObject {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !ownInputs.includes(name)));
}

/** An llm node as the agent writes it; `appends` whether the steps so far follow the messages of its template. */
function modelNode(agent: NodeSpec, appends: boolean): Omit<NodeSpec, 'name'> {
  const { source, connection, api = 'chat', retry, timeout, settings } = agent;
  const kept = Object.entries(settings).filter(([key]) => modelKeys.includes(key));
  return {
    ...plain(agent),
    type: 'llm',
    ...(source === undefined ? {} : { source }),
    ...(connection === undefined ? {} : { connection }),
    api,
    ...(retry === undefined ? {} : { retry }),
    ...(timeout === undefined ? {} : { timeout }),
    inputs: {},
    settings: { ...Object.fromEntries(kept), ...(appends ? { messages_from: 'scratchpad' } : {}) },
  };
}

const modelKeys = ['provider', 'module', 'cache', 'enable_cache'];

function plain({ path }: NodeSpec): Pick<NodeSpec, 'aggregation' | 'useVariants' | 'path'> {
  return { aggregation: false, useVariants: false, path };
}

function picked(settings: JsonObject, keys: readonly string[], agent: string): Readonly<Record<string, JsonValue>> {
  const found = keys.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]]));
  return { agent, ...Object.fromEntries(found) };
}
