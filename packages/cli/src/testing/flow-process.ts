import { type ChildProcess, spawn } from 'node:child_process';
import { inject } from 'vitest';

/** The real command line, built, in a process of its own: for signals, killing and file systems that refuse. */
export interface FlowProcess {
  readonly child: ChildProcess;
  /** Resolves once its output holds the text so many times; never by waiting. */
  said(text: string, times?: number): Promise<void>;
  /** What it has said until now, both outputs. */
  text(): string;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

export function startFlow(
  argv: readonly string[],
  options: {
    readonly folder: string;
    readonly uid?: number;
    readonly environment?: Readonly<Record<string, string>>;
    /** What a shell does in the same process before: `ulimit -f 2`. */
    readonly before?: string;
    /** A file that is open, in place of a pipe. */
    readonly stdout?: number;
    /** What is piped in; an empty stdin where absent. */
    readonly stdin?: string;
    /** Whether stdin stays open behind it. */
    readonly keepsStdinOpen?: boolean;
  },
): FlowProcess {
  const { folder, uid, environment, before, stdin, keepsStdinOpen = false, stdout = 'pipe' } = options;
  const command = [process.execPath, inject('builtFlow'), ...argv];
  const [program = '', ...given] =
    before === undefined ? command : ['sh', '-c', `${before}; exec "$0" "$@"`, ...command];
  const child = spawn(program, given, {
    cwd: folder,
    // A home of its own: what its user keeps has no say in a test.
    env: { ...process.env, HOME: folder, ...environment },
    ...(uid === undefined ? {} : { uid }),
    stdio: [stdin === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
  });
  if (keepsStdinOpen) child.stdin?.write(stdin);
  else child.stdin?.end(stdin);
  const text = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (piece: string) => {
      text[name] += piece;
      for (const listen of listeners) listen();
    });
  }
  return {
    child,
    text: () => text.stdout + text.stderr,
    said: (wanted, times = 1) =>
      new Promise((resolve) => {
        const listen = (): void => {
          if ((text.stdout + text.stderr).split(wanted).length <= times) return;
          listeners.delete(listen);
          resolve();
        };
        listeners.add(listen);
        listen();
      }),
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, ...text }))),
  };
}
