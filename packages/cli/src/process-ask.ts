import { createInterface } from 'node:readline';
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

/** Reads no further than it must, so that a stdin that stays open does not keep the process from ending. */
function createLineReader(stdin: NodeJS.ReadStream): () => Promise<string | undefined> {
  let text = '';
  let hasEnded = false;
  const readMore = (): Promise<void> =>
    new Promise((resolve) => {
      const settle = (): void => {
        stdin.pause();
        stdin.off('data', onData).off('end', onEnd);
        resolve();
      };
      const onData = (chunk: string): void => {
        text += chunk;
        settle();
      };
      const onEnd = (): void => {
        hasEnded = true;
        settle();
      };
      stdin.on('data', onData).on('end', onEnd).resume();
    });
  return async () => {
    stdin.setEncoding('utf8');
    while (!hasEnded && !text.includes('\n')) await readMore();
    const end = text.indexOf('\n');
    const line = end < 0 ? text : text.slice(0, end);
    text = end < 0 ? '' : text.slice(end + 1);
    return end < 0 && line === '' ? undefined : line.replace(/\r$/, '');
  };
}
