import { declaresNoOutputs, type JsonObject, type Plan } from '@unroll/engine';
import { chatShapeOf, listServedRuns, ProjectFailure, type RequestPlace, type ServedFlow } from '@unroll/project';
import { type Context, type Env, Hono } from 'hono';
import type { EditedFlows } from '../answers/edited-flows.ts';
import { eventBody } from '../answers/event-body.ts';
import { errorAnswer, jsonAnswer } from '../answers/json-answer.ts';
import { lineOf } from '../answers/place-header.ts';
import { requestText } from '../answers/request-text.ts';
import type { Serving } from '../answers/serving.ts';
import { openApiOf } from './openapi.ts';
import { cancelRow, labelRow, rowEvents, rowOf } from './rows.ts';
import { runFlow } from './run-flow.ts';

/** Our own routes, for any number of flows. */
export function flowRoutes(serving: Serving): Hono {
  const { flows } = serving;
  const document = openApiOf(serving);
  const app = new Hono();
  app.get('/flows', () => jsonAnswer(200, { flows: flows.map(flowJson), ...mistakesJson(serving) }));
  app.get('/flows/changes', ({ req }) =>
    serving.edited === undefined
      ? errorAnswer(404, 'NotEdited', 'These flows do not change while they are served; flow dev serves those that do.')
      : changesAnswer(serving.edited, req.raw.signal),
  );
  app.get('/openapi.json', () => jsonAnswer(200, document));
  app.post('/flows/:name/runs', async ({ req }) => {
    const flow = flows.find(({ name }) => name === req.param('name'));
    if (flow === undefined) return errorAnswer(404, 'FlowNotFound', 'There is no such flow; GET /flows lists them.');
    const waits = oneOf(req.queries('wait'), ['0', '1'], '1');
    if (waits === undefined)
      return errorAnswer(400, 'InvalidQuery', 'wait must be 0 (answered at once) or 1 (answered with the row).');
    const isEventStream = (req.header('accept') ?? '').includes('text/event-stream');
    const unknownParameters = Object.keys(req.query()).filter((name) => name !== 'wait');
    const request = { body: await requestText(req), isEventStream, waits: waits === '1', gone: req.raw.signal };
    return await runFlow(flow, { ...request, unknownParameters }, serving);
  });
  app.get('/runs', ({ req }) => listRuns(req.queries('limit'), serving));
  const placeOf = ({ req }: Context<Env, '/runs/:run/:line'>): RequestPlace => ({
    run: req.param('run'),
    line: lineOf(req.param('line')),
  });
  app.get('/runs/:run/:line', (context) => rowOf(placeOf(context), serving));
  app.delete('/runs/:run/:line', (context) => cancelRow(placeOf(context), serving));
  app.get('/runs/:run/:line/events', (context) => rowEvents(placeOf(context), context.req.raw.signal, serving));
  app.put('/runs/:run/:line/labels', async (context) =>
    labelRow(placeOf(context), await requestText(context.req), serving),
  );
  app.on(['GET', 'PUT', 'PATCH', 'DELETE'], '/flows/:name/runs', () =>
    errorAnswer(405, 'MethodNotAllowed', 'A flow is run with POST.', { allow: 'POST' }),
  );
  return app;
}

function flowJson({ name, plan }: ServedFlow): JsonObject {
  return {
    name,
    inputs: plan.inputs.map(({ name: input, type, description, default: fallback }) => ({
      name: input,
      type,
      ...(description === undefined ? {} : { description }),
      ...(fallback === undefined ? {} : { default: fallback }),
    })),
    outputs: (declaresNoOutputs(plan) ? [] : plan.outputs).map(({ name: output, type, description }) => ({
      name: output,
      type,
      ...(description === undefined ? {} : { description }),
    })),
    ...chatJson(plan),
  };
}

/** Which input takes what is said, which the turns before it, which output answers, and whose text is the answer; only of a chat. */
function chatJson(plan: Plan): JsonObject {
  try {
    const { input, history = null, output = null, answeringNode = null } = chatShapeOf(plan);
    return { chat: { input: input.name, history, output, node: answeringNode } };
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return {};
  }
}

/** Only where flows are edited while they are served. */
function mistakesJson({ edited }: Serving): JsonObject {
  return edited === undefined ? {} : { mistakes: edited.mistakes.map((one) => ({ ...one })) };
}

/** An event `changed` at once and whenever another version is served, or the mistakes are others. */
function changesAnswer(edited: EditedFlows, gone: AbortSignal): Response {
  const left = new AbortController();
  const body = eventBody(
    (write) => edited.follow(() => write('event: changed\ndata: {}\n\n'), AbortSignal.any([gone, left.signal])),
    () => left.abort(),
  );
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  return new Response(body, { headers });
}

/** The one value of a parameter of an address; undefined where it is none of those it may have, or there are several. */
function oneOf(
  [given, ...others]: readonly string[] = [],
  allowed: readonly string[],
  otherwise: string,
): string | undefined {
  if (given === undefined) return otherwise;
  return others.length === 0 && allowed.includes(given) ? given : undefined;
}

const maxListed = 100;

/** The newest runs of requests to the flows that are served. */
async function listRuns(given: readonly string[] | undefined, { flows, host, distant }: Serving): Promise<Response> {
  const limits = Array.from({ length: maxListed }, (_, at) => String(at + 1));
  const limit = oneOf(given, limits, '20');
  if (limit === undefined)
    return errorAnswer(400, 'InvalidQuery', `limit must be a whole number from 1 to ${maxListed}.`);
  const here = await listServedRuns(flows, Number(limit), host);
  const there = (await distant?.list(flows, Number(limit))) ?? [];
  // One of the engine's may have been copied here.
  const runs = new Map([...here, ...there].map((run) => [run.run, run]));
  const newest = [...runs.values()].sort((one, other) => other.startedAt - one.startedAt).slice(0, Number(limit));
  return jsonAnswer(200, {
    runs: newest.map(({ startedAt, ...run }) => ({ ...run, started_at: new Date(startedAt).toISOString() })),
  });
}
