import type { System } from '@unroll/project';
import type { Io } from './io.ts';
import type { OutputSettings } from './output-settings.ts';
import { createNoticeReporter } from './reporters/notice-reporter.ts';

/** The system of a command that runs no flow; what is doubtful goes to stderr, beside JSON too. */
export function heardSystem(settings: OutputSettings, io: Io): System {
  const { folder, environment, redactor } = io;
  return {
    folder,
    environment,
    redactor,
    now: () => io.now(),
    steadyNow: () => io.steadyNow(),
    randomText: () => io.randomText(),
    report: createNoticeReporter({ ...settings, json: false }, io),
  };
}
