import { readFileSync } from 'node:fs';
import { type JsonObject, type JsonValue, loopEnd, loopStatuses, type Tool } from '@unroll/engine';
import {
  actStep,
  afterOrchestration,
  beginOrchestration,
  createAgent,
  parseStep,
  startTurn,
} from '@unroll/nodes/bedrock';
import { documentAction, finishToken, nextState, startEpisode } from '@unroll/nodes/toolgen';
import { describe, expect, test } from 'vitest';
import { readOptions } from '../packages/nodes/src/agent/agent-options.ts';
import { runTurn } from '../packages/nodes/src/agent/run-turn.ts';

const signal = new AbortController().signal;

function endOf(state: JsonValue): JsonObject {
  const end = loopEnd({ state, until: 'finished', loop: 'l' });
  if (!end.ok) throw new Error(end.error.message);
  return end.output as JsonObject;
}

/** What each system does to end so; the status it then has. */
const systems: Readonly<Record<string, Readonly<Record<string, () => Promise<JsonObject> | JsonObject>>>> = {
  'a loop': {
    'a finished state': () => endOf({ finished: true, content: 'x' }),
    'the bound': () => endOf({ finished: false, function_results: [] }),
    ...Object.fromEntries(
      loopStatuses.map((status) => [
        `a state of status ${status}`,
        () => endOf({ finished: true, status, content: 'x' }),
      ]),
    ),
  },
  'an agent node': {
    'an answer': () => agentEnd({ content: 'x' }),
    'a refusal of the API': () => agentEnd({ content: null, refusal: 'no' }),
    'a tool with return_direct': () => agentEnd(asks('direct')),
    'ends: asked_user': () => agentEnd(asks('asked_user')),
    'ends: gave_up': () => agentEnd(asks('gave_up')),
    'ends: refused': () => agentEnd(asks('refused')),
    return_control: () => agentEnd(asks('returned_control')),
    'the bound': () => agentEnd(asks('fine')),
    'a tool that fails': () => agentEnd(asks('broken')),
  },
  'the Bedrock chain': {
    answer: () => bedrockEnd('<answer>x</answer>'),
    askuser: () => bedrockEnd('<function_call>user::askuser(askuser="Which?")</function_call>'),
    'return of control': () => bedrockEnd('<function_call>GET::caller::go()</function_call>'),
    'category A': () => bedrockEnd('', '<category>A</category>'),
    'the bound': () => bedrockEnd('<function_call>GET::g::fine()</function_call>'),
    'a function that fails': () => bedrockEnd('<function_call>GET::g::broken()</function_call>'),
  },
  'the ToolGen agent': {
    'Finish with an answer': () => toolgenEnd('{"return_type": "give_answer", "final_answer": "x"}'),
    'Finish, given up': () => toolgenEnd('{"return_type": "give_up_and_restart"}'),
    'no node left': () => toolgenEnd('{}', 3),
  },
};

async function failing(run: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await run();
  } catch {
    return { status: 'failed', answer: null };
  }
}

function asks(name: string): JsonObject {
  return { content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: '{}' } }] };
}

const endings = ['asked_user', 'gave_up', 'refused', 'returned_control'] as const;
const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: 'd',
  parameters: { type: 'object' },
  effects: 'reads',
  call: async () => ({ ok: true, content: 'x' }),
  ...more,
});
const error = { code: 'E', message: 'm', retryable: false };
const tools: readonly Tool[] = [
  tool('fine'),
  tool('direct', { returnDirect: true }),
  tool('broken', { call: async () => ({ ok: false, toModel: false, error }) }),
  ...endings.map((ends) => tool(ends, { ends })),
];

async function agentEnd(message: JsonObject): Promise<JsonObject> {
  const turn = await runTurn({ query: 'q', steps: [], shown: [] }, message, tools, readOptions('a', {}), { signal });
  return turn.ok ? endOf(turn.state) : { status: 'failed', answer: null };
}

function bedrockEnd(completion: string, category = '<category>D</category>'): Promise<JsonObject> {
  const agent = createAgent(
    {
      name: 'a',
      action_groups: [
        { name: 'g', functions: [{ name: 'fine' }, { name: 'broken' }] },
        { name: 'caller', executor: 'return_control', functions: [{ name: 'go' }] },
      ],
      prompts: { PRE_PROCESSING: { state: 'ENABLED' } },
    },
    () => '',
    {},
  );
  return failing(async () => {
    const turn = startTurn(agent)({ question: 'q', session: {} });
    const state = beginOrchestration(agent)({ turn, completion: category });
    const action = state.finished ? null : parseStep(agent)({ state, completion });
    const g = (event: JsonObject): JsonValue => {
      if (event['function'] === 'broken') throw new Error('down');
      const functionResponse = { responseBody: { TEXT: { body: 'x' } } };
      return { messageVersion: '1.0', response: { actionGroup: 'g', function: 'fine', functionResponse } };
    };
    const next = await actStep(agent, { actions: { g } })({ state, action }, { signal });
    const outcome = endOf(next as unknown as JsonValue);
    return afterOrchestration(agent)({ turn, outcome: outcome as never }) as unknown as JsonObject;
  });
}

async function toolgenEnd(given: string, maxNodes = 16): Promise<JsonObject> {
  const document = documentAction(given === '{}' ? '<<nothing&&here>>' : finishToken, () => undefined);
  const state = startEpisode({ query: 'q', found: [], maxNodes });
  const answer = { type: 'timeout' } as const;
  return endOf((await nextState(state, { thought: '', document, arguments: given, answer })) as unknown as JsonValue);
}

/** The table of docs/guide/stop-reasons.md: by system, the statuses it may have. */
function written(): Readonly<Record<string, readonly string[]>> {
  const page = readFileSync(new URL('../docs/guide/stop-reasons.md', import.meta.url), 'utf8');
  const [table = ''] = page.split('\n\n').filter((part) => part.startsWith('| status'));
  const [head = [], , ...rows] = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return Object.fromEntries(
    head
      .slice(1)
      .map((system, at) => [
        system,
        rows.flatMap((row) => (row[at + 1] === '—' ? [] : [(row[0] ?? '').replaceAll('`', '')])).sort(),
      ]),
  );
}

test('the table names every status and every system', () => {
  expect(Object.keys(written())).toEqual(Object.keys(systems));
  expect(new Set(Object.values(written()).flat())).toEqual(new Set(loopStatuses));
});

describe.for(Object.entries(systems))('%s', ([system, ways]) => {
  test('ends in the ways the table says, and in no other', async () => {
    const ends = await Promise.all(Object.values(ways).map(async (way) => await way()));
    // In the ToolGen agent only a model call can fail the row, which no step of its own sees.
    const seen = written()[system]?.filter((status) => system !== 'the ToolGen agent' || status !== 'failed');
    expect([...new Set(ends.map(({ status }) => String(status)))].sort()).toEqual(seen);
  });

  test.for(Object.entries(ways))('no answer is made up: %s', async ([, way]) => {
    const { status, answer = null, text = answer } = await way();
    if (status === 'unfinished' || status === 'failed' || status === 'returned_control') {
      if (system !== 'a loop') expect(text).toBeNull();
    }
    if (status === 'answered') expect(text).toBe('x');
  });
});
