import type { Redactor } from '@unroll/engine';
import type { EngineRuns } from './engine-runs.ts';
import type { Notice } from './notice.ts';
import { type Reporter, reportToAll } from './project-event.ts';
import type { Telemetry } from './telemetry.ts';

/** What of the system a project stands on: a folder, variables, a clock, randomness. */
export interface System {
  /** That relative paths are seen from, absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Learns the secrets of every connection that is asked for. */
  readonly redactor: Redactor;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds by a clock that goes on evenly, whatever is done to the time of day: for differences alone. */
  steadyNow(): number;
  /** A few random lower-case letters and digits, to tell apart two runs of one second. */
  randomText(): string;
  /** Hears what is doubtful; absent where nobody listens. */
  readonly report?: Reporter;
}

/** Everything an operation of a project may touch outside its settings. */
export interface ProjectHost extends System {
  /** Where runs are kept, absolute. */
  readonly runsFolder: string;
  /** Bytes of data that is named `-`. */
  stdin(): AsyncIterable<Uint8Array>;
  /** Hears everything that happens, what is doubtful and ends nothing too. */
  readonly report: Reporter;
  /** Runs that are kept elsewhere; absent where no engine is named. */
  readonly engine?: EngineRuns | undefined;
  /** Where spans go; absent where nobody asked for them. */
  readonly telemetry?: Telemetry | undefined;
}

/** Says what is doubtful and ends nothing. */
export function notify({ report }: Pick<ProjectHost, 'report'>, notice: Notice): void {
  report({ type: 'notice', notice });
}

/** The same host, of whose notices only some are heard. */
export function withNotices(host: ProjectHost, isHeard: (notice: Notice) => boolean): ProjectHost {
  return withReporter(host, (event) => {
    if (event.type !== 'notice' || isHeard(event.notice)) host.report(event);
  });
}

/** The same host, heard by another. */
function withReporter(host: ProjectHost, report: Reporter): ProjectHost {
  return { ...host, report };
}

/** The same host, heard by one more. */
export function alsoHeard(host: ProjectHost, report: Reporter): ProjectHost {
  return withReporter(host, reportToAll([report, host.report]));
}
