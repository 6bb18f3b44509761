import type { Redactor } from '@unroll/engine';
import type { Notice } from './notice.ts';

/** What of the system a project stands on: a folder, variables, a clock, randomness. */
export interface System {
  /** That relative paths are seen from, absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Learns the secrets of every connection that is asked for. */
  readonly redactor: Redactor;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A few random lower-case letters and digits, to tell apart two runs of one second. */
  randomText(): string;
}

/** Everything an operation of a project may touch outside its settings. */
export interface ProjectHost extends System {
  /** Where runs are kept, absolute. */
  readonly runsFolder: string;
  /** Bytes of data that is named `-`. */
  stdin(): AsyncIterable<Uint8Array>;
  /** Told at once of what is doubtful and ends nothing. */
  notice(notice: Notice): void;
}

/** The same host, whose notices go elsewhere. */
export function withNotice(host: ProjectHost, notice: ProjectHost['notice']): ProjectHost {
  return { ...host, notice };
}
