import type { Reporter } from '@unroll/project';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { createNoticeReporter } from './notice-reporter.ts';
import { createWaitingReporter } from './waiting-reporter.ts';

/** Makes a reporter for one command. */
type ReporterMaker = (settings: OutputSettings, io: Io) => Reporter;

/** Those that listen to every command, in this order, before those of the command itself. */
const makers: readonly ReporterMaker[] = [
  // What is doubtful, on stderr.
  createNoticeReporter,
  // Whom a single row waits for, on stderr.
  createWaitingReporter,
];

export function everyReporter(settings: OutputSettings, io: Io): readonly Reporter[] {
  return makers.map((make) => make(settings, io));
}
