import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue, Tool } from '@unroll/engine';
import { actStep, beginOrchestration, createAgent, parseStep, startTurn } from '@unroll/nodes/bedrock';
import { createLambdaTool } from '@unroll/nodes/lambda';
import { startLambdaServer } from '@unroll/nodes/testing';
import { type ApiAnswer, documentAction, finishToken, nextState, startEpisode } from '@unroll/nodes/toolgen';
import { describe, expect, test } from 'vitest';
import { readOptions } from '../packages/nodes/src/agent/agent-options.ts';
import { runTurn } from '../packages/nodes/src/agent/run-turn.ts';

const signal = new AbortController().signal;

/** Whether the model goes on, with the error among what it is shown, or the row ends. */
type Outcome = 'told' | 'fails';

/** What becomes of an error by itself, and with the option that the page names. */
interface Policy {
  readonly usual: () => Promise<Outcome>;
  readonly chosen?: () => Promise<Outcome>;
}

const wrong = {
  unreadable: 'what the model wrote cannot be read, or does not fit',
  unknown: 'a tool that does not exist',
  failed: 'a tool failed',
  fixable: 'a tool says that the model can correct it (HTTP 4xx, MCP `isError`, `REPROMPT`)',
  raised: 'a user program raised',
} as const;

const failure = { ok: false, error: { code: 'E', message: 'it is down', retryable: false } } as const;
const feedBack = { on_tool_error: 'feed_back' };

const systems: Readonly<Record<string, Readonly<Record<string, Policy>>>> = {
  'an agent node': {
    [wrong.unreadable]: {
      usual: () => agentOutcome({ given: '{' }),
      chosen: () => agentOutcome({ given: '{', settings: { handle_parsing_errors: true } }),
    },
    [wrong.unknown]: { usual: () => agentOutcome({ name: 'nope' }) },
    [wrong.failed]: {
      usual: () => agentOutcome({ call: async () => ({ ...failure, toModel: false }) }),
      chosen: () => agentOutcome({ call: async () => ({ ...failure, toModel: false }), settings: feedBack }),
    },
    [wrong.fixable]: { usual: () => agentOutcome({ call: async () => ({ ...failure, toModel: true }) }) },
    [wrong.raised]: {
      usual: () => programOutcome(true, {}),
      chosen: async () => {
        const outcomes = [await programOutcome(true, feedBack), await programOutcome(false, {})];
        return outcomes.every((outcome) => outcome === 'told') ? 'told' : 'fails';
      },
    },
  },
  'the Bedrock chain': {
    [wrong.unreadable]: { usual: () => bedrockOutcome('g()') },
    [wrong.unknown]: { usual: () => bedrockOutcome('GET::g::nope()') },
    [wrong.failed]: { usual: () => bedrockOutcome('GET::g::run()', () => answered('FAILURE')) },
    [wrong.fixable]: { usual: () => bedrockOutcome('GET::g::run()', () => answered('REPROMPT')) },
    [wrong.raised]: {
      usual: () =>
        bedrockOutcome('GET::g::run()', () => {
          throw new Error('it is down');
        }),
    },
  },
  'the ToolGen agent': {
    [wrong.unreadable]: { usual: () => toolgenOutcome(finishToken, { type: 'timeout' }) },
    [wrong.unknown]: { usual: () => toolgenOutcome('<<nothing&&here>>', { type: 'timeout' }) },
    [wrong.failed]: { usual: () => toolgenOutcome('<<T&&A>>', { type: 'timeout' }) },
    [wrong.fixable]: { usual: () => toolgenOutcome('<<T&&A>>', { type: 'answer', status: 404, body: {} }) },
    [wrong.raised]: { usual: () => toolgenOutcome('<<T&&A>>', { type: 'answer', status: 500, body: undefined }) },
  },
};

interface AgentError {
  readonly name?: string;
  readonly given?: string;
  readonly settings?: JsonObject;
  readonly call?: Tool['call'];
}

async function agentOutcome({ name = 't', given = '{}', settings = {}, call }: AgentError): Promise<Outcome> {
  const tool: Tool = {
    name: 't',
    description: 'd',
    parameters: { type: 'object' },
    effects: 'reads',
    call: call ?? (async () => ({ ok: true, content: 'x' })),
  };
  const asked = [{ id: 'c1', type: 'function', function: { name, arguments: given } }];
  const message = { content: null, tool_calls: asked };
  const state = { query: 'q', steps: [], shown: [] };
  const turn = await runTurn(state, message, [tool], readOptions('a', settings), { signal });
  if (!turn.ok) return 'fails';
  expect(turn.state).toMatchObject({ finished: false, function_results: [{ error: expect.anything() }] });
  return 'told';
}

/** A user program that raises, called through the Invoke API. */
async function programOutcome(raises: boolean, settings: JsonObject): Promise<Outcome> {
  await using server = await startLambdaServer(() => ({
    status: 200,
    headers: { 'x-amz-function-error': 'Unhandled' },
    body: JSON.stringify({ errorType: 'E', errorMessage: 'it is down', trace: [] }),
  }));
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'example' };
  const target = { functionName: 'f', region: 'us-east-1', endpoint: server.endpoint, credentials };
  const program = createLambdaTool({ name: 't', target, raiseFunctionProcessingError: raises }, () => {});
  const result = await program.call({}, signal);
  if (result.ok) {
    expect(result.text).toBe('it is down');
    return 'told';
  }
  return await agentOutcome({ call: async () => result, settings });
}

function answered(responseState: string): JsonValue {
  const functionResponse = { responseState, responseBody: { TEXT: { body: 'it is down' } } };
  return { messageVersion: '1.0', response: { actionGroup: 'g', function: 'run', functionResponse } };
}

async function bedrockOutcome(call: string, g: () => JsonValue = () => null): Promise<Outcome> {
  const groups = { name: 'a', action_groups: [{ name: 'g', functions: [{ name: 'run' }] }] };
  const agent = createAgent(groups, () => '', {});
  const turn = startTurn(agent)({ question: 'q', session: {} });
  const state = beginOrchestration(agent)({ turn, completion: '' });
  const action = parseStep(agent)({ state, completion: `<function_call>${call}</function_call>` });
  try {
    const next = await actStep(agent, { actions: { g } })({ state, action }, { signal });
    expect(next).toMatchObject({ finished: false, observation: { type: 'REPROMPT' } });
    return 'told';
  } catch (error) {
    expect((error as Error).name).toBe('DependencyFailed');
    return 'fails';
  }
}

const parameters = { type: 'object', properties: {} };
const catalogued = { name: 'a_for_t', category: 'C', group: 'T', own: 'A', description: 'd', parameters };

async function toolgenOutcome(action: string, answer: ApiAnswer): Promise<Outcome> {
  const document = documentAction(action, (token) => (token === '<<T&&A>>' ? catalogued : undefined));
  const state = startEpisode({ query: 'q', found: [], maxNodes: 16 });
  const next = await nextState(state, { thought: '', document, arguments: '{', answer });
  expect(next).toMatchObject({ finished: false, hallucinated_actions: action === '<<nothing&&here>>' ? 1 : 0 });
  expect(next.messages.at(-1)?.content).toMatch(/error/);
  return 'told';
}

/** The second table of docs/guide/stop-reasons.md: by system and by what went wrong, what is written there. */
function written(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const page = readFileSync(new URL('../docs/guide/stop-reasons.md', import.meta.url), 'utf8');
  const [table = ''] = page.split('\n\n').filter((part) => part.startsWith('| what went wrong'));
  const [head = [], , ...rows] = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return new Map(
    head.slice(1).map((system, at) => [system, new Map(rows.map((row) => [row[0] ?? '', row[at + 1] ?? '']))]),
  );
}

describe.for(Object.entries(systems))('an error in %s', ([system, policies]) => {
  test.for(Object.entries(policies))('%s', async ([what, { usual, chosen }]) => {
    const cell = written().get(system)?.get(what) ?? '';
    const isOption = cell.startsWith('`');
    expect(chosen !== undefined, `the page names an option: ${cell}`).toBe(isOption);
    expect(await usual()).toBe(cell.startsWith('told') ? 'told' : 'fails');
    if (chosen !== undefined) expect(await chosen()).toBe('told');
  });
});

test('every error of the page is made here, but that of a model call, which is made again', () => {
  const rows = [...(written().get('an agent node')?.keys() ?? [])];
  expect(rows).toEqual([...Object.values(wrong), 'a model call failed']);
});
