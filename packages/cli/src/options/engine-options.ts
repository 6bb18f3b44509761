import type { SettingsOf } from '../command-spec.ts';
import { color, connectionsFile, engine, json, otlp, runsDir } from './common-options.ts';
import { argument, flag, optionalArgument, text, wholeNumber } from './option-kinds.ts';
import { olderThan } from './record-options.ts';

export const workerSettings = {
  engine: { ...engine, about: 'the PostgreSQL that it takes work from: postgres://… (default: FLOW_ENGINE)' },
  concurrency: wholeNumber('--concurrency <n>', 'rows at the same time (default: 8)', 1),
  name: text('--name <name>', 'what it is called where runs are followed (default: host and process)'),
  connectionsFile,
  cacheDir: text('--cache-dir <folder>', 'where flows and their Python are kept (default: ~/.cache/unroll)'),
  otlp,
};

const run = argument('<run>', 'name of a run on workers, the start of it, or latest');
const engineOfRun = { ...engine, about: 'the PostgreSQL that has it: postgres://… (default: FLOW_ENGINE)' };

export const attachSettings = {
  run,
  engine: engineOfRun,
  json: flag('--json', 'print a line for each row, then one for the run'),
  quiet: flag('--quiet', 'print nothing but the name of the run'),
  allowFailures: flag('--allow-failures', 'exit 0 though rows failed'),
  color,
};

export const stopSettings = { run, engine: engineOfRun, json: flag('--json', 'print one JSON object') };

export const pullSettings = {
  run,
  engine: engineOfRun,
  json: flag('--json', 'print one JSON object'),
  runsDir,
};

const address = optionalArgument('[address]', 'a PostgreSQL: postgres://… (default: FLOW_ENGINE)');

export const engineInitSettings = { address, json };
export const engineStatusSettings = { address, json, color };
export const engineGcSettings = {
  address,
  olderThanMs: olderThan,
  yes: flag('--yes', 'remove them'),
  json,
  color,
};

export type PullSettings = SettingsOf<typeof pullSettings>;
export type EngineInitSettings = SettingsOf<typeof engineInitSettings>;
export type EngineStatusSettings = SettingsOf<typeof engineStatusSettings>;
export type EngineGcSettings = SettingsOf<typeof engineGcSettings>;
export type WorkerSettings = SettingsOf<typeof workerSettings>;
export type AttachSettings = SettingsOf<typeof attachSettings>;
export type StopSettings = SettingsOf<typeof stopSettings>;
