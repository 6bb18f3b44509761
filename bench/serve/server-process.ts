import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A server under measurement, in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** CPU seconds of the process and its threads so far, user and system. */
  cpuSeconds(): number;
  /** Resident megabytes. */
  memory(): number;
  /** Resolves with the exit code. */
  end(): Promise<number | null>;
}

const ticksPerSecond = 100;

/** @param environment beside that of this process */
export async function startServer(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const [file = '', ...words] = command;
  const child = spawn(file, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    const look = (piece: string): void => {
      text += piece;
      const [found] = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    child.on('close', () => reject(new Error(`${command.join(' ')} ended:\n${text}`)));
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    child,
    url,
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    end: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
