import { thrownText } from '@unroll/engine';
import { notify, ProjectFailure } from '@unroll/project';
import type { Studio } from '@unroll/project/studio';
import type { ErrorAnswer } from '@unroll/project/studio-contract';
import type { Context } from 'hono';

type Status = 400 | 403 | 404 | 409 | 410 | 422 | 500;

const statuses: Readonly<Record<string, Status>> = {
  RunNotFound: 404,
  RowNotFound: 404,
  ValueNotFound: 404,
  NodeNotFound: 404,
  EvalNotFound: 404,
  NothingToLabel: 404,
  FlowNotFound: 404,
  RunRemoved: 410,
  RunInUse: 409,
  RunNotRemoved: 403,
  NotOurs: 409,
  ChatClosed: 410,
  TurnUnderWay: 409,
  OutsideFolder: 403,
  AsksModels: 409,
  Changed: 409,
  LabelChanged: 409,
  NotEditable: 422,
  FlowNotReady: 422,
  ReadOnly: 403,
  RunDamaged: 422,
  MetricNotFound: 404,
  LabelFileError: 422,
  FileInUse: 409,
  DatasetNotChanged: 422,
  OutputNotWritable: 403,
  MarksFileError: 422,
  MarksNotPossible: 400,
};

/** What the project says, as JSON; what it cannot say, with its reason. */
export async function answered(context: Context, studio: Studio, work: () => Promise<object>): Promise<Response> {
  try {
    return context.json(await work(), 200, { 'cache-control': 'no-store' });
  } catch (error) {
    return refusalAnswer(context, studio, error);
  }
}

export function refusalAnswer(context: Context, studio: Studio, error: unknown): Response {
  const { status, ...body } = errorAnswerOf(studio, error);
  return context.json(body, status);
}

/** A failure in the words of the project; of what is a mistake of ours nothing is told but that it is one. */
export function errorAnswerOf({ host }: Studio, error: unknown): ErrorAnswer & { readonly status: Status } {
  if (error instanceof ProjectFailure) {
    const code = error.code === 'RunFileError' ? 'RunDamaged' : (error.code ?? 'NotPossible');
    return { ...errorBody(host.redactor.text(error.message), code, error.help), status: statuses[code] ?? 400 };
  }
  const reason = thrownText(error);
  notify(host, { kind: 'warning', message: `a page of the studio could not be made: ${reason}` });
  return { ...errorBody('The studio itself failed.', 'StudioError'), status: 500 };
}

export function errorBody(message: string, code: string, help?: string): ErrorAnswer {
  return { error: { code, message, help } };
}
