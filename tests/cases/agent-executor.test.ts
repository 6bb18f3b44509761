import type { JsonObject, JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type AgentCase, type CaseRun, type CaseStep, runAgentCase } from '../agent/agent-case.ts';
import { readCases } from './case-file.ts';

const cases = readCases<AgentCase>('s3_agent_executor.jsonl');

test.for(cases.filter(({ quirk }) => quirk === undefined))('$id: $why', async (one) => {
  const run = await runAgentCase(one);
  checkCalls(run, one);
  if (one.expected.outcome === 'error') checkFailure(run, one);
  else checkFinish(run, one);
});

/** What LangChain does there is not copied; what we do instead stands in docs/guide/agents.md. */
test.for(cases.filter(({ quirk }) => quirk !== undefined))('not copied: $id: $quirk', async (one) => {
  await documented(one);
});

async function documented(one: AgentCase): Promise<void> {
  if (one.tools.some(({ behaviour }) => behaviour['type'] === 'throw')) return await checkThrownTool(one);
  if (one.script.some((said) => said['raw_tool_calls'] !== undefined)) return await checkMalformed(one);
  if (one.config['early_stopping_method'] === 'generate') return await checkGenerate(one);
  const run = await runAgentCase(one);
  expect(run.row.status).toBe('Completed');
  expect(run.requests.length).toBeLessThanOrEqual(one.script.length);
}

/** A tool that raises fails the row, or tells the model what it raised: never an empty observation. */
async function checkThrownTool(one: AgentCase): Promise<void> {
  const { behaviour } = one.tools.find((tool) => tool.behaviour['type'] === 'throw') as { behaviour: JsonObject };
  const failed = await runAgentCase(one);
  expect(failed.row).toMatchObject({
    status: 'Failed',
    error: { message: expect.stringContaining(String(behaviour['message'])) },
  });
  expect(failed.requests).toHaveLength(1);
  const told = await runAgentCase(one, { on_tool_error: 'feed_back' });
  const { stream = [], intermediate_steps: expected = stream.filter(isTurn).flatMap(stepsIn) } = one.expected;
  // Of calls made at once, the others are answered as they are there.
  const seen = stepsOf(told).map(({ tool, observation }) => ({ tool, observation }));
  const thrown = new Set(one.tools.filter(({ behaviour: own }) => own['type'] === 'throw').map(({ name }) => name));
  expect(seen).toEqual(
    expected.map(({ tool, observation }) => ({
      tool,
      observation: thrown.has(tool) ? `Error: ${messageOf(one, tool)}` : observation,
    })),
  );
  expect(resultOf(told)).toMatchObject({ status: 'answered', answer: one.expected.output });
  expect(JSON.stringify(told.requests[1])).toContain(`Error: ${behaviour['message']}`);
}

function messageOf({ tools }: AgentCase, tool: string): string {
  return String(tools.find(({ name }) => name === tool)?.behaviour['message']);
}

/** Arguments that are no JSON are told to the model as the result of that call. */
async function checkMalformed(one: AgentCase): Promise<void> {
  const run = await runAgentCase(one);
  const [said] = one.script;
  const [call] = (said?.['raw_tool_calls'] ?? []) as readonly JsonObject[];
  const written = call?.['function'] as JsonObject;
  const handle = one.config['handle_parsing_errors'];
  const text = typeof handle === 'string' ? handle : 'Invalid or incomplete response';
  expect(stepsOf(run)[0]).toMatchObject({ tool: written['name'], tool_input: written['arguments'], observation: text });
  const messages = (run.requests[1]?.['messages'] ?? []) as readonly JsonObject[];
  expect(messages.slice(-2)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: call?.['id'], function: written }] },
    { role: 'tool', tool_call_id: call?.['id'], content: text },
  ]);
  expect(run.requests).toHaveLength(one.expected.model_calls);
  expect(resultOf(run)['answer']).toEqual(one.expected.output);
}

/** `generate` asks the model once more, without tools, and says that the agent did not finish. */
async function checkGenerate(one: AgentCase): Promise<void> {
  const bound = Number(one.config['max_iterations']);
  const script = [...one.script.slice(0, bound), { content: 'what is known so far' }];
  const run = await runAgentCase({ ...one, script });
  expect(run.requests).toHaveLength(bound + 1);
  expect(run.requests.at(-1)?.['tools']).toBeUndefined();
  expect(resultOf(run)).toMatchObject({ status: 'unfinished', answer: 'what is known so far', finalized: true });
}

function checkCalls({ requests, invocations }: CaseRun, { expected, agent }: AgentCase): void {
  expect(requests.map(agent === 'react' ? ({ prompt }) => prompt : messagesOf)).toEqual(expected.model_inputs);
  expect(requests).toHaveLength(expected.model_calls);
  const sorted = (all: readonly unknown[]) => all.map((item) => JSON.stringify(item)).sort();
  expect(sorted(invocations)).toEqual(sorted(expected.tool_invocations));
}

const statuses: Readonly<Record<string, string>> = { agent_finish: 'answered', max_iterations: 'unfinished' };

function checkFinish(run: CaseRun, { expected }: AgentCase): void {
  const result = resultOf(run);
  expect(result['answer']).toEqual(expected.output);
  // LangChain ends with an empty output as with any other (docs/deviations.md).
  expect(result['status']).toBe(String(expected.output).trim() === '' ? 'unfinished' : statuses[expected.stop_reason]);
  const isReturned = expected.result_keys?.includes('intermediateSteps') ?? true;
  expect('function_results' in result).toBe(isReturned);
  const steps = expected.intermediate_steps ?? expected.stream?.filter(isTurn).flatMap(stepsIn) ?? [];
  if (isReturned) expect(stepsOf(run)).toEqual(steps.map(plainStep));
}

function isTurn({ output }: { readonly output?: JsonValue }): boolean {
  return output === undefined;
}

function stepsIn({ intermediate_steps: steps = [] }: { readonly intermediate_steps?: readonly CaseStep[] }) {
  return steps;
}

/** Classes of the other system's errors, by ours. */
const errorCodes: Readonly<Record<string, readonly string[]>> = {
  ToolInputParsingException: ['UNFIT_ARGUMENTS'],
  OutputParserException: ['MALFORMED_ARGUMENTS', 'UNREADABLE_ANSWER'],
};

function checkFailure({ row, nodes }: CaseRun, { expected }: AgentCase): void {
  expect(row.status).toBe('Failed');
  const codes = errorCodes[expected.error?.name ?? ''];
  const failed = Object.values(nodes).find(({ status }) => status === 'Failed');
  if (codes === undefined) expect(failed?.error?.message).toContain(expected.error?.message);
  else expect(codes).toContain(failed?.error?.code);
}

function resultOf({ row }: CaseRun): JsonObject {
  expect(row.error).toBeUndefined();
  return (row.outputs as JsonObject)['result'] as JsonObject;
}

function stepsOf(run: CaseRun): readonly CaseStep[] {
  const results = resultOf(run)['function_results'] as readonly JsonObject[];
  return results.map(({ id = null, name, arguments: given, content }) => ({
    tool: String(name),
    tool_input:
      name !== '_Exception' && id === null && given !== null ? textInput(given as JsonValue) : (given as JsonValue),
    tool_call_id: id as string | null,
    observation: (content as readonly JsonValue[])[0] ?? null,
  }));
}

/** A tool of one text is called with the text in LangChain. */
function textInput(given: JsonValue): JsonValue {
  return typeof given === 'object' && given !== null && 'input' in given
    ? ((given as JsonObject)['input'] ?? null)
    : given;
}

function plainStep({ tool, tool_input, tool_call_id, observation }: CaseStep): CaseStep {
  return { tool, tool_input, tool_call_id, observation };
}

/** Messages in the form of the cases: no null content, arguments parsed. */
function messagesOf({ messages }: JsonObject): readonly JsonObject[] {
  return (messages as readonly JsonObject[]).map(({ content, tool_calls: calls, ...rest }) => ({
    ...rest,
    content: content ?? '',
    ...(calls === undefined ? {} : { tool_calls: (calls as readonly JsonObject[]).map(callOf) }),
  }));
}

function callOf({ id, function: called }: JsonObject): JsonObject {
  const { name, arguments: given } = called as JsonObject;
  return { id: id as JsonValue, name: name as JsonValue, args: JSON.parse(String(given)) as JsonValue };
}
