import { isMapping, type JsonObject, parseJson } from '@unroll/engine';
import { hallucinationRate } from '@unroll/evals';
import { expect, test } from 'vitest';
import { type EpisodeRun, type EpisodeWorld, runEpisode, userTurns } from '../toolgen-agent/run-episode.ts';
import { readCases } from './case-file.ts';

interface ProtocolCase {
  readonly id: string;
  readonly why: string;
  readonly model_turns: readonly { readonly round: 'thought' | 'action' | 'arguments'; readonly text: string }[];
  readonly max_nodes?: number;
  readonly retry?: boolean;
  readonly constrained?: boolean;
  readonly given_tools?: readonly string[];
  readonly tool_result_chars?: number;
  readonly required: JsonObject;
}

/** The tools that the cases name: A of T takes a postcode, D of V an id. */
const apis: readonly JsonObject[] = [
  {
    tool: 'T',
    api: 'A',
    description: 'Items at an address',
    required: [{ name: 'postcode', type: 'STRING', description: 'of the address' }],
  },
  {
    tool: 'V',
    api: 'D',
    description: 'Items of a video',
    required: [{ name: 'id', type: 'STRING', description: 'of the video' }],
  },
];

test.for(readCases<ProtocolCase>('s4_protocol.jsonl'))('$id: $why', async (one) => {
  const { model_turns: turns, required } = one;
  const isFree = turns.length === 0;
  const run = await runProtocol(one, isFree ? straying : turns.map(({ text }) => text), one.constrained ?? true);
  expect(run.row.error).toBeUndefined();
  const rounds = turns.map(({ round }) => round);
  const isCutShort = required['outcome'] === 'unfinished';
  if (!isFree) expect(run.requests.map(roundOf)).toEqual(isCutShort ? rounds.slice(0, run.requests.length) : rounds);
  expect(Object.fromEntries(Object.keys(required).map((name) => [name, told(run, name)]))).toEqual(required);
});

test('the model that the constraint holds leaves the set where nothing constrains it', async () => {
  const run = await runProtocol({}, straying, false);
  expect(told(run, 'hallucination_rate')).toBeGreaterThan(0);
  expect(told(run, 'outcome')).toBe('answer');
});

async function runProtocol(
  given: Omit<Partial<ProtocolCase>, 'model_turns'>,
  turns: EpisodeWorld['turns'],
  constrained: boolean,
): Promise<EpisodeRun> {
  return await runEpisode({
    turns,
    apis,
    inputs: {
      query: 'How many items are there at the address, or of the video?',
      max_nodes: given.max_nodes ?? 16,
      retry: given.retry ?? false,
      constrained,
      given: [...(given.given_tools ?? [])],
    },
    ...(given.tool_result_chars === undefined ? {} : { response: 'y'.repeat(given.tool_result_chars) }),
  });
}

/** A model that wants what does not exist first; a service that honours the schema of an answer lets it say only what that allows. */
function straying(request: JsonObject): string {
  const round = roundOf(request);
  if (round === 'thought') return 'I know just the tool.';
  const steps = userTurns(request).filter((text) => text === actionRequest).length;
  if (round === 'arguments') return steps > 1 ? '{"return_type":"give_answer","final_answer":"37 items"}' : '{}';
  const allowed = allowedActions(request);
  const wanted = steps > 1 ? '<<Finish>>' : '<<No&&Where>>';
  if (allowed === undefined) return wanted;
  return JSON.stringify({ action: allowed.includes(wanted) ? wanted : allowed[0] });
}

function allowedActions({ response_format: format }: JsonObject): readonly string[] | undefined {
  const { json_schema: schema } = (format ?? {}) as { json_schema?: { schema: { properties: JsonObject } } };
  return (schema?.schema.properties['action'] as { readonly enum?: readonly string[] } | undefined)?.enum;
}

const actionRequest = 'Generate the action.';
const documentation = 'Please give the input. Here is the documentation: ';

function roundOf(request: JsonObject): string {
  const last = userTurns(request).at(-1) ?? '';
  if (last === actionRequest) return 'action';
  return last.startsWith(documentation) ? 'arguments' : 'thought';
}

/** What an episode was, by the names that the cases have for it. */
const tellings: Readonly<Record<string, (run: EpisodeRun) => unknown>> = {
  outcome: ({ row }) => (row.outputs['status'] === 'answered' ? 'answer' : row.outputs['status']),
  final_answer: ({ row }) => row.outputs['answer'],
  nodes: ({ row }) => row.outputs['nodes'],
  retry_counts: ({ row }) => row.outputs['retry_counts'],
  actions: (run) => actionsOf(run).length,
  tool_calls: (run) => actionsOf(run).filter(({ code, name }) => code !== 1 && name !== 'Finish').length,
  hallucinated_actions: ({ row }) => row.outputs['hallucinated_actions'],
  hallucination_rate: (run) =>
    hallucinationRate(
      actionsOf(run).map(({ action }) => action),
      ['<<T&&A>>', '<<V&&D>>', '<<Finish>>'],
    ).rate,
  user_turns_between: ({ requests }) =>
    userTurns(requests[2])
      .slice(1)
      .map((text) => (text.startsWith(documentation) ? `${documentation}…` : text)),
  temperatures: temperaturesOf,
  temperatures_used: temperaturesOf,
  attempts: ({ requests }) => requests.filter((request) => roundOf(request) === 'thought').length,
  observation_length: (run) => String(actionsOf(run)[0]?.content[0]).length,
  observation_max_chars: (run) => Math.max(...actionsOf(run).map(({ content }) => String(content[0]).length)),
  observation_error: (run) => {
    const observed = parseJson(String(actionsOf(run)[0]?.content[0]));
    return isMapping(observed) && typeof observed['error'] === 'string' && observed['error'] !== '';
  },
  tool_received: ({ nodes }) => {
    const recalled = nodes.find(({ node }) => node === 'recall_1')?.output as unknown as {
      request: { tool_input: string };
    };
    return parseJson(recalled.request.tool_input);
  },
  thought_prefix: ({ requests }) => {
    const messages = (requests[0]?.['messages'] ?? []) as readonly JsonObject[];
    const { role, content } = messages.at(-1) ?? {};
    return role === 'assistant' ? content : undefined;
  },
};

/** Of each attempt at a step. */
function temperaturesOf({ requests }: EpisodeRun): unknown {
  return requests.filter((request) => roundOf(request) === 'thought').map(({ temperature }) => temperature);
}

function told(run: EpisodeRun, name: string): unknown {
  const telling = tellings[name];
  if (telling === undefined) throw new Error(`nothing here tells "${name}"`);
  return telling(run);
}

interface TakenAction {
  readonly name: string;
  readonly action: string;
  readonly code: number;
  readonly content: readonly string[];
}

function actionsOf({ row }: EpisodeRun): readonly TakenAction[] {
  return row.outputs['actions'] as unknown as readonly TakenAction[];
}
