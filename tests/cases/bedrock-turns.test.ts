import { type JsonObject, type JsonValue, mappingOf } from '@unroll/engine';
import { type ActionGroupDefinition, bedrockTrace, type PromptType, readActionGroups } from '@unroll/nodes/bedrock';
import { expect, test } from 'vitest';
import { type FunctionFailure, runTurn, type TurnOptions, type TurnRun } from './bedrock-turn.ts';
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
  readonly executor?: 'LAMBDA' | 'RETURN_CONTROL';
  /** What becomes of a call that goes on in a wrong way. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly prompt_states?: Readonly<Partial<Record<PromptType, 'ENABLED' | 'DISABLED'>>>;
  readonly [key: string]: unknown;
}

test.for(readCases<TurnCase>('s0_turns.jsonl'))('$id: $why', async (given) => {
  const options = optionsOf(given);
  const runs = given.executor === 'RETURN_CONTROL' ? await runHandedOut(given, options) : [await runTurn(options)];
  const trace = runs.flatMap((run, at) => [...(at === 0 ? [] : ['RESUME']), ...traceOf(run)]);
  expect(trace).toEqual(given.required_trace);
  const last = runs.at(-1) as TurnRun;
  expect(last.row.outputs['answer'] ?? null).toBe(given.required_final);
  if (given.required_end !== undefined) expect(endOf(last)).toBe(given.required_end);
  const calls = trace.filter((event) => event.endsWith('orchestrationTrace.modelInvocationInput')).length;
  if (given.orchestration_model_calls !== undefined) expect(calls).toBe(given.orchestration_model_calls);
  expect(runs.flatMap(({ requests }) => requests)).toHaveLength(given.completions.length);
});

function optionsOf(given: TurnCase): TurnOptions {
  return {
    input: given.input,
    completions: given.completions,
    functionResults: given.lambda_results,
    promptStates: statesOf(given),
    actionGroups: groupsOf(given),
    knowledgeBases: basesOf(given),
    ...timesOf(given),
  };
}

/** Each result that the caller brings begins another run, which goes on with the completions that are left. */
async function runHandedOut(given: TurnCase, options: TurnOptions): Promise<readonly TurnRun[]> {
  const runs: TurnRun[] = [];
  let left = [...options.completions];
  let session: JsonObject = {};
  for (const result of [undefined, ...given.lambda_results]) {
    const input = result === undefined ? given.input : 'what the caller says now';
    const run = await runTurn({ ...options, input, session, completions: left, functionResults: [] });
    expect(JSON.stringify(run.requests)).not.toContain('what the caller says now');
    expect(run.invocations).toEqual([]);
    runs.push(run);
    left = left.slice(run.requests.length);
    const next = given.lambda_results[runs.length - 1];
    if (next === undefined) break;
    const results = [{ text: String(next) }];
    session = resumed(run, results);
    await checkRefusals(given.errors ?? {}, options, run);
  }
  return runs;
}

function resumed({ row }: TurnRun, results: readonly JsonObject[] | undefined, id?: string): JsonObject {
  const { return_control: control, session } = row.outputs as {
    readonly return_control: { readonly invocationId: string };
    readonly session: JsonObject;
  };
  const given = { invocation_id: id ?? control.invocationId, ...(results === undefined ? {} : { results }) };
  return { ...session, return_control_results: given };
}

async function checkRefusals(errors: NonNullable<TurnCase['errors']>, options: TurnOptions, run: TurnRun) {
  for (const [mistake, wanted] of Object.entries(errors)) {
    const id = mistake.includes('invocationId') ? 'another' : undefined;
    const results = mistake.includes('results') ? undefined : [{ text: 'r' }];
    const refused = await runTurn({ ...options, session: resumed(run, results, id), functionResults: [] });
    const { cause, code } = refused.row.error ?? { code: 'none' };
    expect([mistake, (cause?.code ?? code).replace('ValidationException', 'VALIDATION')]).toEqual([mistake, wanted]);
    expect(refused.requests).toEqual([]);
  }
}

/** The events of one run; one that ended because a call was handed out ends with the pause. */
function traceOf(run: TurnRun): readonly string[] {
  const events = bedrockTrace(run.nodes, 'run').map(({ trace: one }) => eventText(one as unknown as JsonObject));
  const keys = mappingOf(run.row.outputs['return_control']);
  const isPaused = run.row.outputs['status'] === 'returned_control';
  return isPaused
    ? [...events, `PAUSE returnControl{${Object.hasOwn(keys, 'invocationId') ? 'invocationId' : ''}}`]
    : events;
}

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
  if (given.executor === 'RETURN_CONTROL') return true;
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
  const { executionType } = mappingOf(event['actionGroupInvocationInput']);
  const source = executionType === 'RETURN_CONTROL' ? executionType : mappingOf(event['repromptResponse'])['source'];
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
