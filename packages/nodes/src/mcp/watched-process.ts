import type { ChildProcess } from 'node:child_process';

/** Bytes of one message: the official client takes longer for each with the square of them. */
export const largestMessage = 16 * 2 ** 20;

/** Milliseconds of silence after which a line is held to have no end, */
const endAwaitedMs = 2000;

/** and those in which a process ends that has closed its output, or closes what another of its processes still holds open. */
const closeAwaitedMs = 1000;

/**
 * Watches a process that the official client reads line by line, which waits until the time of a call is over where nothing more
 * can come. As many requests as there are may wait until the process reads them.
 *
 * @param onBroken told why nothing more can be read of it
 */
export function watchProcess(started: ChildProcess, onBroken: (reason: string) => void): void {
  const { stdin, stdout } = started;
  stdin?.setMaxListeners(0);
  const broken = (reason: string): void => {
    stdout?.destroy();
    onBroken(reason);
  };
  watchLines(started, broken);
  stdout?.once('end', () =>
    later(started, () => {
      if (started.exitCode === null && started.signalCode === null) broken('it closed its output');
    }),
  );
  started.once('exit', () => later(started, () => closeAll(started)));
}

function closeAll({ stdio }: ChildProcess): void {
  for (const stream of stdio) stream?.destroy();
}

/** Unless all of it is closed before. */
function later(started: ChildProcess, act: () => void): void {
  const timer = setTimeout(act, closeAwaitedMs);
  timer.unref();
  started.once('close', () => clearTimeout(timer));
}

function watchLines({ stdout }: ChildProcess, broken: (reason: string) => void): void {
  let rest: Buffer[] = [];
  let length = 0;
  const silence = setTimeout(() => {
    if (isMessage(rest)) broken('it wrote a message without the end of its line, which the protocol asks for');
  }, endAwaitedMs);
  silence.unref();
  stdout?.on('data', (part: Buffer) => {
    const end = part.lastIndexOf('\n');
    if (end >= 0) [rest, length] = [[], 0];
    rest.push(part.subarray(end + 1));
    length += part.length - end - 1;
    silence.refresh();
    if (length > largestMessage) broken(`it wrote a message of more than ${largestMessage} bytes`);
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
