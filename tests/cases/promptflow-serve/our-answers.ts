import { isMapping, type JsonObject, type JsonValue, pythonJson } from '@unroll/engine';
import type { CaseAnswer, ServeCase } from './case.ts';

/** Where we answer otherwise than Prompt flow's server on purpose: docs/deviations.md, "Serving" has a row for each. */
interface OurAnswer {
  readonly rule: string;
  applies(one: ServeCase): boolean;
  answer(expected: CaseAnswer, one: ServeCase): CaseAnswer;
}

const any = { $any: true };
const error = (code: string, message: JsonValue): JsonObject => ({ error: { code, message } });

/** What is expected of us where Prompt flow's own answer is the one of the case. */
export function ourAnswer(one: ServeCase): CaseAnswer {
  const found = ourAnswers.find(({ applies }) => applies(one));
  const expected = found === undefined ? one.expect : found.answer(one.expect, one);
  return { ...expected, ...(expected.json === undefined ? {} : { json: withAnyVersion(expected.json, one) }) };
}

/** The version is the product's own. */
function withAnyVersion(json: JsonValue, { request }: ServeCase): JsonValue {
  const isReported = /^\/(?:health|version)$/.test(request?.path ?? '') && isMapping(json);
  return isReported && json['version'] === '1.18.5' ? { ...json, version: any } : json;
}

function messageOf({ json }: CaseAnswer): string {
  const told = isMapping(json) ? json['error'] : undefined;
  return isMapping(told) ? String(told['message']) : '';
}

const ourAnswers: readonly OurAnswer[] = [
  {
    rule: 'the page is answered',
    applies: ({ request }) => request?.method === 'GET' && request.path === '/',
    answer: () => ({ status: 200, content_type: 'text/html; charset=utf-8' }),
  },
  {
    rule: 'a wrong method on the page is 405',
    applies: ({ request, expect }) => request?.path === '/' && expect.status === 500,
    answer: () => ({
      status: 405,
      content_type: 'application/json',
      headers: { allow: 'GET, HEAD' },
      json: error('MethodNotAllowed', any),
    }),
  },
  {
    rule: 'a file that the page does not have is 404',
    applies: ({ request, expect }) => /^\/static\//.test(request?.path ?? '') && expect.status === 500,
    answer: () => ({ status: 404, content_type: 'application/json', json: error('NoSuchFile', any) }),
  },
  {
    rule: 'JSON that is no object is 400',
    applies: ({ expect }) =>
      expect.status === 500 &&
      /^(?:argument of type '\w+' is not iterable|dictionary update sequence|cannot convert dictionary)/.test(
        messageOf(expect),
      ),
    answer: () => ({
      status: 400,
      content_type: 'application/json',
      json: error('UserError', 'The request data must be a JSON object with the inputs of the flow by name.'),
    }),
  },
  {
    rule: 'a stream that fails midway says so',
    applies: ({ feature, expect }) => feature === 'stream error' && expect.status === 200,
    answer: ({ incomplete: _broken, ...expected }, { request }) => ({
      ...expected,
      text: failingStream(expected, request),
    }),
  },
  {
    rule: 'a file of the flow that is no image is none',
    applies: (one) => one.feature === 'image' && one.expect.status === 200 && wrongImage(one) !== undefined,
    answer: (_, one) => ({
      status: 400,
      content_type: 'application/json',
      json: error('UserError', `Failed to load image for input 'picture': (OSError) '${wrongImage(one)}' is no image`),
    }),
  },
  {
    rule: 'an address of a picture that is refused says why',
    applies: ({ feature, expect }) =>
      feature === 'image' && /Failed to fetch image from URL: http:\S+\.$/.test(messageOf(expect)),
    answer: (expected) => ({
      ...expected,
      json: error('UserError', `${messageOf(expected)} (it leads to no address of the public internet)`),
    }),
  },
  {
    rule: 'init values are JSON where they read as JSON',
    applies: ({ serve, expect }) =>
      serve?.args?.includes('--init') === true && /\(TypeError\) .* 'str'$/.test(messageOf(expect)),
    answer: () => ({ status: 200, content_type: 'application/json', json: any }),
  },
];

/** The last event tells the failure: what the tool raised, or how the model's answer broke off. */
function failingStream({ text }: CaseAnswer, request: ServeCase['request']): JsonValue {
  const said = JSON.stringify(request?.json ?? null);
  const last = (code: string, message: string): string => `${text}data: ${pythonJson(error(code, message))}\n\n`;
  if (/late error/.test(said))
    return last(
      'UserError',
      modelError('APIError', 'the service answered with an error (server_error): broke in mid-stream'),
    );
  if (/cut /.test(said))
    return last(
      'SystemError',
      modelError(
        'UnusableAnswer',
        'the stream ended before the answer was complete: neither finish_reason nor [DONE] came',
      ),
    );
  const [, at] = /"fail_at":(\d+)/.exec(said) ?? [];
  return last('SystemError', `broke at part ${at}`);
}

function modelError(code: string, message: string): string {
  return `OpenAI API hits ${code}: ${message} [Error reference: https://platform.openai.com/docs/guides/error-codes/api-errors] Some of the answer was handed on, so it is not asked for again.`;
}

/** Path of a file that the request takes for a picture, and that is none. */
function wrongImage({ request }: ServeCase): string | undefined {
  return /"data:image\/\w+;path":"([^"]+\.(?:py|yaml|txt|jinja2))"/.exec(JSON.stringify(request?.json ?? null))?.[1];
}

/** How a server that is started ends: that it starts all the same, or the exit code and a part of what it says. */
export type OurStart = 'starts' | { readonly code: number; readonly says: string };

/** A wrong flow and a wrong command line end with 2 here, and are told in our words where these say more. */
export function ourStart({ expect: { message = '' }, serve }: ServeCase): OurStart {
  if (/^pf\.flow\.serve failed with InvalidSource: .* can not be found\.$/.test(message)) return 'starts';
  if (serve?.source !== undefined && /Support directory `source`/.test(message)) return 'starts';
  const [, connection] = /Connection '(.+)' is not found/.exec(message) ?? [];
  if (connection !== undefined) return { code: 2, says: `there is no connection "${connection}"` };
  if (/Unsupported engine/.test(message)) return { code: 2, says: '--engine takes flask, fastapi' };
  if (/Usage error: --environment-variables/.test(message))
    return { code: 2, says: 'is neither NAME=value nor a file' };
  return { code: 2, says: message.replace(/^pf\.flow\.serve failed with \w+: /, '') };
}
