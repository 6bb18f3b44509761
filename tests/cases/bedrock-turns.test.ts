import type { JsonObject, JsonValue } from '@unroll/engine';
import { type ActionGroupDefinition, bedrockTrace, type PromptType, readActionGroups } from '@unroll/nodes/bedrock';
import { expect, test } from 'vitest';
import { type FunctionFailure, runTurn, type TurnRun } from './bedrock-turn.ts';
import { readCases, readReferred } from './case-file.ts';

interface TurnCase {
  readonly id: string;
  readonly why: string;
  readonly input: string;
  readonly completions: readonly { readonly completion: string; readonly stop?: string }[];
  readonly lambda_results: readonly (string | FunctionFailure)[];
  readonly required_trace: readonly string[];
  readonly required_final: string | null;
  readonly required_end?: string;
  readonly orchestration_model_calls?: number;
  readonly prompt_states?: Readonly<Partial<Record<PromptType, 'ENABLED' | 'DISABLED'>>>;
  readonly [key: string]: unknown;
}

test.for(readCases<TurnCase>('s0_turns.jsonl'))('$id: $why', async (given) => {
  const run = await runTurn({
    input: given.input,
    completions: given.completions,
    functionResults: given.lambda_results,
    promptStates: statesOf(given),
    actionGroups: groupsOf(given),
    knowledgeBases: basesOf(given),
    ...timesOf(given),
  });
  const trace = bedrockTrace(run.nodes, 'run').map(({ trace: one }) => eventText(one as unknown as JsonObject));
  expect(trace).toEqual(given.required_trace);
  expect(run.row.outputs['answer'] ?? null).toBe(given.required_final);
  if (given.required_end !== undefined) expect(endOf(run)).toBe(given.required_end);
  const calls = trace.filter((event) => event.endsWith('orchestrationTrace.modelInvocationInput')).length;
  if (given.orchestration_model_calls !== undefined) expect(calls).toBe(given.orchestration_model_calls);
  expect(run.requests).toHaveLength(given.completions.length);
});

test('a turn that used up its steps ends its trace with a failure event', async () => {
  const run = await runTurn({
    input: 'x',
    completions: Array.from({ length: 2 }, () => ({ completion: 'no idea', stop: '</answer>' })),
    functionResults: [],
    promptStates: { PRE_PROCESSING: 'DISABLED' },
    actionGroups: [{ name: 'clock', functions: [{ name: 'now' }] }],
    times: 2,
  });
  const trace = bedrockTrace(run.nodes, 'run').map(({ trace: one }) => one);
  expect(trace.map((one) => eventText(one as unknown as JsonObject)).slice(-2)).toEqual([
    '<uuid>-1 orchestrationTrace.observation:REPROMPT(PARSER)',
    'failureTrace',
  ]);
  expect(trace.at(-1)?.failureTrace).toEqual({
    traceId: expect.stringMatching(/-1$/),
    failureReason: 'Max iterations exceeded',
  });
  expect(run.row.outputs).toMatchObject({ status: 'unfinished', answer: null });
});

/** The groups of the cases on prompts, which these cases name; those whose calls the caller makes say so. */
function groupsOf(given: TurnCase): readonly JsonObject[] {
  const sections = readReferred<{
    readonly id: string;
    readonly input: { readonly action_groups: readonly ActionGroupDefinition[] };
  }>('s0_function_section.jsonl');
  const groups = new Map(
    sections
      .flatMap(({ input }) => input.action_groups)
      .filter((group) => readActionGroups([group]).ok)
      .map(({ action_group: { name }, schema }) => [name, schema]),
  );
  const executor = returnsControl(given) ? { executor: 'return_control' } : {};
  return [...groups].map(([name, schema]) => ({ name, schema: schema as JsonValue, ...executor }));
}

/** A call that no function answers is the caller's to make. */
function returnsControl({ lambda_results: results, ...given }: TurnCase): boolean {
  return results.length === 0 || Object.keys(given).some((key) => /return_?(of_)?control/i.test(key));
}

function basesOf({ completions }: TurnCase): readonly string[] {
  const named = completions.flatMap(({ completion }) => [...completion.matchAll(/x_amz_knowledgebase_(\w+)/g)]);
  return [...new Set(named.map(([, id = '']) => id))];
}

/** A completion that ended as only orchestration ends is one of it: then the knowledge base step did not take place. */
function statesOf({ completions, prompt_states: states = {} }: TurnCase): NonNullable<TurnCase['prompt_states']> {
  const search = completions.findIndex(({ completion }) => completion.includes('x_amz_knowledgebase_'));
  const isOff = search >= 0 && /<\/(answer|function_call)>/.test(completions[search + 1]?.stop ?? '');
  return { ...(isOff ? { KNOWLEDGE_BASE_RESPONSE_GENERATION: 'DISABLED' as const } : {}), ...states };
}

const knownKeys = ['orchestration_model_calls'];

/** The bound a case gives; where it gives none and its script ends in the middle, the bound is what the script holds. */
function timesOf(given: TurnCase): { readonly times?: number } {
  const number = Object.entries(given).find(([key, value]) => typeof value === 'number' && !knownKeys.includes(key));
  if (number !== undefined) return { times: number[1] as number };
  const { completions, lambda_results: results } = given;
  const calls = completions.filter(({ stop }) => /<\/(answer|function_call)>/.test(stop ?? '')).length;
  const last = completions.at(-1);
  const isOpen = last?.stop === '</function_call>' && !last.completion.includes('askuser');
  return isOpen && results.length >= calls && typeof results.at(-1) === 'string' ? { times: calls } : {};
}

/** `<uuid>-0 orchestrationTrace.observation:REPROMPT(PARSER)` */
function eventText(trace: JsonObject): string {
  const [[kind, inner] = ['', {}]] = Object.entries(trace) as [string, JsonObject][];
  if (kind === 'failureTrace') return kind;
  const [[name, event] = ['', {}]] = Object.entries(inner) as [string, JsonObject][];
  const step = String(event['traceId']).replace(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '<uuid>');
  const type =
    name === 'invocationInput' ? event['invocationType'] : name === 'observation' ? event['type'] : undefined;
  const source = (event['repromptResponse'] as JsonObject | undefined)?.['source'];
  return `${step} ${kind}.${name}${type === undefined ? '' : `:${type}`}${source === undefined ? '' : `(${source})`}`;
}

const ends: Readonly<Record<string, string>> = {
  refused: 'REFUSED_BY_PREPROCESSING',
  unfinished: 'BUDGET_EXHAUSTED',
  asked_user: 'ASK_USER',
  returned_control: 'RETURN_CONTROL',
  answered: 'FINISH',
};

function endOf({ row }: TurnRun): string {
  return row.status === 'Failed' ? 'FAILURE' : (ends[String(row.outputs['status'])] ?? 'none');
}
