import { type FailureKind, ProjectFailure, reasonOf } from '@unroll/project';

/** Why a file or folder that a command was to write is not there; `failed` where something ran before. */
export function outputNotWritable(path: string, error: unknown, kind: FailureKind = 'wrong'): ProjectFailure {
  return new ProjectFailure(`${path} cannot be written: ${reasonOf(error)}`, { code: 'OutputNotWritable', kind });
}
