import type { IncomingMessage } from 'node:http';
import { checkResponses } from './check-responses-request.ts';
import type { RequestProblem } from './request-problem.ts';

/** What the published contract of the OpenAI API (and Azure's form of it) refuses; undefined for a request that holds. */
export function checkRequest(
  request: IncomingMessage,
  body: Record<string, unknown> | undefined,
): RequestProblem | undefined {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const kind = /\/(chat\/completions|completions|embeddings|responses)$/.exec(url.pathname)?.[1];
  if (request.method !== 'POST' || kind === undefined)
    return { status: 404, message: `Unknown request URL: ${request.method} ${url.pathname}` };
  const unauthorized = checkKey(request, url);
  if (unauthorized !== undefined) return unauthorized;
  if (body === undefined) return { status: 400, message: 'We could not parse the JSON body of your request.' };
  if (typeof body['model'] !== 'string')
    return { status: 400, message: 'you must provide a model parameter', param: 'model' };
  if (kind === 'responses') return checkResponses(body);
  const unknown = Object.keys(body).find((key) => !parameters[kind]?.includes(key));
  if (unknown !== undefined)
    return { status: 400, message: `Unrecognized request argument supplied: ${unknown}`, param: unknown };
  return kind === 'chat/completions' ? checkChat(body) : undefined;
}

function checkKey(request: IncomingMessage, url: URL): RequestProblem | undefined {
  const isAzure = url.pathname.startsWith('/openai/');
  const isVersionOne = url.pathname.startsWith('/openai/v1/');
  if (isVersionOne && url.searchParams.has('api-version'))
    return { status: 400, message: 'api-version query parameter is not allowed when using /v1 path' };
  if (!isAzure) {
    const isGiven = /^Bearer \S+$/.test(request.headers.authorization ?? '');
    return isGiven ? undefined : { status: 401, message: "You didn't provide an API key." };
  }
  if (!isVersionOne && url.searchParams.get('api-version') === null)
    return { status: 404, message: 'Resource not found' };
  const isGiven = request.headers['api-key'] !== undefined || request.headers.authorization !== undefined;
  return isGiven
    ? undefined
    : { status: 401, message: 'Access denied due to invalid subscription key or wrong API endpoint.' };
}

const common =
  'model temperature top_p n stream stop max_tokens presence_penalty frequency_penalty logit_bias user seed logprobs stream_options';
const parameters: Readonly<Record<string, readonly string[]>> = {
  'chat/completions':
    `${common} messages functions function_call tools tool_choice parallel_tool_calls response_format top_logprobs max_completion_tokens reasoning_effort service_tier metadata store prediction modalities audio verbosity web_search_options safety_identifier prompt_cache_key`.split(
      ' ',
    ),
  completions: `${common} prompt suffix echo best_of`.split(' '),
  embeddings: 'model input encoding_format dimensions user'.split(' '),
};

const roles = ['system', 'developer', 'user', 'assistant', 'function', 'tool'];

type Message = Readonly<Record<string, unknown>>;

function checkChat(body: Record<string, unknown>): RequestProblem | undefined {
  const messages = body['messages'];
  if (!Array.isArray(messages) || messages.length === 0)
    return { status: 400, message: "Invalid 'messages': empty array.", param: 'messages' };
  const open = new Set<string>();
  for (const [index, message] of (messages as readonly Message[]).entries()) {
    const problem = checkMessage(message, index, open);
    if (problem !== undefined) return problem;
  }
  return checkFunctionNames(body);
}

function checkMessage(message: Message, index: number, open: Set<string>): RequestProblem | undefined {
  const at = `messages.[${index}]`;
  const role = String(message['role']);
  if (!roles.includes(role))
    return { status: 400, message: `'${role}' is not one of ${roles.join(', ')} - '${at}.role'`, param: at };
  if (role === 'function' && typeof message['name'] !== 'string')
    return {
      status: 400,
      message: `Missing parameter 'name': messages with role 'function' must have a 'name'.`,
      param: at,
    };
  for (const call of (message['tool_calls'] ?? []) as readonly Message[]) open.add(String(call['id']));
  if (role !== 'tool')
    return message['content'] === undefined && role !== 'assistant'
      ? { status: 400, message: `Missing required parameter: '${at}.content'.`, param: at }
      : undefined;
  const isAnswer = open.delete(String(message['tool_call_id']));
  return isAnswer
    ? undefined
    : {
        status: 400,
        message:
          "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        param: at,
      };
}

function checkFunctionNames(body: Record<string, unknown>): RequestProblem | undefined {
  const functions = (body['functions'] ?? []) as readonly Message[];
  const tools = ((body['tools'] ?? []) as readonly Message[]).map((tool) => tool['function'] as Message);
  const bad = [...functions, ...tools].find((one) => !/^[a-zA-Z0-9_-]{1,64}$/.test(String(one?.['name'])));
  if (bad !== undefined)
    return {
      status: 400,
      message: `Invalid 'functions[0].name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`,
      param: 'functions',
    };
  if (body['function_call'] !== undefined && functions.length === 0)
    return {
      status: 400,
      message: "Invalid value for 'function_call': 'function_call' is only allowed when 'functions' are specified.",
      param: 'function_call',
    };
  if (body['tool_choice'] !== undefined && tools.length === 0)
    return {
      status: 400,
      message: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      param: 'tool_choice',
    };
  return undefined;
}
