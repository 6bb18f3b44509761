import type { FailureKind } from '@unroll/project';

/** What the process says when it ends; listed in docs/cli.md. */
export const exitCode = {
  done: 0,
  /** It ran and something in it failed. */
  failed: 1,
  /** The flow or the command line is wrong; nothing ran. */
  wrong: 2,
  /** It ran and a loop reached its bound unfinished. */
  unfinished: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** By what kind of failure a command ended. */
export const exitCodes: Readonly<Record<FailureKind, ExitCode>> = {
  wrong: exitCode.wrong,
  failed: exitCode.failed,
  stopped: exitCode.interrupted,
};
