/** Threads that may wait in a call of the system, which nothing ends: Node would wait for them at its exit. */
const doubtful = new Set<object>();
let isWatched = false;

/**
 * Has this process end in spite of a thread that was told to end and has not, because it waits in a call of the system. Exit
 * listeners that are there already are called first.
 */
export function leaveAtExit(thread: object): void {
  doubtful.add(thread);
  if (isWatched) return;
  isWatched = true;
  process.on('exit', (code) => {
    if (doubtful.size === 0) return;
    // Only what takes the place of the whole process ends all of its threads and keeps the exit code.
    if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
    process.kill(process.pid, 'SIGKILL');
  });
}

/** It has ended, or its call has. */
export function waitAtExit(thread: object): void {
  doubtful.delete(thread);
}
