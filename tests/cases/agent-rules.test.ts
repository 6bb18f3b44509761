import type { JsonObject, JsonValue } from '@unroll/engine';
import { type AnsweredCall, lastSteps, readTurn, withTurn } from '@unroll/nodes/agent';
import { describe, expect, test } from 'vitest';
import { openAgentFlow, runAgentFlow } from '../agent/open-agent.ts';
import { readCases } from './case-file.ts';

const template = 'system:\nYou are a helpful assistant\n\nuser:\n{{ input }}\n';
const parameters = { type: 'object', properties: { step: { type: 'string' } } };
const echo = { name: 'echo', description: 'd', code: 'tools.ts', parameters };
const code = 'export const echo = ({ step }) => step;';
const call = (id: string, name: string, given: JsonObject) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
});
const asks = (...calls: readonly JsonObject[]) => ({ message: { content: null, tool_calls: calls } });
const says = (content: string) => ({ message: { content } });

interface StepCase {
  readonly id: string;
  readonly why?: string;
  readonly name?: string;
  readonly step: number;
  readonly input?: JsonObject;
  readonly required: JsonObject;
}

describe('the four steps of an agent', () => {
  test.for(readCases<StepCase>('s3_agent_steps.jsonl'))('$id: $name $why', async ({ step, input = {}, required }) => {
    if (step === 0) checkScratchpad(input, required);
    else if (step === 3) checkParsed(input, required);
    else await checkRequests(required);
  });
});

/** Steps taken so far, as messages. */
function checkScratchpad(input: JsonObject, required: JsonObject): void {
  const shown = turnsOf(input).reduce(
    (before, steps) => {
      const calls = steps.map(({ id, name, args }) => call(id, name, args));
      const told: readonly AnsweredCall[] = steps.map(({ id, name, text }) => ({ id, name, text }));
      return withTurn(before, { role: 'assistant', content: null, tool_calls: calls }, told, 'tools');
    },
    [] as readonly JsonValue[],
  ) as readonly JsonObject[];
  if (required['agent_scratchpad'] !== undefined) expect(shown.map(caseMessage)).toEqual(required['agent_scratchpad']);
  if (required['roles'] !== undefined) expect(shown.map(({ role }) => role)).toEqual(required['roles']);
  const ids = shown.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
  if (required['tool_call_ids'] !== undefined) expect(ids).toEqual(required['tool_call_ids']);
}

interface TakenStep {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly text: string;
}

/** The steps of each turn, as `[action, observation]`, as one mapping or as the id alone; a later call of a message has no log of it. */
function turnsOf({ parallel, intermediate_steps: steps }: JsonObject): readonly (readonly TakenStep[])[] {
  if (Array.isArray(parallel)) return [parallel.map((id) => takenStep(id as JsonValue, 0))];
  const turns: TakenStep[][] = [];
  for (const [at, one] of ((Array.isArray(steps) ? steps : []) as readonly JsonValue[]).entries()) {
    const isLater = actionOf(one)['message_log_len'] === 0;
    if (isLater) turns.at(-1)?.push(takenStep(one, at));
    else turns.push([takenStep(one, at)]);
  }
  return turns;
}

function actionOf(step: JsonValue): JsonObject {
  const [action] = Array.isArray(step) ? (step as readonly JsonValue[]) : [step];
  if (typeof action === 'string' || action === undefined) return { tool_call_id: action ?? null };
  const { action: inner, ...own } = action as JsonObject;
  return { ...own, ...(inner as JsonObject | undefined) };
}

function takenStep(step: JsonValue, at: number): TakenStep {
  const { tool_call_id: given, id: short, tool = 'echo', tool_input: args = {}, observation } = actionOf(step);
  const id = String(given ?? short ?? `c${at + 1}`);
  const text = (Array.isArray(step) ? (step[1] as JsonValue) : observation) ?? `result of ${id}`;
  return { id, name: String(tool), args: args as JsonObject, text: String(text) };
}

/** A message in the form of the cases: no null content, arguments parsed. */
function caseMessage({ content, tool_calls: calls, ...rest }: JsonObject): JsonObject {
  const written = (calls as readonly JsonObject[] | undefined)?.map(({ id, function: called }) => {
    const { name, arguments: given } = called as JsonObject;
    return { id: id ?? null, name: name ?? null, args: JSON.parse(String(given)) as JsonValue };
  });
  return { ...rest, content: content ?? '', ...(written === undefined ? {} : { tool_calls: written }) };
}

/** What a message of the model means; nothing is called yet. */
function checkParsed(input: JsonObject, required: JsonObject): void {
  const { content = '', tool_calls: calls, raw_tool_calls: raw } = input;
  const written = (calls as readonly JsonObject[] | undefined)?.map(({ id, name, args }) =>
    call(String(id), String(name), args as JsonObject),
  );
  const toolCalls = raw ?? written;
  const turn = readTurn({ content, ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }) }, 'tools', 1);
  const wanted = JSON.stringify(required);
  if (/error|exception/i.test(wanted)) {
    expect(turn.kind === 'calls' && turn.calls.some(({ problem }) => problem !== undefined)).toBe(true);
    return;
  }
  expect(turn.kind).toBe(/finish/i.test(wanted) ? 'answer' : 'calls');
  if (turn.kind === 'answer') expect(turn.content).toEqual(required['output'] ?? content);
  if (turn.kind !== 'calls' || calls === undefined) return;
  const read = turn.calls.map(({ id, name, arguments: args }) => ({ id, name, args }));
  expect(read).toEqual(calls);
}

/** What the model is sent with every plan. */
async function checkRequests(required: JsonObject): Promise<void> {
  const replies = [asks(call('c1', 'echo', { step: 's1' })), says('done')];
  const { requests } = await runAgentFlow({ agent: {}, template, tools: [echo], code }, replies, { input: 'x' });
  expect(requests).toHaveLength(2);
  for (const request of requests) {
    expect(request['tools']).toEqual([{ type: 'function', function: { name: 'echo', description: 'd', parameters } }]);
  }
  const roles = requests.map(({ messages }) => (messages as readonly JsonObject[]).map(({ role }) => role));
  expect(roles).toEqual([
    ['system', 'user'],
    ['system', 'user', 'assistant', 'tool'],
  ]);
  if (required['kwarg'] !== undefined) expect(requests[0]).toHaveProperty([String(required['kwarg'])]);
}

interface PythonCase {
  readonly id: string;
  readonly feature: string;
  readonly steps_before_plan?: readonly string[];
  readonly tool_ms?: number;
  readonly max_execution_ms?: number;
  readonly required: JsonObject;
}

describe("rules of LangChain's Python form", () => {
  test.for(readCases<PythonCase>('s3_python_only.jsonl'))('$id: $feature', async (one) => {
    const check = featureChecks.find(([beginning]) => one.feature.startsWith(beginning))?.[1];
    if (check === undefined) throw new Error(`nothing is known of the feature ${one.feature}`);
    await check(one);
  });
});

const featureChecks: readonly (readonly [beginning: string, check: (one: PythonCase) => Promise<void>])[] = [
  ['trim_intermediate_steps', checkTrim],
  ['max_execution_time', checkTime],
  ['max_iterations', checkBound],
  ['iterations and time', checkBothBounds],
  ['early_stopping_method=generate', checkGenerated],
  ['return_direct', checkReturnDirect],
];

async function checkTrim({ feature, steps_before_plan: before = [], required }: PythonCase): Promise<void> {
  const trim = Number(/=\s*(-?\d+)/.exec(feature)?.[1]);
  const returned = (required['returned_intermediate_steps'] ?? before) as readonly string[];
  const replies = [...returned.map((step, at) => asks(call(`c${at}`, 'echo', { step }))), says('done')];
  const agent = { trim_intermediate_steps: trim };
  const { requests, row } = await runAgentFlow({ agent, template, tools: [echo], code }, replies, { input: 'x' });
  const seen = ((requests[before.length]?.['messages'] ?? []) as readonly JsonObject[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
  expect(seen).toEqual(required['plan_sees']);
  const { function_results: steps } = (row.outputs as JsonObject)['result'] as JsonObject;
  expect((steps as readonly JsonObject[]).map(({ content }) => (content as readonly JsonValue[])[0])).toEqual(returned);
}

/** A case in which several plans fit into the time is stretched: its own few milliseconds are less than a model's answer takes. */
const stretch = 25;

async function checkTime({ required, ...given }: PythonCase): Promise<void> {
  const { tool_ms: caseToolMs = 500, max_execution_ms: caseMostMs = 100 } = given;
  const times = caseToolMs < caseMostMs ? stretch : 1;
  const [toolMs, maxMs] = [caseToolMs * times, caseMostMs * times];
  const plans = Number(required['plans'] ?? 1);
  const slow = `export const echo = () => new Promise((passed) => setTimeout(passed, ${toolMs}, 'late'));`;
  const calls = Array.from({ length: plans }, (_, at) => asks(call(`c${at}`, 'echo', { step: `s${at}` })));
  const replies = [...calls, says('never asked')];
  const agent = { max_time: maxMs / 1000 };
  const run = await runAgentFlow({ agent, template, tools: [echo], code: slow }, replies, { input: 'x' });
  expect(run.requests).toHaveLength(plans);
  const result = (run.row.outputs as JsonObject)['result'] as JsonObject;
  expect(result).toMatchObject({
    status: 'unfinished',
    answer: null,
    reason: expect.stringContaining('budget reached'),
  });
  if (required['elapsed_below_ms'] === undefined) return;
  expect(run.nodes['assistant_act_1']?.durationMs).toBeLessThan(Number(required['elapsed_below_ms']));
}

/** Goes on while there are iterations and time left: each bound ends it where the other would not. */
async function checkBothBounds({ required }: PythonCase): Promise<void> {
  expect(required['continue_if']).toBe(
    '(max_iterations is null or i < max_iterations) and (max_time is null or elapsed < max_time)',
  );
  const replies = Array.from({ length: 9 }, (_, at) => asks(call(`c${at}`, 'echo', { step: `s${at}` })));
  const slow = "export const echo = () => new Promise((passed) => setTimeout(passed, 500, 'late'));";
  const ended = async (agent: JsonObject, text: string): Promise<readonly [number, JsonObject]> => {
    const run = await runAgentFlow({ agent, template, tools: [echo], code: text }, replies, { input: 'x' });
    return [run.requests.length, (run.row.outputs as JsonObject)['result'] as JsonObject];
  };
  const byIterations = await ended({ max_iterations: 2, max_time: 60 }, code);
  expect(byIterations).toMatchObject([2, { status: 'unfinished', answer: null }]);
  expect(String(byIterations[1]['reason'] ?? '')).not.toContain('budget reached');
  const byTime = await ended({ max_iterations: 8, max_time: 0.1 }, slow);
  expect(byTime).toMatchObject([
    1,
    { status: 'unfinished', answer: null, reason: expect.stringContaining('budget reached') },
  ]);
}

/** An agent that is spoken to in text asks once more at its bound: what is said is the answer, parsed where it can be. */
async function checkGenerated({ required }: PythonCase): Promise<void> {
  const action = 'I need more.\nAction: echo\nAction Input: {"step": "s"}';
  const text = 'Question: {{ input }}\nThought:{{ agent_scratchpad }}';
  const agent = { max_iterations: 2, early_stopping: 'generate', format: 'react', api: 'completion' };
  for (const [last, answer] of [
    ['I now know.\nFinal Answer: 42', '42'],
    [action, action],
  ] as const) {
    const replies = [says(action), says(action), says(last)];
    const flow = { agent, template: text, tools: [echo], code, inputs: ['input'] };
    const run = await runAgentFlow(flow, replies, { input: 'x' });
    expect(run.requests).toHaveLength(2 + Number(required['extra_model_calls']));
    expect((run.row.outputs as JsonObject)['result']).toMatchObject({ status: 'unfinished', answer, finalized: true });
  }
}

async function checkBound({ feature, required }: PythonCase): Promise<void> {
  const bound = /=\s*(\d+)/.exec(feature)?.[1];
  if (bound !== undefined) {
    const replies = Array.from({ length: Number(bound) + 1 }, (_, at) =>
      asks(call(`c${at}`, 'echo', { step: `s${at}` })),
    );
    const flow = { agent: { max_iterations: Number(bound), early_stopping: 'force' }, template, tools: [echo], code };
    expect((await runAgentFlow(flow, replies, { input: 'x' })).requests).toHaveLength(Number(bound));
    return;
  }
  expect(required['unbounded']).toBe(true);
  expect(feature).toContain('null');
  const { opened, remove } = await openAgentFlow({ agent: { max_iterations: null }, template, tools: [echo], code });
  remove();
  expect(opened.flow).toBeUndefined();
  expect(opened.diagnostics.map((one) => one.code)).toContain('FLOW_LOOP_UNBOUNDED');
}

async function checkReturnDirect(): Promise<void> {
  const direct = { ...echo, return_direct: true };
  const flow = { agent: {}, template, tools: [direct], code };
  const one = await runAgentFlow(flow, [asks(call('c1', 'echo', { step: 's1' }))], { input: 'x' });
  expect((one.row.outputs as JsonObject)['result']).toMatchObject({ status: 'answered', answer: 's1' });
  expect(one.requests).toHaveLength(1);
  const two = [asks(call('c1', 'echo', { step: 's1' }), call('c2', 'echo', { step: 's2' })), says('both')];
  const both = await runAgentFlow(flow, two, { input: 'x' });
  expect((both.row.outputs as JsonObject)['result']).toMatchObject({ status: 'answered', answer: 'both' });
}

test('a turn that is cut through by trimming keeps the calls whose results are shown', () => {
  const said = { role: 'assistant', content: null, tool_calls: [call('c1', 'echo', {}), call('c2', 'echo', {})] };
  const told = ['c1', 'c2'].map((id) => ({ id, name: 'echo', text: id }));
  const shown = lastSteps(withTurn([], said, told, 'tools'), 1);
  expect(shown).toEqual([
    { ...said, tool_calls: [call('c2', 'echo', {})] },
    { role: 'tool', tool_call_id: 'c2', content: 'c2' },
  ]);
});
