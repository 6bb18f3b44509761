import { type JsonObject, type JsonValue, parseJson, pythonJson } from '@unroll/engine';

/** What came of one action; codes are ToolBench's. */
export interface ActionResult {
  readonly observation: string;
  readonly code: ActionCode;
  readonly finalAnswer?: JsonValue;
}

/** 0 done, 1 no such function, 2 bad input of Finish, 3 answer, 4 given up, 5 to 12 the ways an API fails. */
type ActionCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

export interface ApiPlace {
  readonly category: string;
  readonly tool: string;
  readonly api: string;
}

/** The request of ToolBench's virtual API server, without its key. */
export interface ApiRequest extends JsonObject {
  readonly category: string;
  readonly tool_name: string;
  readonly api_name: string;
  readonly tool_input: string;
  readonly strip: string;
}

export type ApiAnswer =
  | { readonly type: 'timeout' }
  | { readonly type: 'answer'; readonly status: number; readonly body: JsonValue | undefined };

/** Longest observation the model sees, in characters. */
const longestObservation = 1024;

const failures: readonly (readonly [string, ActionCode])[] = [
  ['API not working error...', 6],
  ['Unauthorized error...', 7],
  ['Unsubscribed error...', 8],
  ['Too many requests error...', 9],
  ['Rate limit per minute error...', 10],
  ['Message error...', 11],
];

/**
 * Runs one action of an agent: Finish, or an API of the tool set. An API that reports an error was there all the same:
 * its own code, where ToolBench's published environment reports a function that does not exist.
 *
 * @param apis those of the tool set by function name, exact
 */
export async function runAction(
  action: string,
  input: string,
  apis: ReadonlyMap<string, ApiPlace>,
  callApi: (request: ApiRequest) => Promise<ApiAnswer>,
): Promise<ActionResult> {
  if (action === 'Finish') return finish(input);
  const place = apis.get(action);
  if (place === undefined) return actionResult({ error: `No such function name: ${action}`, response: '' }, 1);
  const request = {
    category: place.category,
    tool_name: place.tool,
    api_name: place.api,
    tool_input: input,
    strip: 'truncate',
  };
  return observed(await callApi(request));
}

function observed(answer: ApiAnswer): ActionResult {
  if (answer.type === 'timeout') return actionResult({ error: 'Timeout error...', response: '' }, 5);
  const { status, body } = answer;
  if (status !== 200)
    return actionResult({ error: `request invalid, data error. status_code=${status}`, response: '' }, 12);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return actionResult({ error: 'request invalid, data error', response: '' }, 12);
  }
  const code = failures.find(([text]) => text === (body as JsonObject)['error'])?.[1] ?? 0;
  return actionResult(body as JsonObject, code);
}

function finish(input: string): ActionResult {
  const given = finishInput(input);
  const { return_type: kind, final_answer: finalAnswer } = given;
  if (kind === undefined) return { observation: '{error:"must have "return_type""}', code: 2 };
  if (kind === 'give_up_and_restart') return { observation: '{"response":"chose to give up and restart"}', code: 4 };
  if (kind !== 'give_answer') return { observation: '{error:""return_type" is not a valid choice"}', code: 2 };
  if (finalAnswer === undefined) return { observation: '{error:"must have "final_answer""}', code: 2 };
  return { observation: '{"response":"successfully giving the final answer."}', code: 3, finalAnswer };
}

interface FinishInput {
  readonly return_type?: JsonValue;
  readonly final_answer?: JsonValue;
}

/** JSON in which a text may hold line breaks; of a malformed one what can be found by text. */
function finishInput(input: string): FinishInput {
  try {
    const parsed = parseJson(withEscapedControls(input));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as FinishInput;
  } catch {
    return rescued(input);
  }
  return {};
}

function withEscapedControls(input: string): string {
  return input.replace(/"(?:[^"\\]|\\[\s\S])*("|\\?$)/g, (text, end: string) =>
    end === '"'
      ? text.replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : text,
  );
}

function rescued(input: string): FinishInput {
  const kind = textBehind(input, '"return_type": "');
  const answer = textBehind(input, '"final_answer": "');
  const named = ['give_answer', 'give_up_and_restart'].find((one) => kind?.startsWith(`${one}"`) === true);
  return {
    ...(kind === undefined ? {} : { return_type: named ?? kind.slice(0, Math.max(0, kind.indexOf('",'))) }),
    ...(answer === undefined ? {} : { final_answer: answer }),
  };
}

function textBehind(input: string, mark: string): string | undefined {
  const at = input.indexOf(mark);
  return at < 0 ? undefined : input.slice(at + mark.length);
}

function actionResult(body: JsonObject, code: ActionCode): ActionResult {
  const text = pythonJson(body);
  const observation = text.length > longestObservation ? `${text.slice(0, longestObservation)}...` : text;
  return { observation, code };
}
