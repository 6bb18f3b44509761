import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WorkerSettings } from './worker-settings.ts';

const workerFile = fileURLToPath(new URL('./worker/worker.py', import.meta.url));
const ownGroup = process.platform !== 'win32';

export function startWorker({ command, folder, environment, standIns }: WorkerSettings): ChildProcess {
  const words = [workerFile, ...standIns.flatMap(({ folder: where, unless }) => [where, unless])];
  return spawn(command, words, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // A group of its own: an interrupt from the terminal reaches only us, and what user code started can be ended too.
    detached: ownGroup,
  });
}

/** Ends whatever is left of it at once: what code of nodes started, too. */
export function endWorker({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(ownGroup ? -pid : pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

interface RefCounted {
  ref?(): void;
  unref?(): void;
}

/** Whether a worker and its streams keep this process from ending. */
export function holdProcess(worker: ChildProcess, needed: boolean): void {
  // A process that could not be started for want of open files has no streams.
  const { stdin, stdout, stderr } = worker as unknown as Partial<Record<'stdin' | 'stdout' | 'stderr', RefCounted>>;
  for (const handle of [worker as RefCounted, stdin, stdout, stderr]) {
    if (needed) handle?.ref?.();
    else handle?.unref?.();
  }
}
