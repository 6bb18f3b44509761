import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from './io.ts';

/**
 * Asks whoever sits at the terminal; where stdin is none, its lines are the answers and nothing is shown. Ctrl-C and Ctrl-D
 * at a question are the end of the input.
 */
export function createAsk(): Io['ask'] {
  const piped = createLineReader(process.stdin);
  const history: string[] = [];
  return (question, { isHidden = false } = {}) =>
    process.stdin.isTTY ? askTerminal(question, isHidden, history) : piped();
}

function askTerminal(question: string, isHidden: boolean, history: string[]): Promise<string | undefined> {
  const shown = process.stdout.isTTY ? process.stdout : process.stderr;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isHidden) shown.write(question);
  const lines = createInterface({
    input: process.stdin,
    output: isHidden ? nowhere : shown,
    terminal: true,
    ...(isHidden ? { historySize: 0 } : { history }),
  });
  return new Promise((resolve) => {
    lines.once('close', () => {
      if (isHidden) shown.write('\n');
      resolve(undefined);
    });
    lines.once('SIGINT', () => lines.close());
    lines.question(isHidden ? '' : question, (answer) => {
      if (!isHidden && answer.trim() !== '') history.unshift(answer);
      resolve(answer);
      lines.close();
    });
  });
}

/** Reads only while somebody waits for a line: a stdin that stays open does not keep the process from ending. */
function createLineReader(stdin: NodeJS.ReadStream): () => Promise<string | undefined> {
  const read: string[] = [];
  let lines: Interface | undefined;
  let hasEnded = false;
  let wake: () => void = () => undefined;
  const open = (): Interface =>
    createInterface({ input: stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY })
      .on('line', (line) => {
        read.push(line);
        lines?.pause();
        holdsProcess(stdin, false);
        wake();
      })
      .on('close', () => {
        hasEnded = true;
        wake();
      });
  return async () => {
    lines ??= open();
    if (read.length === 0 && !hasEnded) {
      holdsProcess(stdin, true);
      lines.resume();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return read.shift();
  };
}

/** A pipe that is paused still keeps the process from ending; a file does not, and has no such methods. */
function holdsProcess(stdin: Partial<Pick<NodeJS.ReadStream, 'ref' | 'unref'>>, holds: boolean): void {
  if (holds) stdin.ref?.();
  else stdin.unref?.();
}
