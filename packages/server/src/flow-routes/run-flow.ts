import { type JsonObject, type NodeEvent, stringifyJson } from '@unroll/engine';
import type { RequestPlace, ServedFlow } from '@unroll/project';
import { eventBody } from '../answers/event-body.ts';
import { errorAnswer, jsonAnswer } from '../answers/json-answer.ts';
import { passedOverHeader } from '../answers/passed-over-header.ts';
import { placeHeader, placePath } from '../answers/place-header.ts';
import { type RequestOutcome, runRequest } from '../answers/run-request.ts';
import type { Serving } from '../answers/serving.ts';
import { unknownInputs } from '../answers/unknown-inputs.ts';
import { readObject } from './read-object.ts';
import { rowAnswer, rowJson } from './row-answer.ts';

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
  const inputs = readObject(request.body.trim() === '' ? '{}' : request.body);
  if (inputs === undefined)
    return errorAnswer(400, 'InvalidBody', 'The body must be a JSON object with the inputs by name.');
  const parameters = request.unknownParameters.map((name) => `?${name}`);
  const passedOver = passedOverHeader([...unknownInputs(flow, inputs), ...parameters]);
  if (!request.waits) return startRow(flow, inputs, passedOver, serving);
  if (request.isEventStream) return eventAnswer(flow, inputs, { gone: request.gone, passedOver }, serving);
  const outcome = await runRequest(flow, inputs, { gone: request.gone }, serving);
  if (outcome.kind !== 'row') return refusal(outcome);
  return rowAnswer(outcome.row.row, outcome.row.place, flow, serving, passedOver);
}

/** The row runs on; where it will be is known now. */
function startRow(flow: ServedFlow, inputs: JsonObject, passedOver: NamedHeaders, serving: Serving): Response {
  if (serving.gate.isFull || serving.isDraining()) return refusal({ kind: 'busy', isDraining: serving.isDraining() });
  let place: RequestPlace | undefined;
  const onPlace = (known: RequestPlace | undefined): void => {
    place = known;
    if (known !== undefined) serving.pending.add(nameOf(known));
  };
  const stop = new AbortController();
  const ended = runRequest(flow, inputs, { gone: stop.signal, onPlace }, serving);
  const told = place as RequestPlace | undefined;
  if (told === undefined) {
    stop.abort();
    return errorAnswer(400, 'NotRecorded', 'Nothing keeps the row: this server does not record all requests.');
  }
  void ended.finally(() => serving.pending.delete(nameOf(told)));
  return jsonAnswer(202, runningJson(told), {
    location: `/runs/${placePath(told)}`,
    ...placeHeader(told),
    ...passedOver,
  });
}

function runningJson({ run, line }: RequestPlace): JsonObject {
  return { status: 'Running', outputs: {}, error: null, run, line };
}

function nameOf({ run, line }: RequestPlace): string {
  return `${run}/${line}`;
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
    gone: AbortSignal.any([gone, left.signal]),
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

/** What nodes were given and gave stays in the record. */
function namedEvent(event: NodeEvent): string {
  if (event.type === 'node-started') return eventText(event.type, { node: event.node });
  if (event.type === 'streams-begin') return '';
  if (event.type === 'text') {
    const { node, text, output } = event;
    return eventText('text', { node, text, ...(output === undefined ? {} : { output }) });
  }
  const { node, status, durationMs = null, usage } = event.run;
  return eventText('node-ended', {
    node,
    status,
    duration_ms: durationMs,
    tokens:
      usage === undefined ? null : { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens },
  });
}

function eventText(name: string, data: JsonObject): string {
  return `event: ${name}\ndata: ${stringifyJson(data)}\n\n`;
}

function refusal(outcome: Exclude<RequestOutcome, { readonly kind: 'row' }>): Response {
  const status = outcome.kind === 'timed-out' ? 504 : 503;
  return jsonAnswer(status, refusalJson(outcome), outcome.kind === 'busy' ? { 'retry-after': '1' } : {});
}

function refusalJson(outcome: Exclude<RequestOutcome, { readonly kind: 'row' }>): JsonObject {
  const told = (code: string, message: string): JsonObject => ({ error: { code, message } });
  if (outcome.kind === 'timed-out') return told('RequestTimeout', `The request took longer than ${outcome.seconds} s.`);
  if (outcome.kind === 'gone') return told('RequestGone', 'The request was given up.');
  return outcome.isDraining
    ? told('Draining', 'The server is about to end.')
    : told('TooManyRequests', 'Too many requests are under way.');
}
