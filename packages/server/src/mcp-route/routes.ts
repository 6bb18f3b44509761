import { declaresNoOutputs, type JsonObject, type JsonValue, parseJson, thrownText } from '@unroll/engine';
import { PrepareError } from '@unroll/engine/values';
import { answerMcp, type OfferedTool, refuseUnparsed, type ToolOutcome } from '@unroll/nodes/mcp-server';
import type { ServedFlow } from '@unroll/project';
import { Hono, type HonoRequest } from 'hono';
import { withLeaving } from '../answers/event-body.ts';
import { errorAnswer, plainJson } from '../answers/json-answer.ts';
import { passedOverHeader } from '../answers/passed-over-header.ts';
import { requestText } from '../answers/request-text.ts';
import { type RequestOutcome, runRequest } from '../answers/run-request.ts';
import type { Serving } from '../answers/serving.ts';
import { unknownInputs } from '../answers/unknown-inputs.ts';
import { inputsSchema, outputsSchema } from '../flow-routes/field-schema.ts';
import { rowJson } from '../flow-routes/row-answer.ts';
import { toolNames } from './tool-names.ts';

/** Flows as tools of the Model Context Protocol over streamable HTTP; nothing is kept between requests, so that there are no sessions. */
export function mcpRoutes(serving: Serving): Hono {
  const { flows, version } = serving;
  const names = toolNames(flows.map(({ name }) => name));
  const app = new Hono();
  app.post('/mcp', async ({ req }) => {
    const left = new AbortController();
    const gone = [req.raw.signal, left.signal];
    const tools = flows.map((flow, at) => toolOf(flow, names[at] ?? flow.name, gone, serving));
    const body = await readBody(req);
    if (!body.ok) return refuseUnparsed(body.reason);
    try {
      const answer = await answerMcp(req.raw, body.value, { name: 'unroll', version, tools });
      return withLeaving(answer, () => left.abort());
    } catch (error) {
      if (!(error instanceof PrepareError)) throw error;
      return errorAnswer(501, error.error.code, error.message);
    }
  });
  app.all('/mcp', () =>
    errorAnswer(405, 'MethodNotAllowed', 'MCP is spoken with POST: there are no sessions.', { allow: 'POST' }),
  );
  return app;
}

type ReadBody = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string };

async function readBody(request: HonoRequest): Promise<ReadBody> {
  try {
    return { ok: true, value: parseJson(await requestText(request)) };
  } catch (error) {
    if (request.raw.signal.aborted) throw error;
    return { ok: false, reason: thrownText(error) };
  }
}

function toolOf(flow: ServedFlow, name: string, gone: readonly AbortSignal[], serving: Serving): OfferedTool {
  const outputs = declaresNoOutputs(flow.plan) ? [] : flow.plan.outputs.map((output) => output.name);
  const gives = outputs.length === 0 ? '' : `, which gives: ${outputs.join(', ')}`;
  return {
    name,
    description: `Runs the flow ${flow.name}${gives}.`,
    inputSchema: inputsSchema(flow.plan),
    outputSchema: outputsSchema(flow.plan),
    call: async (given) => {
      const { meta, ...outcome } = toolOutcome(await runRequest(flow, given, { gone }, serving), flow, serving);
      return { ...outcome, meta: { ...meta, ...passedOverHeader(unknownInputs(flow, given)) } };
    },
  };
}

function toolOutcome(outcome: RequestOutcome, flow: ServedFlow, serving: Serving): ToolOutcome {
  if (outcome.kind !== 'row') return { ok: false, message: refusal(outcome), meta: {} };
  const { row, place } = outcome.row;
  const meta = place === undefined ? {} : { 'x-flow-run': `${place.run}/${place.line}` };
  const { outputs, error } = rowJson(row, place, flow, serving);
  if (error !== null) return { ok: false, message: (error as { readonly message: string }).message, meta };
  const { text, value } = plainJson(outputs as JsonObject);
  return { ok: true, output: value, text, meta };
}

function refusal(outcome: Exclude<RequestOutcome, { readonly kind: 'row' }>): string {
  if (outcome.kind === 'timed-out') return `The request took longer than ${outcome.seconds} s.`;
  if (outcome.kind === 'gone') return 'The request was given up.';
  return outcome.isDraining ? 'The server is about to end.' : 'Too many requests are under way.';
}
