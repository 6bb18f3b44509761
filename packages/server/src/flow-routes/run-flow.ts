import type { JsonObject, NodeEvent } from '@unroll/engine';
import { engineUnreachable, notify, ProjectFailure, type RequestPlace, type ServedFlow } from '@unroll/project';
import { eventBody } from '../answers/event-body.ts';
import { errorAnswer, jsonAnswer } from '../answers/json-answer.ts';
import { passedOverHeader } from '../answers/passed-over-header.ts';
import { PendingRow } from '../answers/pending-row.ts';
import { placeHeader, placePath } from '../answers/place-header.ts';
import { type RequestOutcome, runRequest } from '../answers/run-request.ts';
import type { Serving } from '../answers/serving.ts';
import { unknownInputs } from '../answers/unknown-inputs.ts';
import { eventText, namedEvent } from './named-event.ts';
import { readObject } from './read-object.ts';
import { rowAnswer, rowJson, runningJson } from './row-answer.ts';
import { nameOf } from './rows.ts';

export interface RunRequest {
  readonly body: string;
  readonly isEventStream: boolean;
  readonly waits: boolean;
  /** Parameters of the address that mean nothing. */
  readonly unknownParameters: readonly string[];
  readonly gone: AbortSignal;
}

type NamedHeaders = Readonly<Record<string, string>>;

/** `POST /flows/{name}/runs`: the row when it has ended, its events as they happen, or at once where it will be. */
export async function runFlow(flow: ServedFlow, request: RunRequest, serving: Serving): Promise<Response> {
  const read = readObject(request.body.trim() === '' ? '{}' : request.body, 'the inputs by name');
  if (!read.ok) return errorAnswer(400, 'InvalidBody', read.message);
  const { value: inputs } = read;
  const parameters = request.unknownParameters.map((name) => `?${name}`);
  const passedOver = passedOverHeader([...unknownInputs(flow, inputs), ...parameters]);
  if (!request.waits) return await startRow(flow, inputs, passedOver, serving);
  if (request.isEventStream) return eventAnswer(flow, inputs, { gone: request.gone, passedOver }, serving);
  const outcome = await runRequest(flow, inputs, { gone: [request.gone] }, serving);
  if (outcome.kind !== 'row') return refusal(outcome);
  return rowAnswer(outcome.row.row, outcome.row.place, flow, serving, passedOver);
}

/** The row runs on, here or on workers; where it will be is known now. */
async function startRow(
  flow: ServedFlow,
  inputs: JsonObject,
  passedOver: NamedHeaders,
  serving: Serving,
): Promise<Response> {
  const isDraining = serving.isDraining();
  if (isDraining) return refusal({ kind: 'busy', isDraining });
  if (serving.distant === undefined) return startHere(flow, inputs, passedOver, serving);
  try {
    const place = await serving.distant.begin(flow, inputs);
    return place === undefined ? refusal({ kind: 'busy', isDraining }) : accepted(place, passedOver);
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    notify(serving.host, { kind: 'warning', message: `a request is not taken: ${error.message}` });
    const message = 'The request cannot be handed over to workers.';
    return errorAnswer(503, engineUnreachable, message, { 'retry-after': '5' });
  }
}

function startHere(flow: ServedFlow, inputs: JsonObject, passedOver: NamedHeaders, serving: Serving): Response {
  if (serving.gate.isFull) return refusal({ kind: 'busy', isDraining: false });
  let place: RequestPlace | undefined;
  const row = new PendingRow();
  const onPlace = (known: RequestPlace | undefined): void => {
    place = known;
    if (known !== undefined) serving.pending.set(nameOf(known), row);
  };
  const unrecorded = new AbortController();
  const onEvent = (event: NodeEvent): void => row.tell(namedEvent(event));
  const ended = runRequest(flow, inputs, { gone: [row.stop, unrecorded.signal], onPlace, onEvent }, serving);
  const known = place as RequestPlace | undefined;
  if (known === undefined) {
    unrecorded.abort();
    return errorAnswer(400, 'NotRecorded', 'Nothing keeps the row: this server does not record all requests.');
  }
  void ended.finally(() => {
    serving.pending.delete(nameOf(known));
    row.end();
  });
  return accepted(known, passedOver);
}

function accepted(place: RequestPlace, passedOver: NamedHeaders): Response {
  const location = `/runs/${placePath(place)}`;
  return jsonAnswer(202, runningJson(place), { location, ...placeHeader(place), ...passedOver });
}

/** `node-started`, `text`, `node-ended` as they happen; `row-ended`, or `error`, is the last. */
function eventAnswer(
  flow: ServedFlow,
  inputs: JsonObject,
  { gone, passedOver }: { readonly gone: AbortSignal; readonly passedOver: NamedHeaders },
  serving: Serving,
): Response {
  const left = new AbortController();
  let place: RequestPlace | undefined;
  let write: (text: string) => void = () => undefined;
  const options = {
    gone: [gone, left.signal],
    streaming: { nodes: 'all', tokens: true } as const,
    onEvent: (event: NodeEvent) => write(namedEvent(event)),
    onPlace: (known: RequestPlace | undefined): void => {
      place = known;
    },
  };
  const ended = runRequest(flow, inputs, options, serving);
  const body = eventBody(
    async (enqueue) => {
      write = enqueue;
      const outcome = await ended;
      if (outcome.kind === 'row') {
        enqueue(eventText('row-ended', rowJson(outcome.row.row, outcome.row.place, flow, serving)));
      } else enqueue(eventText('error', refusalJson(outcome)));
    },
    () => left.abort(),
  );
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...placeHeader(place),
    ...passedOver,
  };
  return new Response(body, { headers });
}

function refusal(outcome: Exclude<RequestOutcome, { readonly kind: 'row' }>): Response {
  const status = outcome.kind === 'timed-out' ? 504 : 503;
  return jsonAnswer(status, refusalJson(outcome), outcome.kind === 'busy' ? { 'retry-after': '1' } : {});
}

function refusalJson(outcome: Exclude<RequestOutcome, { readonly kind: 'row' }>): JsonObject {
  const errorBody = (code: string, message: string): JsonObject => ({ error: { code, message } });
  if (outcome.kind === 'timed-out')
    return errorBody('RequestTimeout', `The request took longer than ${outcome.seconds} s.`);
  if (outcome.kind === 'gone') return errorBody('RequestGone', 'The request was given up.');
  return outcome.isDraining
    ? errorBody('Draining', 'The server is about to end.')
    : errorBody('TooManyRequests', 'Too many requests are under way.');
}
