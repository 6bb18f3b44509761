import type { Io, TextSink } from './io.ts';

/**
 * The `Io` of this process. A reader that closes its end of the pipe (`flow show | head`) ends the process quietly;
 * a second interrupt ends it at once.
 */
export function createProcessIo(): Io {
  let ask: Io['ask'] | undefined;
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    folder: process.cwd(),
    environment: process.env,
    readStdin,
    stdin: () => process.stdin,
    isInteractive: process.stdin.isTTY === true,
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
    if (error.code !== 'EPIPE') throw error;
    isClosed = true;
    if (stream === process.stdout) process.exit(process.exitCode ?? 0);
  });
  return {
    write: (text) => {
      if (!isClosed) stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
  };
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function interruptionOf(atOnce: () => void = () => undefined): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) {
      atOnce();
      process.exit(130);
    }
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}
