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
  FlowNotFound: 404,
  RunRemoved: 410,
  RunInUse: 409,
  NotOurs: 409,
  OutsideFolder: 403,
  AsksModels: 409,
  Changed: 409,
  ReadOnly: 403,
  RunDamaged: 422,
  MetricNotFound: 404,
  LabelFileError: 422,
  LabelsInUse: 409,
};

/** What the project says, as JSON; what it cannot say, with its reason. */
export async function answered(context: Context, studio: Studio, work: () => Promise<object>): Promise<Response> {
  try {
    return context.json(await work(), 200, { 'cache-control': 'no-store' });
  } catch (error) {
    return refused(context, studio, error);
  }
}

export function refused(context: Context, { host }: Studio, error: unknown): Response {
  if (error instanceof ProjectFailure) {
    const code = error.code === 'RunFileError' ? 'RunDamaged' : (error.code ?? 'NotPossible');
    return context.json(errorBody(host.redactor.text(error.message), code, error.help), statuses[code] ?? 400);
  }
  const reason = error instanceof Error ? error.message : String(error);
  notify(host, { kind: 'warning', message: `a page of the studio could not be made: ${reason}` });
  return context.json(errorBody('The studio itself failed.', 'StudioError'), 500);
}

export function errorBody(message: string, code: string, help?: string): ErrorAnswer {
  return { error: { code, message, ...(help === undefined ? {} : { help }) } };
}
