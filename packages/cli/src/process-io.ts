import { type Io, outputClosed, type ProcessIo, type TextSink } from './io.ts';
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
    folder: process.cwd(),
    environment: process.env,
    readStdin,
    stdin: () => process.stdin,
    get isInteractive() {
      return process.stdin.isTTY === true;
    },
    ask: async (question, options) => {
      ask ??= (await import('./process-ask.ts')).createAsk();
      return ask(question, options);
    },
    now: Date.now,
    every: (ms, tick) => {
      const timer = setInterval(tick, ms).unref();
      return () => clearInterval(timer);
    },
    randomText: () => Math.random().toString(36).slice(2, 6).padEnd(4, '0'),
    interruption: interruptionOf,
  };
}

function sinkOf(stream: NodeJS.WriteStream): TextSink {
  let isClosed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // EIO: the terminal is gone.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    isClosed = true;
    if (stream !== process.stdout) return;
    if (interruptible.size === 0) process.exit(process.exitCode ?? 0);
    for (const controller of interruptible) controller.abort(outputClosed);
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

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const interruptible = new Set<AbortController>();

function interruptionOf(atOnce: () => void = () => undefined): AbortSignal {
  const controller = new AbortController();
  interruptible.add(controller);
  const interrupt = (): void => {
    if (controller.signal.aborted) {
      atOnce();
      process.exit(130);
    }
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // The terminal was closed: what is under way ends and is recorded as by Ctrl-C.
  process.on('SIGHUP', interrupt);
  return controller.signal;
}
