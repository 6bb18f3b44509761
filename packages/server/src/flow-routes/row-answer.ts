import { isInputError, type JsonObject, type RowRun } from '@unroll/engine';
import type { RequestPlace, ServedFlow } from '@unroll/project';
import { withImageBytes } from '../answers/image-bytes.ts';
import { jsonAnswer } from '../answers/json-answer.ts';
import { placeHeader } from '../answers/place-header.ts';
import type { Serving } from '../answers/serving.ts';
import { shownMessage } from '../answers/shown-message.ts';

/** A row as clients are told it: `{status, outputs, error, run, line}`, the words of docs/run-json.md. */
export function rowJson(
  row: Pick<RowRun, 'status' | 'outputs' | 'error' | 'unfinished'>,
  place: RequestPlace | undefined,
  flow: ServedFlow,
  serving: Serving,
): JsonObject {
  const { status, outputs, error, unfinished } = row;
  return {
    status: status === 'Completed' && unfinished !== undefined ? 'Unfinished' : status,
    outputs: withImageBytes(outputs, flow.plan.messageFormat),
    error:
      error === undefined
        ? null
        : { code: error.code, message: shownMessage(error.message, flow, serving), node: error.node ?? null },
    run: place?.run ?? null,
    line: place?.line ?? null,
  };
}

/** A row that runs. */
export function runningJson({ run, line }: RequestPlace): JsonObject {
  return { status: 'Running', outputs: {}, error: null, run, line };
}

/** The same as an answer: 200 also where it was given up, 400 where inputs are to blame and nothing ran, 500 where the flow failed. */
export function rowAnswer(
  row: Pick<RowRun, 'status' | 'outputs' | 'error' | 'unfinished'>,
  place: RequestPlace | undefined,
  flow: ServedFlow,
  serving: Serving,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonAnswer(statusOf(row), rowJson(row, place, flow, serving), { ...placeHeader(place), ...headers });
}

function statusOf({ status, error }: Pick<RowRun, 'status' | 'error'>): number {
  if (error === undefined || status === 'Canceled') return 200;
  const isImage = error.node === undefined && error.code === 'LoadMultimediaDataError';
  return isImage || isInputError(error) ? 400 : 500;
}
