import type { SettingsOf } from '../command-spec.ts';
import { color, json, runsDir, runsEngine } from './common-options.ts';
import { flag, flagOff, restOfArguments, text, wholeNumber } from './option-kinds.ts';

/** Settings of `flow view`. */
export const viewSettings = {
  shown: restOfArguments('[folder|run...]', 'the folder of a project (default: this one), or runs to open at once'),
  host: text('--host <address>', 'address to listen on (default: 127.0.0.1, this machine alone)'),
  port: wholeNumber('--port <n>', 'port to listen on (default: any that is free)', 0, 65_535),
  open: flagOff('--no-open', 'print the address, and open no browser'),
  readOnly: flag('--read-only', 'nothing can be run, labelled, removed or written from the page'),
  exportTo: text(
    '--export <dir>',
    'write a folder that shows the runs without a server, or one file where it ends in .html, and open nothing',
  ),
  json,
  engine: { ...runsEngine, about: 'the runs of this PostgreSQL too, live: postgres://… (default: FLOW_ENGINE)' },
  runsDir,
  color,
};

export type ViewSettings = SettingsOf<typeof viewSettings>;
