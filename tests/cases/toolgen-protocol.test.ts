import { type JsonObject, parseJson } from '@unroll/engine';
import { hallucinationRate } from '@unroll/evals';
import { expect, test } from 'vitest';
import { type EpisodeRun, runEpisode, userTurns } from '../toolgen-agent/run-episode.ts';
import { readCases } from './case-file.ts';

interface ProtocolCase {
  readonly id: string;
  readonly why: string;
  readonly model_turns: readonly { readonly round: 'thought' | 'action' | 'arguments'; readonly text: string }[];
  readonly max_nodes?: number;
  readonly retry?: boolean;
  readonly constrained?: boolean;
  readonly given_tools?: readonly string[];
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

test.for(readCases<ProtocolCase>('s4_protocol.jsonl'))(
  '$id: $why',
  async ({ model_turns: turns, required, ...given }) => {
    const run = await runEpisode({
      turns: turns.map(({ text }) => text),
      apis,
      inputs: {
        query: 'How many items are there at the address, or of the video?',
        max_nodes: given.max_nodes ?? 16,
        retry: given.retry ?? false,
        constrained: given.constrained ?? true,
        given: [...(given.given_tools ?? [])],
      },
    });
    expect(run.row.error).toBeUndefined();
    const rounds = turns.map(({ round }) => round);
    const isCutShort = required['outcome'] === 'unfinished';
    expect(run.requests.map(roundOf)).toEqual(isCutShort ? rounds.slice(0, run.requests.length) : rounds);
    expect(Object.fromEntries(Object.keys(required).map((name) => [name, told(run, name)]))).toEqual(required);
  },
);

const documentation = 'Please give the input. Here is the documentation: ';

function roundOf(request: JsonObject): string {
  const last = userTurns(request).at(-1) ?? '';
  if (last === 'Generate the action.') return 'action';
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
  temperatures: ({ requests }) =>
    requests.filter((request) => roundOf(request) === 'thought').map(({ temperature }) => temperature),
  attempts: ({ requests }) => requests.filter((request) => roundOf(request) === 'thought').length,
  observation_length: (run) => String(actionsOf(run)[0]?.content[0]).length,
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
