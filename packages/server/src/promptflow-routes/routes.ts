import { existsSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type JsonValue, mappingOf, parseJson, thrownText } from '@unroll/engine';
import { findServedRow, keepFeedback, ProjectFailure, type ServedFlow } from '@unroll/project';
import { Hono } from 'hono';
import { errorAnswer } from '../answers/json-answer.ts';
import { lineOf, noSuchRow, readPlace } from '../answers/place-header.ts';
import type { Serving } from '../answers/serving.ts';
import { answeredOutputs } from './answered-outputs.ts';
import { jsonResponse, type ScoredFlow, score } from './score.ts';
import { swaggerOf } from './swagger.ts';

/**
 * The routes of Prompt flow's server for one flow, answer for answer: its clients need no change. Where we answer otherwise on purpose is
 * in docs/deviations.md.
 *
 * @throws ProjectFailure where what they need cannot be read
 */
export function promptFlowRoutes(flow: ServedFlow, serving: Serving): Hono {
  const { environment } = serving.host;
  const scored: ScoredFlow = { flow, answered: answeredOutputs(flow.plan, environment) };
  const swagger = swaggerOf(parse(flow.folder).name, flow.plan, scored.answered, samplesOf(flow));
  const about = { status: 'Healthy', version: serving.version };
  const app = new Hono();
  app.get('/swagger.json', () => jsonResponse(200, swagger));
  app.get('/health', () => jsonResponse(200, about));
  app.get('/version', () => jsonResponse(200, { ...about, ...buildOf(environment['BUILD_INFO'] ?? '') }));
  app.post('/score', async ({ req }) =>
    score(
      scored,
      { body: new Uint8Array(await req.arrayBuffer()), accept: req.header('accept'), gone: req.raw.signal },
      serving,
    ),
  );
  app.post('/feedback', async ({ req }) =>
    takeFeedback(new Uint8Array(await req.arrayBuffer()), req.header('x-flow-run'), flow, serving),
  );
  return app;
}

/** @param about the row, as the header of its answer named it; it has to be one that there is */
async function takeFeedback(
  said: Uint8Array,
  about: string | undefined,
  { name }: ServedFlow,
  serving: Serving,
): Promise<Response> {
  const place = about === undefined ? undefined : readPlace(about);
  if (place !== undefined && !(await isServed(place, serving))) return noSuchRow();
  const isKept = await keepFeedback(said, { flow: name, ...(place === undefined ? {} : { place }) }, serving.host);
  if (isKept) return jsonResponse(200, { status: 'Feedback received.' });
  return errorAnswer(500, 'NotKept', 'The feedback cannot be kept.');
}

/** Here or on workers. */
async function isServed(place: string, { pending, recorded, distant, flows }: Serving): Promise<boolean> {
  if (pending.has(place)) return true;
  const at = place.lastIndexOf('/');
  const [run, line] = [place.slice(0, Math.max(at, 0)), lineOf(place.slice(at + 1))];
  if ((await findServedRow(run, line, recorded())) !== undefined) return true;
  return (await distant?.find({ run, line }, flows)) !== undefined;
}

/** What BUILD_INFO says, and the version in it where it is JSON that has one. */
function buildOf(written: string): Readonly<Record<string, JsonValue>> {
  try {
    const number = mappingOf(parseJson(written))['build_number'];
    return { build_info: written, ...(number === undefined ? {} : { version: number }) };
  } catch {
    return { build_info: written };
  }
}

/** samples.json beside the flow. */
function samplesOf({ folder }: ServedFlow): JsonValue | undefined {
  const file = join(folder, 'samples.json');
  if (!existsSync(file)) return undefined;
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ProjectFailure(`samples.json is no JSON: ${thrownText(error)}`);
  }
}

/** What Prompt flow's server answers where there is no such route. */
export function unknownRoute(method: string, url: string): Response {
  const path = decodedPath(new URL(url).pathname).replace(/^\/+/, '');
  const text = `The requested api '${path}' with ${method} is not supported by current app, if you entered the URL manually please check your spelling and try again.`;
  return new Response(escapeMarkup(text), { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

/** What cannot be read as UTF-8 stands as it was sent. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What somebody else wrote into an address is shown as text. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
