import type { NodeError } from '@unroll/engine';

/** As `channels.py` has it. */
const lostChannel = 121;

export function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === lostChannel) return 'the code of a node closed its way to the engine';
  if (signal === 'SIGKILL') return 'signal SIGKILL: where nobody sent it, the system was short of memory';
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** The error of a node whose worker is gone. */
export function crashedError(reason: string): NodeError {
  return {
    code: 'WorkerCrashed',
    message: `the Python worker ended while this node ran (${reason})`,
    retryable: true,
  };
}
