import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from './io.ts';

/**
 * Asks whoever sits at the terminal; where stdin is none, its lines are the answers and nothing is shown. Ctrl-C and Ctrl-D
 * at a question are the end of the input.
 */
export function createAsk(): Io['ask'] {
  const piped = createLineReader(process.stdin);
  const typed: Typed = { history: [], ahead: [], begun: '', hasEnded: false };
  return (question, { isHidden = false } = {}) =>
    process.stdin.isTTY ? askTerminal(question, isHidden, typed) : piped();
}

/** What was typed at the terminal so far. */
interface Typed {
  /** The last first. */
  readonly history: string[];
  /** Lines behind the one that was asked for: several were pasted, or typed while nobody asked. */
  readonly ahead: string[];
  /** A line behind those that has no end yet. */
  begun: string;
  /** Whether Ctrl-D came behind those lines. */
  hasEnded: boolean;
}

function askTerminal(question: string, isHidden: boolean, typed: Typed): Promise<string | undefined> {
  const shown = process.stdout.isTTY ? process.stdout : process.stderr;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const next = typed.ahead.shift();
  if (next !== undefined) {
    shown.write(`${question}${isHidden ? '' : next}\n`);
    return Promise.resolve(next);
  }
  if (typed.hasEnded) return Promise.resolve(undefined);
  if (isHidden) shown.write(question);
  const lines = createInterface({
    input: process.stdin,
    output: isHidden ? nowhere : shown,
    terminal: true,
    ...(isHidden ? { historySize: 0 } : { history: typed.history }),
  });
  return new Promise((resolve) => {
    let answer: string | undefined;
    const stopListening = onEarlierEnd(() => lines.line === '' && lines.close());
    let isRead = false;
    lines.once('close', () => {
      stopListening();
      if (isHidden) shown.write('\n');
      typed.hasEnded = answer !== undefined && !isRead;
      resolve(answer);
    });
    lines.once('SIGINT', () => {
      answer = undefined;
      lines.close();
    });
    lines.question(isHidden ? '' : question, (line) => {
      answer = line;
      if (!isHidden && line.trim() !== '') typed.history.unshift(line);
      lines.on('line', (more) => typed.ahead.push(more));
      // Once all that came with the line has been read.
      setImmediate(() => {
        isRead = true;
        typed.begun = lines.line;
        lines.close();
      });
    });
    lines.write(typed.begun);
    typed.begun = '';
  });
}

/**
 * Ctrl-D that was typed while nobody asked comes as NUL, with what else is read at once then: that is how Linux keeps it. NUL
 * that is typed later is Ctrl-Space.
 *
 * @returns what ends listening to it
 */
function onEarlierEnd(end: () => unknown): () => void {
  const listen = (text: string | undefined): void => {
    if (text === '\0') end();
  };
  const stop = (): unknown => process.stdin.off('keypress', listen);
  process.stdin.on('keypress', listen);
  // The second comes after what was there to be read, wherever the first was asked for.
  setImmediate(() => setImmediate(stop));
  return stop;
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
