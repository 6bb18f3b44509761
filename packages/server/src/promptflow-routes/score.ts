import { isPromptyPath, type JsonObject, type JsonValue } from '@unroll/engine';
import type { RequestPlace, ServedFlow, ServedRow } from '@unroll/project';
import { eventBody } from '../answers/event-body.ts';
import { withImageBytes } from '../answers/image-bytes.ts';
import { passedOverHeader } from '../answers/passed-over-header.ts';
import { placeHeader } from '../answers/place-header.ts';
import { type RequestOutcome, runRequest } from '../answers/run-request.ts';
import type { Serving } from '../answers/serving.ts';
import { shownMessage } from '../answers/shown-message.ts';
import { unknownInputs } from '../answers/unknown-inputs.ts';
import { acceptedTypes, acceptsJson, wantsEventStream } from './accept.ts';
import { type AnsweredOutputs, rowAnswer } from './answered-outputs.ts';
import { flaskJson } from './flask-json.ts';
import { readRequestData } from './request-data.ts';
import { errorBody, notAcceptable, rowError, type ScoreError, userError } from './score-error.ts';
import { dataEvent, ScoreStream } from './score-stream.ts';

/** What the routes of Prompt flow's server answer for: one flow. */
export interface ScoredFlow {
  readonly flow: ServedFlow;
  /** Names of the outputs that are answered. */
  readonly answered: AnsweredOutputs;
}

/** `POST /score`: runs the flow on the inputs in the body. */
export async function score(
  { flow, answered }: ScoredFlow,
  request: { readonly body: Uint8Array; readonly accept: string | undefined; readonly gone: AbortSignal },
  serving: Serving,
): Promise<Response> {
  const data = readRequestData(flow.plan, request.body);
  if (!data.ok) return errorResponse(data.error);
  const types = acceptedTypes(request.accept);
  const { inputs } = data;
  const answer = await answerOf({ flow, answered }, inputs, { types, gone: request.gone }, serving);
  const passedOver = passedOverHeader(unknownInputs(flow, inputs));
  for (const [name, value] of Object.entries(passedOver)) answer.headers.set(name, value);
  return answer;
}

async function answerOf(
  scored: ScoredFlow,
  inputs: JsonObject,
  { types, gone }: { readonly types: readonly string[]; readonly gone: AbortSignal },
  serving: Serving,
): Promise<Response> {
  if (streams(types, scored.flow)) return await new StreamedScore(scored, inputs, types, serving).respond(gone);
  const outcome = await runRequest(scored.flow, inputs, { gone: [gone] }, serving);
  return outcome.kind === 'row' ? rowResponse(outcome.row, scored, types, serving) : refusal(outcome);
}

/** A prompty streams where its own parameters say so. */
function streams(types: readonly string[], { plan: { file, nodes } }: ServedFlow): boolean {
  if (!wantsEventStream(types)) return false;
  return !isPromptyPath(file.path) || nodes[0]?.definition.settings['streams'] === true;
}

/** A request that asked for a stream, and may be answered otherwise. */
class StreamedScore {
  readonly #scored: ScoredFlow;
  readonly #inputs: JsonObject;
  readonly #types: readonly string[];
  readonly #serving: Serving;
  readonly #stream: ScoreStream;
  #place: RequestPlace | undefined;

  constructor(scored: ScoredFlow, inputs: JsonObject, types: readonly string[], serving: Serving) {
    this.#scored = scored;
    this.#inputs = inputs;
    this.#types = types;
    this.#serving = serving;
    this.#stream = new ScoreStream(scored.flow.plan, inputs, scored.answered);
  }

  async respond(gone: AbortSignal): Promise<Response> {
    const left = new AbortController();
    const options = {
      gone: [gone, left.signal],
      onEvent: this.#stream.listen,
      streaming: { nodes: 'answers', tokens: false } as const,
      onPlace: (place: RequestPlace | undefined): void => {
        this.#place = place;
      },
    };
    const ended = runRequest(this.#scored.flow, this.#inputs, options, this.#serving);
    const first = await Promise.race([ended, this.#stream.begun]);
    if (!('kind' in first)) return this.#events(first.outputs, first.name, ended, left);
    if (first.kind !== 'row') return refusal(first);
    return this.#afterEnd(first.row);
  }

  /** A row that ended before its stream could begin. */
  #afterEnd(row: ServedRow): Response {
    const [name, ...others] = this.#stream.streams;
    if (name === undefined || row.row.status !== 'Completed')
      return rowResponse(row, this.#scored, this.#types, this.#serving);
    if (others.length > 0) return errorResponse(userError('Multiple stream output fields not supported.'), row.place);
    const answer = rowAnswer(row, this.#scored.flow.plan, this.#scored.answered) as JsonObject;
    const { [name]: _streamed, ...outputs } = answer;
    const events = this.#stream.held.map((piece) => dataEvent({ [name]: piece }));
    return eventResponse([...firstEvent(outputs), ...events].join(''), row.place);
  }

  #events(outputs: JsonObject, name: string, ended: Promise<RequestOutcome>, left: AbortController): Response {
    const { messageFormat } = this.#scored.flow.plan;
    const body = eventBody(
      async (write) => {
        for (const event of firstEvent(withImageBytes(outputs, messageFormat) as JsonObject)) write(event);
        this.#stream.send((piece) => write(dataEvent({ [name]: piece })));
        const error = failureOf(await ended, this.#scored.flow, this.#serving);
        if (error !== undefined) write(dataEvent(errorBody(error)));
      },
      () => left.abort(),
    );
    return eventResponse(body, this.#place);
  }
}

/** The outputs that are no streams, where there are any. */
function firstEvent(outputs: JsonObject): readonly string[] {
  return Object.keys(outputs).length === 0 ? [] : [dataEvent(outputs)];
}

function rowResponse(
  row: ServedRow,
  { flow, answered }: ScoredFlow,
  types: readonly string[],
  serving: Serving,
): Response {
  const error = failureOf({ kind: 'row', row }, flow, serving);
  if (error !== undefined) return errorResponse(error, row.place);
  if (!acceptsJson(types)) return errorResponse(notAcceptable(types, 'application/json'), row.place);
  return jsonResponse(200, rowAnswer(row, flow.plan, answered), placeHeader(row.place));
}

function failureOf(outcome: RequestOutcome, flow: ServedFlow, serving: Serving): ScoreError | undefined {
  if (outcome.kind === 'row') {
    const { error } = outcome.row.row;
    if (error === undefined) return undefined;
    return rowError({ code: error.code, message: shownMessage(error.message, flow, serving) });
  }
  return refusalError(outcome);
}

function refusalError(outcome: Exclude<RequestOutcome, { readonly kind: 'row' }>): ScoreError {
  if (outcome.kind === 'timed-out')
    return { status: 504, message: `The request took longer than ${outcome.seconds} s.` };
  if (outcome.kind === 'gone') return { status: 503, message: 'The request was given up.' };
  return {
    status: 503,
    message: outcome.isDraining ? 'The server is about to end.' : 'Too many requests are under way.',
  };
}

function refusal(outcome: Exclude<RequestOutcome, { readonly kind: 'row' }>): Response {
  const error = refusalError(outcome);
  return jsonResponse(error.status, errorBody(error), outcome.kind === 'busy' ? { 'retry-after': '1' } : {});
}

function errorResponse(error: ScoreError, place?: RequestPlace): Response {
  return jsonResponse(error.status, errorBody(error), placeHeader(place));
}

/** JSON as Prompt flow's server prints it. */
export function jsonResponse(
  status: number,
  value: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(flaskJson(value), { status, headers: { 'content-type': 'application/json', ...headers } });
}

function eventResponse(body: string | ReadableStream<Uint8Array>, place: RequestPlace | undefined): Response {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...placeHeader(place),
  };
  return new Response(body, { headers });
}
