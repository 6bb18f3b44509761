import { fstatSync, writeSync } from 'node:fs';
import { refusalOf } from '@unroll/engine/refusal';
import { ProjectFailure } from '@unroll/project/project-failure';
import { type Io, outputClosed, outputLost, type ProcessIo, type TextSink, terminated } from './io.ts';
import { readerLanguage } from './text/reader-language.ts';
import { textSink } from './text/text-sink.ts';

/**
 * The `ProcessIo` of this process. A reader that closes its end of the pipe (`flow show | head`) ends the process quietly; where
 * work is under way that can be interrupted, it is, so that what has run is recorded. A second interrupt ends it at once.
 */
export function createProcessIo(): ProcessIo {
  let ask: Io['ask'] | undefined;
  const sinks: { stdout?: TextSink; stderr?: TextSink } = {};
  return {
    // Node makes each of its streams when it is first read, which takes a few milliseconds.
    get stdout() {
      sinks.stdout ??= sinkOf(process.stdout);
      return sinks.stdout;
    },
    get stderr() {
      sinks.stderr ??= sinkOf(process.stderr);
      return sinks.stderr;
    },
    get folder() {
      return workingFolder();
    },
    environment: process.env,
    get language() {
      return readerLanguage(process.env);
    },
    readStdin,
    stdin: () => {
      refuseFolder();
      return process.stdin;
    },
    get isInteractive() {
      return process.stdin.isTTY === true;
    },
    ask: async (question, options) => {
      refuseFolder();
      ask ??= (await import('./process-ask.ts')).createAsk();
      return ask(question, options);
    },
    now: Date.now,
    steadyNow: () => performance.now(),
    every,
    randomText: () => Math.random().toString(36).slice(2, 6).padEnd(4, '0'),
    interruption: interruptionOf,
  };
}

/** Keeps no process alive. */
function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
}

/** @throws ProjectFailure where it has been removed */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new ProjectFailure('the folder in which flow was started is no longer there', {
      help: 'cd to a folder that is, and try again.',
    });
  }
}

function sinkOf(stream: NodeJS.WriteStream): TextSink {
  let isClosed = false;
  // Threads in which code of nodes runs listen to it too, dozens of them.
  stream.setMaxListeners(0);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isClosed && stream === process.stdout) endOutput(error);
    isClosed = true;
  });
  const write = (text: string): void => {
    if (!isClosed) stream.write(text);
  };
  return textSink(write, {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
  });
}

/** What follows where stdout takes no more. */
function endOutput(error: NodeJS.ErrnoException): void {
  // EIO: the terminal is gone.
  const isUnread = error.code === 'EPIPE' || error.code === 'EIO';
  if (!isUnread) reportLost(error);
  if (interruptible.size === 0) process.exit(process.exitCode ?? 0);
  for (const controller of interruptible) controller.abort(isUnread ? outputClosed : outputLost);
}

/** One sentence, and exit code 1 whatever becomes of the work under way. */
function reportLost(error: Error): void {
  writeSync(process.stderr.fd, `error: the output cannot be written: ${refusalOf(error) ?? error.message}\n`);
  process.exitCode = 1;
  process.on('exit', () => {
    process.exitCode = 1;
  });
}

/**
 * Ends this process once all that it wrote is out. Node by itself would wait for whatever is still open: pipes that a process which
 * a tool's server left behind never closes.
 */
export async function endProcess(code: number): Promise<never> {
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // What was refused while it was written is told a moment later.
  await new Promise((told) => setImmediate(told));
  process.exit(code);
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/**
 * A folder as standard input is an empty one to Node.
 *
 * @throws ProjectFailure
 */
function refuseFolder(): void {
  if (isFolder()) throw new ProjectFailure('standard input cannot be read: it is a folder');
}

function isFolder(): boolean {
  try {
    return fstatSync(0).isDirectory();
  } catch {
    // It is closed: there is nothing to read.
    return false;
  }
}

async function readStdin(): Promise<string> {
  refuseFolder();
  const { readStream } = await import('@unroll/engine');
  try {
    return await readStream(process.stdin);
  } catch (error) {
    throw new ProjectFailure(`standard input cannot be read: ${refusalOf(error) ?? (error as Error).message}`);
  }
}

const interruptible = new Set<AbortController>();

function interruptionOf(atOnce: () => void = () => undefined): AbortSignal {
  const controller = new AbortController();
  interruptible.add(controller);
  const interrupt = (reason?: Error): void => {
    if (controller.signal.aborted) {
      atOnce();
      process.exit(130);
    }
    controller.abort(reason);
  };
  process.on('SIGINT', () => interrupt());
  process.on('SIGTERM', () => interrupt(terminated));
  // The terminal was closed: what is under way ends and is recorded as by Ctrl-C.
  process.on('SIGHUP', () => interrupt());
  return controller.signal;
}
