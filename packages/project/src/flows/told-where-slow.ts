import { notify, type ProjectHost } from '../host/project-host.ts';

const patienceMs = 10_000;

/**
 * Tells what is waited for where that takes long: code that is imported, servers of tools that are started.
 *
 * @param waiting `the flow is still being made ready`
 * @param why what happens meanwhile
 */
export async function toldWhereSlow<T>(
  waiting: string,
  why: string,
  host: ProjectHost,
  opening: Promise<T>,
): Promise<T> {
  const startedAt = host.steadyNow();
  const timer = setInterval(() => {
    const seconds = Math.round((host.steadyNow() - startedAt) / 1000);
    notify(host, { kind: 'note', message: `${waiting} (${seconds} s): ${why}` });
  }, patienceMs);
  return await opening.finally(() => clearInterval(timer));
}
