import type { JsonObject, JsonValue } from '@unroll/engine';
import {
  type ActionCall,
  type ActionGroupDefinition,
  type AgentSession,
  type AnsweredCall,
  buildLambdaEvent,
  functionSection,
  parseCategory,
  parseOrchestration,
  promptFunctions,
  readActionGroups,
  readActionResponse,
  scratchpadText,
} from '@unroll/nodes/bedrock';
import { expect, test } from 'vitest';
import { readCases, readReferred } from './case-file.ts';

interface CategoryCase {
  readonly id: string;
  readonly why: string;
  readonly completion: string;
  readonly required: JsonObject;
}

test.for(readCases<CategoryCase>('s0_preprocessing.jsonl'))('$id: $why', ({ completion, required, ...rest }) => {
  const { parseError, ...read } = parseCategory(completion, wasAsked(rest));
  expect({ ...read, ...(parseError === undefined ? {} : { parse_error: parseError }) }).toEqual(required);
});

/** Whether the turn before asked the user: a case says so where it matters. */
function wasAsked(given: object): boolean {
  return !Object.entries(given).some(([key, value]) => /ask/i.test(key) && value === false);
}

interface OrchestrationCase extends CategoryCase {
  readonly stop: string;
}

test.for(readCases<OrchestrationCase>('s0_orchestration_parse.jsonl'))(
  '$id: $why',
  ({ completion, stop, required }) => {
    expect(parseOrchestration(completion, stop)).toEqual(required);
  },
);

interface SectionCase {
  readonly id: string;
  readonly why: string;
  readonly input: { readonly action_groups: readonly ActionGroupDefinition[]; readonly user_input: boolean };
  readonly required_functions?: readonly JsonObject[];
  readonly required_error?: string;
  readonly must_not_contain?: readonly string[];
}

const sections = readCases<SectionCase>('s0_function_section.jsonl');
/** The sections that calls are made of. */
const referred = readReferred<SectionCase>('s0_function_section.jsonl');

test.for(sections)('$id: $why', ({ input, required_functions: wanted, required_error: error, ...rest }) => {
  const read = readActionGroups(input.action_groups);
  if (!read.ok) {
    expect(read.code).toBe(error);
    return;
  }
  expect(error).toBeUndefined();
  const functions = promptFunctions(read.operations, input.user_input);
  const shown = functions.map(({ name, description, ...own }) => ({
    function_name: name,
    function_description: description,
    ...own,
  }));
  expect(shown).toEqual(wanted);
  for (const text of rest.must_not_contain ?? []) expect(functionSection(functions)).not.toContain(text);
});

interface EventCase {
  readonly id: string;
  readonly call: ActionCall;
  readonly schema_ref: string;
  readonly required_event?: JsonObject;
  readonly required_reprompt?: string;
}

const session: AgentSession = {
  agent: { name: 'a', id: 'AGENT123', alias: 'TSTALIASID', version: 'DRAFT' },
  inputText: 'q',
  sessionId: 's-1',
  sessionAttributes: {},
  promptSessionAttributes: {},
};

test.for(readCases<EventCase>('s0_lambda_event.jsonl'))('$id', ({ call, schema_ref: name, ...required }) => {
  const section = referred.find(({ id }) => id.startsWith(name));
  const read = readActionGroups(section?.input.action_groups ?? []);
  expect(read.ok).toBe(true);
  const built = buildLambdaEvent({ ...call, args: call.args ?? {} }, read.ok ? read.operations : [], session);
  expect(Object.keys(required).some((key) => key === 'required_event' || key === 'required_reprompt')).toBe(true);
  if (built.ok) expect(built.event).toEqual(required.required_event);
  else expect(built.reprompt).toBe(required.required_reprompt);
});

interface ResponseCase {
  readonly id: string;
  readonly response: JsonObject;
  readonly required: JsonObject;
}

/** The calls the cases answer: `transit_search` by path, `g` by function. */
const byPath: AnsweredCall = { actionGroup: 'transit_search', apiPath: '/search', httpMethod: 'GET' };
const byFunction: AnsweredCall = { actionGroup: 'g', function: 'f' };

test.for(readCases<ResponseCase>('s0_lambda_response.jsonl'))('$id', ({ id, response, required }) => {
  const outcome = readActionResponse(response, id.includes('function') ? byFunction : byPath);
  const told: Readonly<Record<string, JsonValue>> =
    outcome.type === 'ACTION_GROUP'
      ? {
          observation_type: 'ACTION_GROUP',
          observation_text: outcome.text,
          scratchpad: outcome.scratchpad,
          session_attributes: outcome.sessionAttributes ?? null,
          sessionAttributes: outcome.sessionAttributes ?? null,
          prompt_session_attributes: outcome.promptSessionAttributes ?? null,
          promptSessionAttributes: outcome.promptSessionAttributes ?? null,
        }
      : outcome.type === 'REPROMPT'
        ? { observation_type: 'REPROMPT', reprompt_source: outcome.source, text: outcome.text }
        : { failure: outcome.code };
  const { scratchpad_must_not_open: neverOpened, ...expected } = required;
  expect(told).toMatchObject(expected);
  if (neverOpened !== undefined) {
    expect(outcome.type).toBe('ACTION_GROUP');
    const result = outcome.type === 'ACTION_GROUP' ? outcome.text : '';
    const step = { kind: 'call', rationale: 'r', call: 'GET::g::f()', result, tag: 'function_result' } as const;
    const [before = '', behind = ''] = scratchpadText([step]).split('<function_result>');
    expect(before).toContain('<function_call>GET::g::f()</function_call>');
    expect(behind.split('</function_result>')).toHaveLength(2);
    expect(behind).not.toContain(neverOpened);
    expect(parseOrchestration(behind, '')).toMatchObject({ type: 'REPROMPT' });
  }
});
