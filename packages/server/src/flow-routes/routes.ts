import type { JsonObject } from '@unroll/engine';
import { keepLabels, type ServedFlow } from '@unroll/project';
import { Hono } from 'hono';
import type { EditedFlows } from '../answers/edited-flows.ts';
import { eventBody } from '../answers/event-body.ts';
import { errorAnswer, jsonAnswer } from '../answers/json-answer.ts';
import type { Serving } from '../answers/serving.ts';
import { openApiOf } from './openapi.ts';
import { readObject } from './read-object.ts';
import { rowAnswer } from './row-answer.ts';
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
    const isEventStream = (req.header('accept') ?? '').includes('text/event-stream');
    const request = { body: await req.text(), isEventStream, waits: req.query('wait') !== '0', gone: req.raw.signal };
    return await runFlow(flow, request, serving);
  });
  app.get('/runs/:run/:line', ({ req }) => rowOf(req.param('run'), req.param('line'), serving));
  app.put('/runs/:run/:line/labels', async ({ req }) =>
    labelRow(req.param('run'), req.param('line'), await req.text(), serving),
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
    outputs: plan.outputs.map(({ name: output, type, description }) => ({
      name: output,
      type,
      ...(description === undefined ? {} : { description }),
    })),
  };
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

/** A row of a run that this server writes. */
async function rowOf(run: string, written: string, serving: Serving): Promise<Response> {
  const line = lineOf(written);
  const found = await findRow(run, line, serving);
  if (found !== undefined) return rowAnswer(found.row, { run, line }, found.flow, serving);
  if (serving.pending.has(`${run}/${line}`)) {
    return jsonAnswer(202, { status: 'Running', outputs: {}, error: null, run, line });
  }
  return noSuchRow();
}

/** Puts labels beside a row of a run that this server writes; the last that were put hold. */
async function labelRow(run: string, written: string, body: string, serving: Serving): Promise<Response> {
  const labels = readObject(body);
  if (labels === undefined) return errorAnswer(400, 'InvalidBody', 'The body must be a JSON object with the labels.');
  const line = lineOf(written);
  const found = await findRow(run, line, serving);
  if (found === undefined) return noSuchRow();
  const isKept = await keepLabels(labels, { flow: found.flow.name, place: `${run}/${line}` }, serving.host);
  return isKept ? jsonAnswer(200, { run, line, labels }) : errorAnswer(500, 'NotKept', 'The labels cannot be kept.');
}

function lineOf(written: string): number {
  return /^\d{1,15}$/.test(written) ? Number(written) : -1;
}

async function findRow(run: string, line: number, { recorded }: Serving) {
  for (const flow of recorded()) {
    const row = await flow.recordOf(run)?.row(line);
    if (row !== undefined) return { flow, row };
  }
  return undefined;
}

function noSuchRow(): Response {
  return errorAnswer(404, 'RowNotFound', 'There is no such row among those this server writes.');
}
