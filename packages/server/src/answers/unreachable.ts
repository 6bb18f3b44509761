import { engineUnreachable, notify, ProjectFailure, type ProjectHost } from '@unroll/project';
import { errorAnswer } from './json-answer.ts';

/** Whether what is asked for is kept where it cannot be had now: later it may. */
export function isUnreachable(error: unknown): error is ProjectFailure {
  return error instanceof ProjectFailure && error.code === engineUnreachable;
}

export function unreachableAnswer({ message }: ProjectFailure, host: ProjectHost): Response {
  notify(host, { kind: 'warning', message: `a request is not answered: ${message}` });
  const told = 'What is asked for is kept by an engine that cannot be reached now.';
  return errorAnswer(503, engineUnreachable, told, { 'retry-after': '5' });
}
