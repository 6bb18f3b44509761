import { Redactor } from '@unroll/engine';
import type { Io, ProcessIo, TextSink } from './io.ts';
import { RecordDamage } from './runs/record-damage.ts';
import { readerWords } from './text/reader-words.ts';

/** What a process gives, with no known secret in anything that is written to it. */
export async function redactedIo(io: ProcessIo, folder: string): Promise<Io> {
  const redactor = new Redactor();
  redactor.learnEnvironment(io.environment);
  const sinks: { stdout?: TextSink; stderr?: TextSink } = {};
  return {
    // Each is made when it is first used.
    get stdout() {
      sinks.stdout ??= redactedSink(io.stdout, redactor);
      return sinks.stdout;
    },
    get stderr() {
      sinks.stderr ??= redactedSink(io.stderr, redactor);
      return sinks.stderr;
    },
    get isInteractive() {
      return io.isInteractive;
    },
    redactor,
    closing: [],
    damage: new RecordDamage(),
    folder,
    environment: io.environment,
    get language() {
      return io.language;
    },
    words: await readerWords(io.language),
    readStdin: () => io.readStdin(),
    stdin: () => io.stdin(),
    ask: (question, options) => io.ask(question, options),
    now: () => io.now(),
    steadyNow: () => io.steadyNow(),
    every: (ms, tick) => io.every(ms, tick),
    randomText: () => io.randomText(),
    interruption: (atOnce) => io.interruption(atOnce),
  };
}

function redactedSink(sink: TextSink, redactor: Redactor): TextSink {
  return {
    write: (text) => sink.write(redactor.text(text)),
    data: (text) => sink.data(redactor.text(text)),
    control: (text) => sink.control(redactor.text(text)),
    isTerminal: sink.isTerminal,
    get columns() {
      return sink.columns;
    },
    get rows() {
      return sink.rows;
    },
  };
}
