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
