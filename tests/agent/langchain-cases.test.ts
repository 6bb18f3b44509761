import { readFileSync } from 'node:fs';
import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type AgentCase, type CaseRun, type CaseStep, runAgentCase } from './agent-case.ts';

/** What Python's AgentExecutor did, as record-langchain-cases.py saw it. */
const cases = readFileSync(new URL('langchain-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseJson(line) as unknown as AgentCase);

/** Where we do otherwise on purpose: docs/guide/agents.md, "After LangChain's AgentExecutor". */
const otherwise: Readonly<Record<string, JsonObject>> = {
  // A JSON Schema is not looked at there: "two" * 3 is "twotwotwo".
  lp25: { code: 'UNFIT_ARGUMENTS' },
  // The function there fails for want of its argument; here it is not called.
  lp26: { code: 'UNFIT_ARGUMENTS', isNotCalled: true },
};

test.for(cases)('$id: $why', async (one) => {
  const { chat_history: history = [], ...input } = one.input;
  const messages = (history as readonly (readonly [string, string])[]).map(([role, content]) => ({
    role: role === 'human' ? 'user' : 'assistant',
    content,
  }));
  const given = { ...one, input: messages.length === 0 ? input : { ...input, chat_history: messages } };
  const run = await runAgentCase(given, {
    unknown_tool: '{name} is not a valid tool, try one of [{tools}].',
    match_names: 'exact',
  });
  const expected = otherwise[one.id];
  if (expected !== undefined) return checkOtherwise(run, expected);
  expect(run.requests.map((body) => shownTo(body, one.agent))).toEqual(
    one.expected.model_inputs.map((told) => toldIn(told, one.agent)),
  );
  expect(sorted(run.invocations)).toEqual(sorted(one.expected.tool_invocations));
  if (one.expected.outcome === 'error') checkFailure(run, one);
  else checkFinish(run, one);
});

function checkOtherwise({ row, invocations }: CaseRun, { code, isNotCalled }: JsonObject): void {
  expect(row).toMatchObject({ status: 'Failed', error: { code } });
  if (isNotCalled === true) expect(invocations).toEqual([]);
}

function checkFailure({ row, nodes }: CaseRun, { expected }: AgentCase): void {
  expect(row.status).toBe('Failed');
  const error = Object.values(nodes).find(({ status }) => status === 'Failed')?.error;
  const { name, message = '' } = expected.error ?? {};
  if (name === 'ValueError') expect(error?.code).toMatch(/^(MALFORMED_ARGUMENTS|UNREADABLE_ANSWER)$/);
  else expect(error?.message).toContain(message);
}

function checkFinish({ row }: CaseRun, { expected, config }: AgentCase): void {
  expect(row.error).toBeUndefined();
  const result = (row.outputs as JsonObject)['result'] as JsonObject;
  const isStopped = expected.stop_reason === 'max_iterations';
  // LangChain ends with an empty output as with any other (docs/deviations.md).
  const isBlank = String(expected.output).trim() === '';
  expect(result['status']).toBe(isStopped || isBlank ? 'unfinished' : 'answered');
  // The sentence is one for both kinds of agents here.
  expect(result['answer']).toBe(isStopped ? 'Agent stopped due to max iterations.' : expected.output);
  const steps = result['function_results'] as readonly JsonObject[] | undefined;
  if (config['return_intermediate_steps'] === false) expect(steps).toBeUndefined();
  else expect(steps?.map(stepOf)).toEqual(expected.intermediate_steps?.map(expectedStep));
}

function stepOf({ id = null, name, arguments: given, content }: JsonObject): JsonObject {
  const text = id === null && name !== '_Exception' ? ((given as JsonObject)['input'] ?? given) : given;
  const input = name === '_Exception' ? '' : (text as JsonValue);
  return {
    tool: name as JsonValue,
    tool_input: input,
    tool_call_id: id,
    observation: (content as readonly JsonValue[])[0] ?? null,
  };
}

/** Of a text that could not be read Python keeps the text as the input of the step, we the kind of mistake. */
function expectedStep({ tool, tool_input: input, tool_call_id: id, observation }: CaseStep): JsonObject {
  return { tool, tool_input: tool === '_Exception' ? '' : input, tool_call_id: id, observation };
}

/** What a model is shown: the messages; as text what follows the thought, as tools are described in other words. */
function shownTo(body: JsonObject, agent: AgentCase['agent']): JsonValue {
  if (agent === 'react') return scratchpadOf(String(body['prompt']));
  return (body['messages'] as readonly JsonObject[]).map(({ content, tool_calls: calls, ...rest }) => ({
    ...rest,
    content: content ?? '',
    ...(calls === undefined ? {} : { tool_calls: (calls as readonly JsonObject[]).map(callOf) }),
  }));
}

function toldIn(told: JsonValue, agent: AgentCase['agent']): JsonValue {
  const [first] = told as readonly JsonObject[];
  return agent === 'react' ? scratchpadOf(String(first?.['content'])) : told;
}

/**
 * Before an observation JavaScript's LangChain, which we follow, leaves a line empty; Python's does not, and puts a text that it
 * could not read between quotes, with an address.
 */
function scratchpadOf(prompt: string): string {
  return prompt
    .slice(prompt.indexOf('\nQuestion: '))
    .replaceAll('\n\nObservation: ', '\nObservation: ')
    .replaceAll(/output: `([^`]*)`\nFor troubleshooting, visit: \S+ /g, 'output: $1');
}

function callOf({ id, function: called }: JsonObject): JsonObject {
  const { name, arguments: given } = called as JsonObject;
  return { id: id ?? null, name: name ?? null, args: parseJson(String(given)) };
}

function sorted(all: readonly unknown[]): readonly string[] {
  return all.map((item) => JSON.stringify(item)).sort();
}
