import type { Redactor } from '@unroll/engine';
import type { RecordDamage } from './runs/record-damage.ts';
import type { Language } from './text/reader-language.ts';
import type { ReaderWords } from './text/reader-words.ts';

/** Everything a command may touch outside its arguments, so that tests hand in their own. */
export interface Io {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Folder the command was given in, absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of who reads: samples are written in it, and what is wrong is told in it. */
  readonly language: Language;
  readonly words: ReaderWords;
  /** Knows the secrets of the environment and of every connection that was asked for. */
  readonly redactor: Redactor;
  /** What is closed once the command has ended. */
  readonly closing: AsyncDisposable[];
  /** Of records that the command reads. */
  readonly damage: RecordDamage;
  readStdin(): Promise<string>;
  /** The same as it comes, for data of any length. */
  stdin(): AsyncIterable<Uint8Array>;
  /** Whether stdin is a terminal, so that somebody may be asked. */
  readonly isInteractive: boolean;
  /** One line of stdin; undefined when there are no more. On a terminal the question is shown, and a hidden answer is not. */
  ask(question: string, options?: { readonly isHidden?: boolean }): Promise<string | undefined>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds by a clock that goes on evenly, whatever is done to the time of day: for differences alone. */
  steadyNow(): number;
  /** Calls back again and again while something else keeps the process busy. @returns ends it */
  every(ms: number, tick: () => void): () => void;
  /** A few random lower-case letters and digits, to tell apart two runs of one second. */
  randomText(): string;
  /**
   * Aborted when the user interrupts, and with the reason `outputClosed` or `outputLost` when stdout takes no more; without a
   * call to this either ends the process as usual. A second interrupt ends it at once, after `atOnce`.
   */
  interruption(atOnce?: () => void): AbortSignal;
}

/** What a process gives; the rest is made of it. */
export type ProcessIo = Omit<Io, 'redactor' | 'damage' | 'closing' | 'words'>;

/** Why it is interrupted where the system ends the process (SIGTERM), and no user (Ctrl-C). */
export const terminated = new Error('the process is to end');

/** Why work under way is interrupted where stdout was a pipe whose reader has gone: `flow run --json | head`. */
export const outputClosed = new Error('nobody reads the output any more');

/** Why it is interrupted where stdout cannot be written: its disk is full. That was told, and the exit code is 1. */
export const outputLost = new Error('the output cannot be written');

export interface TextSink {
  /** For people, and JSON: what would act as a command to a terminal, but for colours, is shown as a sign, or escaped as in JSON. */
  write(text: string): void;
  /** For other programs: as it is, but on a terminal. */
  data(text: string): void;
  /** Commands to a terminal, written as they are. */
  control(text: string): void;
  readonly isTerminal: boolean;
  /** Width in cells of Latin letters; undefined when it is no terminal. */
  readonly columns: number | undefined;
  /** Height in lines; undefined when it is no terminal. */
  readonly rows?: number | undefined;
}
