import type { ChildProcess } from 'node:child_process';

/** Milliseconds of silence after which a line is held to have no end. */
const endAwaitedMs = 2000;

/**
 * Watches what a process writes that the official client reads line by line: a message without the end of its line is waited
 * for until the time is over. As many requests as there are may wait until the process reads them.
 *
 * @param onUnended called once, where a whole message stands there without its end
 */
export function watchProcess({ stdin, stdout }: ChildProcess, onUnended: () => void): void {
  stdin?.setMaxListeners(0);
  let rest: Buffer[] = [];
  const silence = setTimeout(() => isMessage(rest) && onUnended(), endAwaitedMs);
  silence.unref();
  stdout?.on('data', (part: Buffer) => {
    const end = part.lastIndexOf('\n');
    if (end >= 0) rest = [];
    rest.push(part.subarray(end + 1));
    silence.refresh();
  });
  stdout?.once('close', () => clearTimeout(silence));
}

function isMessage(parts: readonly Buffer[]): boolean {
  const text = Buffer.concat(parts).toString().trim();
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
