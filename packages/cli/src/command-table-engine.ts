import { command, commandGroup } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import {
  attachSettings,
  engineGcSettings,
  engineInitSettings,
  engineStatusSettings,
  pullSettings,
  stopSettings,
  workerSettings,
} from './options/engine-options.ts';

export const workerCommand: CommandSpec = command({
  name: 'worker',
  summary: 'run rows of the runs that an engine has',
  description:
    'Takes rows of runs over data from a PostgreSQL (flow run --engine) and runs them here, until it is told to end. Connections are those of this machine, by name; a run that it cannot run it leaves to other workers, and says why. SIGTERM or Ctrl-C: rows in flight end, the others are handed back; a second one ends it at once.',
  settings: workerSettings,
  examples: [
    'flow worker --engine postgres://ada@db.example/flows',
    'FLOW_ENGINE=postgres://ada@db/flows flow worker --concurrency 32 --connections connections.yaml',
  ],
  load: async () => (await import('./commands/engine/worker.ts')).worker,
});

export const attachCommand: CommandSpec = command({
  name: 'attach',
  summary: 'follow a run on workers',
  description:
    'Shows how a run on workers stands until it is over, from anywhere: rows, failures, cost, who works on it, and why a worker cannot. Ctrl-C leaves the run going; flow stop stops it.',
  settings: attachSettings,
  examples: ['flow attach 20261121-064500-my-flow-a1b2 --engine postgres://ada@db.example/flows'],
  load: async () => (await import('./commands/engine/attach.ts')).attach,
});

export const stopCommand: CommandSpec = command({
  name: 'stop',
  summary: 'stop a run on workers',
  description:
    'No new row of the run begins, those in flight end. flow run --resume goes on with it, with --detach without waiting for its end.',
  settings: stopSettings,
  examples: ['flow stop 20261121-064500-my-flow-a1b2 --engine postgres://ada@db.example/flows'],
  load: async () => (await import('./commands/engine/stop.ts')).stop,
});

export const pullCommand: CommandSpec = command({
  name: 'pull',
  summary: 'copy a run on workers to a file here',
  description:
    'Copies the record of a run from a PostgreSQL into the one file that show, diff, eval, why and export read, as it is now, also while the run is under way. Pulled again, the copy is replaced.',
  settings: pullSettings,
  examples: ['flow pull 20261121-064500-my-flow-a1b2 --engine postgres://ada@db.example/flows'],
  load: async () => (await import('./commands/engine/pull.ts')).pull,
});

export const engineCommand: CommandSpec = commandGroup({
  name: 'engine',
  summary: 'a PostgreSQL that runs belong to: init, status, gc',
  description: 'Sets up a PostgreSQL for runs on workers and looks after it (docs/engine.md).',
  examples: ['flow engine init postgres://ada@db.example/flows', 'flow engine gc --older-than 30d --yes'],
  commands: [
    command({
      name: 'init',
      summary: 'make a database an engine, or bring it up to date',
      description:
        'Makes the schemas unroll and unroll_jobs (another name: ?schema=NAME in the address) with their tables. Typed again it brings them up to date; runs stay. Two at once are safe.',
      settings: engineInitSettings,
      examples: ['flow engine init postgres://ada@db.example/flows'],
      load: async () => (await import('./commands/engine/init.ts')).init,
    }),
    command({
      name: 'status',
      summary: 'its version, its runs, its workers, rights that are missing',
      description:
        'Tells how an engine stands: its runs by state, its workers and why they cannot run a run, what its user lacks to run flows as the statement that grants it. Exit 1 where runs cannot go to it as it is.',
      settings: engineStatusSettings,
      examples: ['flow engine status postgres://ada@db.example/flows'],
      load: async () => (await import('./commands/engine/status.ts')).status,
    }),
    command({
      name: 'gc',
      summary: 'remove runs that have been over for long',
      description:
        'Removes runs that ended, or were stopped, longer ago than --older-than, with their records; without --yes it only says which. Runs under way stay, and nobody waits meanwhile. What flow pull has copied stays too.',
      settings: engineGcSettings,
      examples: ['flow engine gc --older-than 30d', 'flow engine gc --older-than 30d --yes'],
      load: async () => (await import('./commands/engine/gc.ts')).gc,
    }),
  ],
});
