let isWatched = false;

/**
 * Has this process end in spite of a thread that nothing ends, because it waits in a call of the system: Node would wait for
 * it. Exit listeners that are there already are called first.
 */
export function leaveThreadsAtExit(): void {
  if (isWatched) return;
  isWatched = true;
  process.on('exit', (code) => {
    // Only what takes the place of the whole process ends all of its threads and keeps the exit code.
    if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
    process.kill(process.pid, 'SIGKILL');
  });
}
