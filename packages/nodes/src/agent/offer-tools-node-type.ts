import {
  isMapping,
  type JsonObject,
  type JsonValue,
  type NodeDefinition,
  type NodeInspection,
  type NodeOutcome,
  type NodeType,
  type PrepareContext,
  type PreparedNode,
  type Tool,
  textOrJson,
} from '@unroll/engine';
import { besideBegin, noteBegin } from './agent-clock.ts';
import { type AgentFormat, type AgentOptions, readOptions } from './agent-options.ts';
import { type AgentStep, type OpenState, readState, writtenState } from './agent-state.ts';
import { openOnce, readOnce } from './open-once.ts';
import { toolList } from './react-text.ts';
import { resultMessage } from './scratchpad.ts';

/**
 * The node type `offer_tools`: what an agent begins with. Takes the user's `query`, and `resume` where the caller goes on
 * after control was returned to it: `{control, results: [{id, content}]}`. Gives the first `state`, and `tools` as the
 * model is told of them; for `react` as the texts `tool_list` and `tool_names`.
 */
export const offerToolsNodeType: NodeType = {
  name: 'offer_tools',
  version: 1,
  effects: 'reads',
  keys: ['agent', 'tools', 'format', 'max_time'],
  inspect: (node, files): NodeInspection => {
    const { table, diagnostics } = readOnce(node, files);
    return {
      diagnostics,
      parameters: [
        { name: 'query', required: false },
        { name: 'resume', required: false },
      ],
      takesAnyInput: false,
      outputType: 'object',
      files: table.files,
    };
  },
  prepare: prepareOffer,
};

async function prepareOffer(node: NodeDefinition, context: PrepareContext): Promise<PreparedNode> {
  const table = await openOnce(node, context);
  const options = readOptions(node.name, node.settings);
  const offered = offer(table.tools, options.format);
  return {
    parametersWithDefault: new Set(['query', 'resume']),
    parts: async () => ({ ...(await table.parts()), format: options.format }),
    run: ({ query = null, resume = null }, call): NodeOutcome => {
      noteBegin(call, options.agent);
      const state = isMapping(resume) && Object.keys(resume).length > 0 ? resumed(resume, options) : freshState(query);
      if ('error' in state) return { ok: false, error: { ...state.error, retryable: false } };
      const report = table.warnings.length === 0 ? {} : { report: { warnings: table.warnings } };
      const output = { state: writtenState(state, options.format), ...offered };
      return { ok: true, output, beside: besideBegin(options.agent), ...report };
    },
  };
}

function freshState(query: JsonValue): OpenState {
  return { query, steps: [], shown: [] };
}

function offer(tools: readonly Tool[], format: AgentFormat): JsonObject {
  if (format === 'react') {
    return { tools: [], tool_list: toolList(tools), tool_names: tools.map(({ name }) => name).join(', ') };
  }
  const functions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return { tools: format === 'functions' ? functions : functions.map((one) => ({ type: 'function', function: one })) };
}

/** The state control was returned with, and what the caller did. Every call that was handed out needs its result. */
function resumed(
  { control = null, results = null }: JsonObject,
  { format }: AgentOptions,
): OpenState | { readonly error: { readonly code: string; readonly message: string } } {
  const refuse = (message: string) => ({ error: { code: 'ResumeInvalid', message } });
  const state = isMapping(control) ? readState(control['state'] ?? null) : undefined;
  const calls =
    isMapping(control) && Array.isArray(control['calls']) ? (control['calls'] as readonly JsonObject[]) : undefined;
  if (state === undefined || calls === undefined || !Array.isArray(results)) {
    return refuse('resume must be {control, results}, with the control that the agent returned');
  }
  const given = results as readonly JsonValue[];
  const answers = calls.map(({ id }, index) => {
    // A model may have given several calls one id.
    const before = calls.slice(0, index).filter((other) => other['id'] === id).length;
    return given.filter((one) => idOf(one) === id)[before] ?? unnamed(given[index]);
  });
  const missing = calls.find((_call, index) => !isMapping(answers[index]));
  if (missing !== undefined) return refuse(`resume has no result for the call of "${missing['name']}"`);
  const steps = calls.map((call, index): AgentStep => {
    const content = (answers[index] as JsonObject)['content'] ?? null;
    return { ...(call as unknown as AgentStep), content: [content] };
  });
  const answered = steps.map(({ id, name, content: [content] }) => ({
    ...(id === undefined ? {} : { id }),
    name,
    text: textOrJson(content),
  }));
  const messages = answered.map((one) => resultMessage(one, format));
  return { query: state.query, steps: [...state.steps, ...steps], shown: [...state.shown, ...messages] };
}

function idOf(result: JsonValue): JsonValue | undefined {
  return isMapping(result) ? (result['id'] ?? undefined) : undefined;
}

/** A result is that of the call in its place where it does not say of which call it is. */
function unnamed(result: JsonValue | undefined): JsonValue | undefined {
  return result === undefined || idOf(result) !== undefined ? undefined : result;
}
