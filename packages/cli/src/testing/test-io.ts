import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ProcessIo, TextSink } from '../io.ts';
import { main } from '../main.ts';
import type { Language } from '../text/reader-language.ts';
import { textSink } from '../text/text-sink.ts';

/** A terminal-less world for one test: an empty folder, a clock that stands still, output that can be read back. */
export interface TestWorld extends Disposable {
  readonly folder: string;
  /** Runs a command line and gives back what it said. */
  flow(...argv: readonly string[]): Promise<Said>;
}

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestWorldOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** English where absent. */
  readonly language?: Language;
  readonly stdin?: string;
  /** Whether stdin passes for a terminal: questions are written to stdout then. */
  readonly isInteractive?: boolean;
  readonly signal?: AbortSignal;
  /** As wide as this, and a terminal. */
  readonly columns?: number;
  /** Told of everything written to stdout. */
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
  /** Instead of a new folder. */
  readonly folder?: string;
  /** Another build of the command line than the sources. */
  readonly main?: typeof main;
  /** Stands still where absent. */
  readonly now?: () => number;
  /** That of `now` where absent. */
  readonly steadyNow?: () => number;
  /** What tells runs of one second apart; counted from 0 where absent. */
  readonly randomText?: () => string;
}

/** 2026-11-21, 06:45:00 UTC. */
export const testNow = Date.UTC(2026, 10, 21, 6, 45, 0);

export function createTestWorld(options: TestWorldOptions = {}): TestWorld {
  const made = options.folder === undefined ? realpathSync(mkdtempSync(join(tmpdir(), 'flow-cli-'))) : undefined;
  const folder = options.folder ?? made ?? '';
  let count = 0;
  return {
    folder,
    flow: async (...argv) => {
      const stdout = collectingSink(options.columns, options.onStdout);
      const stderr = collectingSink(undefined, options.onStderr);
      const lines = (options.stdin ?? '').split('\n');
      if (lines.at(-1) === '') lines.pop();
      const io: ProcessIo = {
        stdout: stdout.sink,
        stderr: stderr.sink,
        folder,
        environment: options.environment ?? {},
        language: options.language ?? 'en',
        readStdin: async () => options.stdin ?? '',
        stdin: () => Readable.from([Buffer.from(options.stdin ?? '')]),
        isInteractive: options.isInteractive ?? false,
        ask: async (question) => {
          if (options.isInteractive === true) stdout.sink.write(`${question}\n`);
          return lines.shift();
        },
        now: options.now ?? (() => testNow),
        steadyNow: options.steadyNow ?? options.now ?? (() => testNow),
        every: () => () => undefined,
        randomText: options.randomText ?? (() => String(count++).padStart(4, '0')),
        interruption: () => options.signal ?? new AbortController().signal,
      };
      const code = await (options.main ?? main)(argv, io);
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    },
    [Symbol.dispose]: () => {
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
    },
  };
}

function collectingSink(
  columns: number | undefined,
  onWrite?: (text: string) => void,
): { readonly sink: TextSink; readonly text: () => string } {
  const pieces: string[] = [];
  const write = (text: string): void => {
    pieces.push(text);
    onWrite?.(text);
  };
  return {
    sink: textSink(write, { isTerminal: columns !== undefined, columns }),
    text: () => pieces.join(''),
  };
}

/** A text with times and numbers of tokens replaced by `#`, for golden texts of runs. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/ *(<1|\d+(\.\d+)?) (ms|s)\b/g, ' # ms');
}
