import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';
import * as z from 'zod';
import type { Retrieval } from './turn-state.ts';

/** The call a response answers. */
export interface AnsweredCall {
  readonly actionGroup: string;
  /** Absent where the group is of function details. */
  readonly apiPath?: string;
  readonly httpMethod?: string;
  readonly function?: string;
}

export type ActionOutcome =
  | {
      readonly type: 'ACTION_GROUP';
      readonly text: string;
      /** The tag of the scratchpad: an HTTP status of 400 and more comes back to the model as an error. */
      readonly scratchpad: 'function_result' | 'error';
      readonly sessionAttributes?: JsonObject;
      readonly promptSessionAttributes?: JsonObject;
      /** How knowledge bases are asked from then on, by their ids. */
      readonly retrieval?: Readonly<Record<string, Retrieval>>;
    }
  | { readonly type: 'REPROMPT'; readonly source: 'ACTION_GROUP'; readonly text: string }
  | {
      readonly type: 'FAILURE';
      readonly code: 'BAD_LAMBDA_RESPONSE' | 'DEPENDENCY_FAILED';
      readonly message: string;
    };

/** Reads what an action group's Lambda function answered (message version 1.0). */
export function readActionResponse(answer: JsonValue, call: AnsweredCall): ActionOutcome {
  const { response, ...rest } = mapping(answer);
  const given = mapping(response);
  const problem = mismatch(mapping(answer)['messageVersion'], given, call);
  if (problem !== undefined) return { type: 'FAILURE', code: 'BAD_LAMBDA_RESPONSE', message: problem };
  const functionResponse = given['functionResponse'];
  const outcome = functionResponse === undefined ? readHttp(given) : readFunction(mapping(functionResponse));
  if (outcome.type !== 'ACTION_GROUP') return outcome;
  const unfit = attributeNames.find((name) => !isAbsent(rest[name]) && !isMapping(rest[name]));
  if (unfit !== undefined) {
    return { type: 'FAILURE', code: 'BAD_LAMBDA_RESPONSE', message: `${unfit} must be an object, as the event has it` };
  }
  const { knowledgeBasesConfiguration: written } = rest;
  if (isAbsent(written)) return { ...outcome, ...attributes(rest) };
  const configured = knowledgeBases.safeParse(written);
  if (!configured.success) return { type: 'FAILURE', code: 'BAD_LAMBDA_RESPONSE', message: wrongConfiguration };
  const retrieval = Object.fromEntries(
    configured.data.map((one) => [one.knowledgeBaseId, one.retrievalConfiguration.vectorSearchConfiguration]),
  );
  return { ...outcome, ...attributes(rest), retrieval: retrieval as Readonly<Record<string, Retrieval>> };
}

const knowledgeBases = z.array(
  z.looseObject({
    knowledgeBaseId: z.string().min(1),
    retrievalConfiguration: z.looseObject({
      vectorSearchConfiguration: z.looseObject({
        numberOfResults: z.int().min(1).optional(),
        overrideSearchType: z.enum(['HYBRID', 'SEMANTIC']).optional(),
        filter: z.looseObject({}).optional(),
      }),
    }),
  }),
);

const wrongConfiguration =
  'knowledgeBasesConfiguration must be a list of {knowledgeBaseId, retrievalConfiguration: {vectorSearchConfiguration: {numberOfResults, overrideSearchType, filter}}}';

function mismatch(version: JsonValue | undefined, given: JsonObject, call: AnsweredCall): string | undefined {
  if (version !== '1.0') return 'the response has another messageVersion than "1.0"';
  const wanted = Object.entries(call) as readonly [string, string][];
  const wrong = wanted.find(([name, value]) => String(given[name] ?? '').toLowerCase() !== value.toLowerCase());
  if (wrong === undefined) return undefined;
  return `the response is for ${wrong[0]} ${JSON.stringify(given[wrong[0]] ?? null)}, the call was for "${wrong[1]}"`;
}

function readHttp(given: JsonObject): ActionOutcome {
  const text = bodyOf(given['responseBody']);
  const status = given['httpStatusCode'];
  if (text === undefined || typeof status !== 'number') {
    const message = 'the response needs httpStatusCode and responseBody with a text as body';
    return { type: 'FAILURE', code: 'BAD_LAMBDA_RESPONSE', message };
  }
  return { type: 'ACTION_GROUP', text, scratchpad: status >= 400 ? 'error' : 'function_result' };
}

function readFunction(given: JsonObject): ActionOutcome {
  const text = bodyOf(given['responseBody']);
  const state = given['responseState'];
  if (state === 'FAILURE') {
    return { type: 'FAILURE', code: 'DEPENDENCY_FAILED', message: text ?? 'the function reported a failure' };
  }
  if (text === undefined) {
    const message = 'the response needs functionResponse.responseBody with a text as body';
    return { type: 'FAILURE', code: 'BAD_LAMBDA_RESPONSE', message };
  }
  if (state === 'REPROMPT') return { type: 'REPROMPT', source: 'ACTION_GROUP', text };
  return { type: 'ACTION_GROUP', text, scratchpad: 'function_result' };
}

function bodyOf(body: JsonValue | undefined): string | undefined {
  const [media] = Object.values(mapping(body));
  const text = mapping(media)['body'];
  return typeof text === 'string' ? text : undefined;
}

const attributeNames = ['sessionAttributes', 'promptSessionAttributes'] as const;

/** Those it says nothing of stay as they are. */
function attributes(rest: JsonObject): Pick<ActionOutcome & { type: 'ACTION_GROUP' }, 'sessionAttributes'> {
  const kept = attributeNames.filter((name) => !isAbsent(rest[name]));
  return Object.fromEntries(kept.map((name) => [name, mapping(rest[name])]));
}

/** Also null, as which programs write what they do not set. */
function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function mapping(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isMapping(value) ? value : {};
}
