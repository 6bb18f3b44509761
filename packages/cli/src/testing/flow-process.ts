import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The real command line in a process of its own, for signals, killing and file systems that refuse. */
export interface FlowProcess {
  readonly child: ChildProcess;
  /** Resolves once its output holds the text so many times; never by waiting. */
  said(text: string, times?: number): Promise<void>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

const bin = fileURLToPath(new URL('../../bin/flow.js', import.meta.url));

export function startFlow(
  argv: readonly string[],
  options: {
    readonly folder: string;
    readonly uid?: number;
    readonly environment?: Readonly<Record<string, string>>;
    /** A file that is open, in place of a pipe. */
    readonly stdout?: number;
  },
): FlowProcess {
  const { folder, uid, environment, stdout = 'pipe' } = options;
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd: folder,
    // A home of its own: what its user keeps has no say in a test.
    env: { ...process.env, HOME: folder, ...environment },
    ...(uid === undefined ? {} : { uid }),
    stdio: ['ignore', stdout, 'pipe'],
  });
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
