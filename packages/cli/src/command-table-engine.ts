import { command } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import { attachSettings, stopSettings, workerSettings } from './options/engine-options.ts';

export const workerCommand: CommandSpec = command({
  name: 'worker',
  summary: 'run rows of the runs that an engine has',
  description:
    'Takes rows of runs over data from a PostgreSQL (flow run --engine) and runs them here, until it is told to end. Connections are those of this machine, by name. SIGTERM: rows in flight end, the others are handed back.',
  settings: workerSettings,
  examples: [
    'flow worker --engine postgres://ada@db.example/flows',
    'FLOW_ENGINE=postgres://ada@db.example/flows flow worker --concurrency 32 --connections connections.yaml',
  ],
  load: async () => (await import('./commands/engine/worker.ts')).worker,
});

export const attachCommand: CommandSpec = command({
  name: 'attach',
  summary: 'follow a run on workers',
  description:
    'Shows how a run on workers stands, from anywhere: rows, failures, cost, who works on it. Ctrl-C leaves the run going.',
  settings: attachSettings,
  examples: ['flow attach 20261121-064500-my-flow-a1b2 --engine postgres://ada@db.example/flows'],
  load: async () => (await import('./commands/engine/attach.ts')).attach,
});

export const stopCommand: CommandSpec = command({
  name: 'stop',
  summary: 'stop a run on workers',
  description: 'No new row of the run begins, those in flight end. flow run --resume goes on with it.',
  settings: stopSettings,
  examples: ['flow stop 20261121-064500-my-flow-a1b2 --engine postgres://ada@db.example/flows'],
  load: async () => (await import('./commands/engine/stop.ts')).stop,
});
