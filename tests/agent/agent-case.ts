import type { JsonObject, JsonValue } from '@unroll/engine';
import type { ServerReply } from '@unroll/nodes/testing';
import { type AgentFlowRun, runAgentFlow } from './open-agent.ts';

/** A scenario of `s3_agent_executor.jsonl`: what an agent is, what its model says, and what must become of it. */
export interface AgentCase {
  readonly id: string;
  readonly why: string;
  readonly agent: 'tool_calling' | 'react';
  readonly mode: 'invoke' | 'stream';
  readonly config: JsonObject;
  readonly tools: readonly CaseTool[];
  readonly input: JsonObject;
  readonly script: readonly JsonObject[];
  readonly expected: {
    readonly outcome: 'finish' | 'error';
    readonly output?: JsonValue;
    readonly result_keys?: readonly string[];
    readonly intermediate_steps?: readonly CaseStep[];
    readonly stream?: readonly { readonly intermediate_steps?: readonly CaseStep[]; readonly output?: JsonValue }[];
    readonly stop_reason: string;
    readonly model_calls: number;
    readonly tool_invocations: readonly CaseInvocation[];
    readonly model_inputs: readonly JsonValue[];
    readonly error?: { readonly name: string; readonly message: string };
  };
  readonly quirk?: string;
}

interface CaseTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject | null;
  readonly behaviour: JsonObject;
  readonly return_direct?: boolean;
}

export interface CaseStep {
  readonly tool: string;
  readonly tool_input: JsonValue;
  readonly tool_call_id: string | null;
  readonly observation: JsonValue;
}

export interface CaseInvocation {
  readonly tool: string;
  readonly input: JsonValue;
}

export interface CaseRun extends AgentFlowRun {
  /** Calls that reached the code of a tool, in the order they started. */
  readonly invocations: readonly CaseInvocation[];
}

/** Texts that LangChain's two ways of running an agent tell a model of a tool that is not there. */
const unknownTool = {
  invoke: '{name} is not a valid tool, try another one.',
  stream: '{name} is not a valid tool, try another available tool: {tools}',
};

const templates = {
  tool_calling: [
    'system:\nYou are a helpful assistant\n',
    '{% for item in chat_history %}{{ item.role }}:\n{{ item.content }}\n{% endfor %}\n',
    'user:\n{{ input }}\n',
  ].join(''),
  react: 'Tools:\n{{ tool_list }}\nNames: {{ tool_names }}\nQuestion: {{ input }}\nThought:{{ agent_scratchpad }}',
};

/** Runs a scenario, with further keys of the agent where a test asks for them. */
export async function runAgentCase(one: AgentCase, keys: JsonObject = {}): Promise<CaseRun> {
  const isText = one.agent === 'react';
  const invocations: CaseInvocation[] = [];
  const channel = `agent case ${one.id} ${Math.random()}`;
  const schemas = new Map(one.tools.map(({ name, schema }) => [name, schema]));
  Object.assign(globalThis, {
    [channel]: (tool: string, given: JsonObject) => {
      const input = schemas.get(tool) === null || schemas.get(tool) === undefined ? (given['input'] ?? given) : given;
      invocations.push({ tool, input });
    },
  });
  const run = await runAgentFlow(
    {
      agent: {
        early_stopping: 'force',
        unknown_tool: unknownTool[one.mode],
        match_names: one.mode === 'invoke' ? 'any_case' : 'exact',
        ...(isText ? { format: 'react', api: 'completion' } : {}),
        ...keysOf(one.config),
        ...keys,
      },
      template: templates[one.agent],
      tools: one.tools.map(toolEntry),
      code: one.tools.map((tool) => toolCode(tool, channel)).join('\n'),
      inputs: isText ? ['input'] : ['input', 'chat_history'],
    },
    one.script.map(replyOf),
    { ...(isText ? {} : { chat_history: [] }), ...one.input },
  );
  return { ...run, invocations };
}

/** The scenario's configuration as keys of an agent node. */
function keysOf(config: JsonObject): JsonObject {
  const { early_stopping_method: stopping, handle_tool_runtime_errors: toolErrors, ...rest } = config;
  return {
    ...rest,
    ...(stopping === undefined ? {} : { early_stopping: stopping }),
    ...(toolErrors === undefined ? {} : { on_tool_error: 'feed_back' }),
    ...(typeof toolErrors === 'string' ? { tool_error_text: toolErrors } : {}),
  };
}

function toolEntry({ name, description, schema, return_direct: returnDirect }: CaseTool): JsonObject {
  const text = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
  return {
    name,
    description: description ?? `${name} tool`,
    code: 'tools.ts',
    parameters: schema ?? text,
    ...(returnDirect === true ? { return_direct: true } : {}),
  };
}

function toolCode({ name, behaviour, schema }: CaseTool, channel: string): string {
  return `
const ${name}_steps = ${JSON.stringify(behaviour['type'] === 'sequence' ? behaviour['steps'] : [behaviour])};
let ${name}_count = 0;
export async function ${name}(given) {
  globalThis[${JSON.stringify(channel)}](${JSON.stringify(name)}, given);
  const step = ${name}_steps[Math.min(${name}_count++, ${name}_steps.length - 1)];
  if (step.delay_ms ?? step.ms) await new Promise((passed) => setTimeout(passed, step.delay_ms ?? step.ms));
  if (step.type === 'throw') throw new Error(step.message);
  if (step.type === 'product') return String(given.a * given.b);
  if (step.type === 'echo') return ${schema === null || schema === undefined ? 'given.input' : 'JSON.stringify(given)'};
  return step.type === 'json' ? JSON.stringify(step.value) : step.value;
}`;
}

function replyOf(said: JsonObject): ServerReply {
  const { content = null, tool_calls: calls, raw_tool_calls: raw, raise } = said;
  if (raise !== undefined) return { status: 400, error: { message: String(raise), type: 'invalid_request_error' } };
  const written = (calls as readonly JsonObject[] | undefined)?.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const toolCalls = raw ?? written;
  return { message: { content, ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }) } };
}
