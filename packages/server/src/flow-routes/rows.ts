import { setTimeout } from 'node:timers/promises';
import type { RowRun } from '@unroll/engine';
import {
  type DistantRequest,
  findServedRow,
  keepLabels,
  labelMistake,
  type RequestPlace,
  type ServedFlow,
} from '@unroll/project';
import { eventBody } from '../answers/event-body.ts';
import { errorAnswer, jsonAnswer } from '../answers/json-answer.ts';
import type { PendingRow } from '../answers/pending-row.ts';
import { noSuchRow, placeHeader } from '../answers/place-header.ts';
import type { Serving } from '../answers/serving.ts';
import { isUnreachable } from '../answers/unreachable.ts';
import { eventText, nodeEndedEvent } from './named-event.ts';
import { readObject } from './read-object.ts';
import { rowAnswer, rowJson, runningJson } from './row-answer.ts';

/** How often a row on workers is looked at for those who follow it. */
const lookMs = 500;

interface EndedRow {
  readonly flow: ServedFlow;
  readonly row: Pick<RowRun, 'status' | 'outputs' | 'error' | 'unfinished'>;
}

/** `GET /runs/{run}/{line}`: a row that a server of these flows recorded; 202 while it runs. */
export async function rowOf(place: RequestPlace, serving: Serving): Promise<Response> {
  const found = await endedRow(place, serving);
  if (found !== undefined) return rowAnswer(found.row, place, found.flow, serving);
  return (await isUnderWay(place, serving)) ? jsonAnswer(202, runningJson(place)) : noSuchRow();
}

/** `PUT /runs/{run}/{line}/labels`: the last that were put hold. */
export async function labelRow(place: RequestPlace, body: string, serving: Serving): Promise<Response> {
  const read = readObject(body, 'the labels');
  if (!read.ok) return errorAnswer(400, 'InvalidBody', read.message);
  const mistake = labelMistake(read.value);
  if (mistake !== undefined) return errorAnswer(400, 'InvalidLabels', mistake);
  const found = await endedRow(place, serving);
  if (found === undefined) return noSuchRow();
  const { run, line } = place;
  const isKept = await keepLabels(read.value, { flow: found.flow.name, place: `${run}/${line}` }, serving.host);
  return isKept
    ? jsonAnswer(200, { run, line, labels: read.value })
    : errorAnswer(500, 'NotKept', 'The labels cannot be kept.');
}

/** `DELETE /runs/{run}/{line}`: a row that runs is given up. */
export async function cancelRow(place: RequestPlace, serving: Serving): Promise<Response> {
  if ((await endedRow(place, serving)) !== undefined) {
    return errorAnswer(409, 'RowEnded', 'The row has ended; GET tells what it came to.');
  }
  const pending = serving.pending.get(nameOf(place));
  if (pending !== undefined) {
    await pending.cancel();
    return await rowOf(place, serving);
  }
  if ((await serving.distant?.find(place, serving.flows)) === undefined) return noSuchRow();
  await serving.distant?.cancel(place);
  return jsonAnswer(202, runningJson(place));
}

/** `GET /runs/{run}/{line}/events`: what happened in it and what happens, `row-ended` last. */
export async function rowEvents(place: RequestPlace, asked: AbortSignal, serving: Serving): Promise<Response> {
  const pending = serving.pending.get(nameOf(place));
  const isThere = pending !== undefined || (await endedRow(place, serving)) !== undefined;
  if (!isThere && !(await isUnderWay(place, serving))) return noSuchRow();
  const left = new AbortController();
  const gone = AbortSignal.any([asked, left.signal]);
  const body = eventBody(
    async (write) => {
      if (pending === undefined) await followThere(place, write, gone, serving);
      else await followHere(pending, place, write, gone, serving);
    },
    () => left.abort(),
  );
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...placeHeader(place),
  };
  return new Response(body, { headers });
}

async function followHere(
  pending: PendingRow,
  place: RequestPlace,
  write: (text: string) => void,
  gone: AbortSignal,
  serving: Serving,
): Promise<void> {
  await pending.follow(write, gone);
  const found = gone.aborted ? undefined : await endedRow(place, serving);
  if (found !== undefined) write(eventText('row-ended', rowJson(found.row, place, found.flow, serving)));
}

/** Of a row on workers the nodes that have ended are known, each as soon as it is recorded. */
async function followThere(
  place: RequestPlace,
  write: (text: string) => void,
  gone: AbortSignal,
  serving: Serving,
): Promise<void> {
  let written = 0;
  const isOver = async (found: DistantRequest | undefined): Promise<boolean> => {
    const nodes = found?.nodes ?? [];
    for (const node of nodes.slice(written)) write(nodeEndedEvent(node));
    written = nodes.length;
    const ended = found === undefined ? await endedRow(place, serving) : withRow(found);
    if (ended !== undefined) write(eventText('row-ended', rowJson(ended.row, place, ended.flow, serving)));
    return ended !== undefined || found === undefined;
  };
  while (!gone.aborted && !serving.isDraining()) {
    const found = await foundThere(place, serving);
    if (found !== 'later' && (await isOver(found))) return;
    await setTimeout(lookMs, undefined, { signal: gone }).catch(() => undefined);
  }
}

/** Who follows a row waits until the engine is there again, as the row does. */
async function foundThere(place: RequestPlace, serving: Serving): Promise<DistantRequest | 'later' | undefined> {
  try {
    return await serving.distant?.find(place, serving.flows);
  } catch (error) {
    if (isUnreachable(error)) return 'later';
    throw error;
  }
}

async function endedRow(place: RequestPlace, serving: Serving): Promise<EndedRow | undefined> {
  const here = await findServedRow(place.run, place.line, serving.recorded());
  if (here !== undefined) return here;
  return withRow(await serving.distant?.find(place, serving.flows));
}

function withRow(request: DistantRequest | undefined): EndedRow | undefined {
  return request?.row === undefined ? undefined : { flow: request.flow, row: request.row };
}

async function isUnderWay(place: RequestPlace, serving: Serving): Promise<boolean> {
  return serving.pending.has(nameOf(place)) || (await serving.distant?.find(place, serving.flows)) !== undefined;
}

export function nameOf({ run, line }: RequestPlace): string {
  return `${run}/${line}`;
}
