import type { JsonObject, Tool } from '@unroll/engine';
import {
  actStep,
  beginOrchestration,
  createAgent,
  parseStep,
  startTurn,
  toolAction,
  withoutTags,
} from '@unroll/nodes/bedrock';
import { nextState, startEpisode, toolAnswers } from '@unroll/nodes/toolgen';
import { readOptions } from '../../packages/nodes/src/agent/agent-options.ts';
import { runTurn } from '../../packages/nodes/src/agent/run-turn.ts';

const signal = new AbortController().signal;

/** What a front end makes of one call of a tool: the next state, or the error that ends the turn. */
export interface FrontEnd {
  call(tools: readonly Tool[], tool: string): Promise<unknown>;
  /** A text of a tool as it stands in the state. */
  shown(text: string): readonly string[];
  /** Whether an error of a tool, not for the model to correct, ends the turn. */
  readonly endsOnError: boolean;
}

export const frontEnds: Readonly<Record<string, FrontEnd>> = {
  'tools as OpenAI takes them': {
    endsOnError: false,
    shown: (text) => [text],
    async call(tools, tool) {
      const message = {
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: tool, arguments: '{}' } }],
      };
      const open = { query: 'q', steps: [], shown: [] };
      return await runTurn(open, message, tools, readOptions('a', { on_tool_error: 'feed_back' }), { signal });
    },
  },
  'ReAct as text': {
    endsOnError: false,
    shown: (text) => [text],
    async call(tools, tool) {
      const open = { query: 'q', steps: [], shown: [] };
      const options = readOptions('a', { format: 'react', on_tool_error: 'feed_back' });
      return await runTurn(open, `look\nAction: ${tool}\nAction Input: {}`, tools, options, { signal });
    },
  },
  'the text protocol of Bedrock': {
    endsOnError: true,
    shown: (text) => [text, withoutTags(text)],
    async call(tools, tool) {
      const groups = [{ name: 'g', functions: [{ name: tool }] }];
      const agent = createAgent({ name: 'a', action_groups: groups }, () => '', {});
      const turn = startTurn(agent)({ question: 'q', session: {} });
      const state = beginOrchestration(agent)({ turn, completion: null });
      const action = parseStep(agent)({ state, completion: `<function_call>GET::g::${tool}()</function_call>` });
      return await actStep(agent, { actions: { g: toolAction(tools) } })({ state, action }, { signal });
    },
  },
  'action tokens of ToolGen': {
    endsOnError: false,
    shown: (text) => [JSON.stringify(text).slice(1, -1), text],
    async call(tools, tool) {
      const place = { category: 'c', tool: 't', api: tool };
      const action = `<<t&&${tool}>>`;
      const document = { action, known: true, name: tool, place, parameters: [], reply: '', arguments_format: null };
      const request = { category: 'c', tool_name: 't', api_name: tool, tool_input: '{}', strip: 'truncate' };
      const answer = await toolAnswers(tools)(request, { signal });
      const state = startEpisode({ query: 'q', found: [action] });
      return await nextState(state, { thought: '', document, arguments: '{}', answer });
    },
  },
};

/** A state as text, with what the tool said and its name taken out. */
export function withoutSaying(state: unknown, tool: string, saying: readonly string[]): string {
  const forms = saying.flatMap((text) => [JSON.stringify(text).slice(1, -1)]);
  const byLength = forms.toSorted((one, other) => other.length - one.length);
  const text = JSON.stringify(withoutErrors(state));
  return byLength
    .reduce((left, form) => left.replaceAll(form, '[SAID]'), text)
    .replaceAll(new RegExp(`\\b${tool}\\b`, 'g'), 'TOOL');
}

/** Of a step its own error is its own record; of a turn the warnings that tell of it; of ToolGen the code of the action. */
function withoutErrors(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutErrors);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value as JsonObject).filter(
    ([key]) => !['error', 'warnings', 'code', 'request_id'].includes(key),
  );
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutErrors(item)]));
}
