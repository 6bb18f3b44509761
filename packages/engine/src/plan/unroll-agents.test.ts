// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { parseFlow } from '../flow/parse-flow.ts';
import { undefinedFields } from '../testing/undefined-fields.ts';
import type { JsonValue } from '../value/json.ts';
import { unrollAgents } from './unroll-agents.ts';
import { unrollLoops } from './unroll-loops.ts';

/** The nodes and the loop that an agent with these keys becomes, without where they were written. */
function unrolled(keys: string) {
  const text = `nodes:\n- {name: bot, type: agent, source: {type: code, path: a.jinja2}, ${keys}}\n- {name: other, type: python}\n`;
  const { spec } = parseFlow({ path: 'f.yaml', text }, { nodeTypes: ['agent', 'python'] });
  if (spec === undefined) throw new Error('bug: the flow of a test is a mapping');
  const { nodes, loops } = unrollAgents(spec).spec;
  expect(undefinedFields({ nodes, loops })).toEqual([]);
  expect(nodes.map(({ name }) => name)).toEqual(['bot_start', 'other']);
  const [loop] = loops;
  if (loop === undefined) throw new Error('bug: an agent is a loop');
  const [plan, act] = loop.nodes;
  return { start: nodes[0], loop, plan, act, finalize: loop.finalize };
}

test('an agent is a node that begins, and a loop of one that asks and one that calls', () => {
  const { start, loop, plan, act, finalize } = unrolled(
    'inputs: {question: "${inputs.q}", model: gpt, resume: "${inputs.r}"}',
  );
  expect(start).toMatchObject({
    type: 'offer_tools',
    inputs: { query: '${inputs.q}', resume: '${inputs.r}' },
    settings: {},
  });
  expect(loop).toMatchObject({
    ...{
      name: 'bot',
      times: 15,
      state: '${bot_start.output.state}',
      until: 'finished',
      onExhausted: 'unfinished',
      onError: 'fail',
    },
  });
  expect(Object.keys(loop).sort()).toEqual(
    ['name', 'times', 'state', 'until', 'onExhausted', 'onError', 'nodes', 'path'].sort(),
  );
  expect(plan).toMatchObject({
    name: 'bot_plan',
    type: 'llm',
    api: 'chat',
    source: { type: 'code', path: 'a.jinja2' },
    settings: { messages_from: 'scratchpad' },
  });
  expect(plan?.inputs).toEqual({
    question: '${inputs.q}',
    model: 'gpt',
    tools: '${bot_start.output.tools}',
    scratchpad: '${loop.state.scratchpad}',
  });
  expect(act).toMatchObject({
    name: 'bot_act',
    type: 'tools',
    inputs: { state: '${loop.state}', message: '${bot_plan.output}' },
  });
  expect(finalize).toBeUndefined();
});

test.for<[format: string, inputs: Readonly<Record<string, JsonValue>>, settings: Readonly<Record<string, JsonValue>>]>([
  [
    'functions',
    { functions: '${bot_start.output.tools}', scratchpad: '${loop.state.scratchpad}' },
    { messages_from: 'scratchpad' },
  ],
  [
    'react',
    {
      tool_list: '${bot_start.output.tool_list}',
      tool_names: '${bot_start.output.tool_names}',
      agent_scratchpad: '${loop.state.scratchpad}',
      stop: ['\nObservation:'],
    },
    {},
  ],
])('its model is given what the format %s needs', ([format, inputs, settings]) => {
  const { start, plan, act } = unrolled(`format: ${format}, tools: [], on_tool_error: fail`);
  expect(plan?.inputs).toEqual(inputs);
  expect(plan?.settings).toEqual(settings);
  expect(start?.settings).toEqual({ tools: [], format, agent: 'bot' });
  expect(act?.settings).toEqual({ tools: [], format, on_tool_error: 'fail', agent: 'bot' });
});

test('a stop of its own stays', () => {
  expect(unrolled('format: react, inputs: {stop: [x]}').plan?.inputs['stop']).toEqual(['x']);
});

test.for<[keys: string, times: number]>([
  ['max_iterations: 3', 3],
  ['max_iterations: 0', 0],
  ['max_iterations: 100', 100],
  ['max_iterations: 101', 15],
  ['max_iterations: -1', 15],
  ['max_iterations: "3"', 15],
])('%s is %d iterations', ([keys, times]) => {
  expect(unrolled(keys).loop.times).toBe(times);
});

test('limits are a budget of the loop', () => {
  expect(unrolled('budget: {tokens: 5, cost: 0.5}').loop.budget).toEqual({ tokens: 5, cost: 0.5 });
  expect(unrolled('max_time: 7').loop.budget).toEqual({ seconds: 7 });
  expect(unrolled('max_time: 7, budget: {tokens: 5, seconds: 9}').loop.budget).toEqual({ tokens: 5, seconds: 7 });
  expect(unrolled('return_intermediate_steps: false').loop.keepsResults).toBe(false);
  expect(unrolled('return_intermediate_steps: true').loop.keepsResults).toBeUndefined();
});

test('early_stopping: force gives a sentence, generate asks the model once more without tools', () => {
  const forced = unrolled('early_stopping: force, connection: mine, inputs: {model: gpt}');
  expect(forced.loop.onExhausted).toBe('finalize');
  expect(forced.finalize).toMatchObject({
    ...{
      name: 'bot_final',
      type: 'python',
      source: { type: 'package', tool: 'unroll.forced_answer' },
      inputs: {},
      settings: {},
    },
  });
  const asked = unrolled(
    'early_stopping: generate, connection: mine, inputs: {model: gpt, tool_choice: auto, function_call: auto}',
  );
  expect(asked.loop.onExhausted).toBe('finalize');
  expect(asked.finalize).toMatchObject({
    name: 'bot_final',
    type: 'llm',
    connection: 'mine',
    settings: { messages_from: 'scratchpad' },
  });
  expect(asked.finalize?.inputs).toEqual({ model: 'gpt', scratchpad: '${loop.state.scratchpad}' });
  const text = unrolled('early_stopping: generate, format: react, inputs: {model: gpt}');
  expect(text.finalize?.inputs).toEqual({
    model: 'gpt',
    tool_list: '',
    tool_names: '',
    agent_scratchpad: '${loop.state.scratchpad}',
  });
  expect(text.finalize?.settings).toEqual({});
  const behind = [forced, asked, text, unrolled('format: react')].map(({ loop }) => loop.answerBehind);
  expect(behind).toEqual([undefined, undefined, 'Final Answer:', undefined]);
  expect(unrolled('early_stopping: later').loop.onExhausted).toBe('unfinished');
});

test('what an llm node has, its model has; conditions are for the node that begins', () => {
  const { start, plan, act } = unrolled(
    'connection: mine, api: chat, provider: AzureOpenAI, timeout: 5, retry: {times: 2}, activate: {when: "${inputs.q}", is: x}, max_time: 3, comment: why',
  );
  expect(plan).toMatchObject({ connection: 'mine', api: 'chat' });
  expect([plan?.retry === undefined, plan?.timeout === undefined]).toEqual([false, false]);
  expect([act?.connection, act?.retry, act?.timeout]).toEqual([undefined, undefined, undefined]);
  expect(start?.activate).toMatchObject({ when: '${inputs.q}', is: 'x' });
  expect([plan?.activate, act?.activate]).toEqual([undefined, undefined]);
  expect(start?.settings['max_time']).toBe(3);
  expect(act?.settings).toEqual({ max_time: 3, agent: 'bot' });
});

test('a flow without agents stays as it is', () => {
  const { spec } = parseFlow(
    { path: 'f.yaml', text: 'nodes:\n- {name: a, type: python}\n' },
    { nodeTypes: ['python'] },
  );
  if (spec === undefined) return;
  expect(unrollAgents(spec).spec).toBe(spec);
});

test('what a caller resumes with goes to the agent of the first iteration of a loop, what the state holds to each', () => {
  const agent = (name: string, resume: string): string =>
    `{name: ${name}, type: agent, source: {type: code, path: a.jinja2}, inputs: {query: a, resume: "${resume}"}}`;
  const nodes = [agent('own', '${inputs.r}'), agent('each', '${loop.state.r}'), '{name: read, type: python}'].join(
    ', ',
  );
  const text = `loops:\n- {name: round, times: 2, state: "\${begin.output}", nodes: [${nodes}]}\nnodes:\n- {name: begin, type: python}\n`;
  const { spec } = parseFlow({ path: 'f.yaml', text }, { nodeTypes: ['agent', 'python'] });
  if (spec === undefined) throw new Error('bug: the flow of a test is a mapping');
  const starts = unrollAgents(unrollLoops(spec).spec).spec.nodes.filter(({ type }) => type === 'offer_tools');
  expect(Object.fromEntries(starts.map(({ name, inputs }) => [name, inputs['resume']]))).toEqual({
    own_1_start: '${inputs.r}',
    own_2_start: undefined,
    each_1_start: '${begin.output.r}',
    each_2_start: '${read_1.output.r}',
  });
});
