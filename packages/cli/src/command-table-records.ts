import { command } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import {
  diffSettings,
  exportSettings,
  gcSettings,
  importRunSettings,
  paritySettings,
  pricesSettings,
  runsSettings,
  showSettings,
  traceSettings,
  whySettings,
} from './options/record-options.ts';

export const showCommand: CommandSpec = command({
  name: 'show',
  summary: 'show a recorded run: nodes, times, tokens, inputs, outputs',
  description: 'Shows a recorded run. Without a name, the newest one.',
  settings: showSettings,
  examples: ['flow show', 'flow show --node agent_2', 'flow show 20261121-064500 --json'],
  load: async () => (await import('./commands/show.ts')).show,
});

export const diffCommand: CommandSpec = command({
  name: 'diff',
  summary: 'compare two runs node by node and name the cause',
  description:
    'Compares two recorded runs, A and B, row by row and node by node, and says of every change whether it is a cause, an effect or noise.',
  settings: diffSettings,
  examples: [
    'flow diff',
    'flow diff 20261121-064500 latest',
    'flow diff before.run after.run --only cause --exit-code',
    'flow diff before.run after.run --family agent --by-iteration',
    'flow diff before.run after.run --html diff.html',
  ],
  load: async () => (await import('./commands/diff.ts')).diff,
});

export const whyCommand: CommandSpec = command({
  name: 'why',
  summary: 'say why a node ran, or from where its output was taken',
  description:
    'Says what changed for a node of a row since the run that --since named, with the old and the new; or that its output was taken from there.',
  settings: whySettings,
  examples: ['flow why --row 7 --node agent_1', 'flow why 20261121-0645 --node search --against 20261120-1800'],
  load: async () => (await import('./commands/why.ts')).why,
});

export const traceCommand: CommandSpec = command({
  name: 'trace',
  summary: 'print a turn of an agent as trace events of Agents for Amazon Bedrock',
  description:
    'Prints the events of one row as InvokeAgent streams them, one JSON object a line, of a flow made of the steps of @unroll/nodes/bedrock.',
  settings: traceSettings,
  examples: ['flow trace', 'flow trace 20261121-0645 --row 7 --format bedrock'],
  load: async () => (await import('./commands/trace.ts')).trace,
});

export const exportCommand: CommandSpec = command({
  name: 'export',
  summary: 'write rows of a run, or its node records, as JSONL, CSV or Parquet',
  description:
    'Writes one line a row: line number, status, inputs, outputs, error. In CSV and Parquet a member is a column of its own, outputs.answer.',
  settings: exportSettings,
  examples: ['flow export latest --out rows.csv --bom', 'flow export 20261121 --nodes > nodes.jsonl'],
  load: async () => (await import('./commands/export.ts')).exportRun,
});

export const importRunCommand: CommandSpec = command({
  name: 'import-run',
  summary: 'read a run that Prompt flow recorded',
  description:
    'Reads a run folder of Prompt flow (<home>/.promptflow/.runs/<name>) into a record, to be shown, compared and evaluated as any other.',
  settings: importRunSettings,
  examples: ['flow import-run ~/.promptflow/.runs/my_run', 'flow diff my_run latest'],
  load: async () => (await import('./commands/import-run.ts')).importRun,
});

export const parityCommand: CommandSpec = command({
  name: 'parity',
  summary: 'run a flow again on the rows of a run and tell what differs',
  description:
    'Runs a flow on the rows of a recorded run, one that flow import-run read above all, and tells node by node what differs. Exit code 1 when something does.',
  settings: paritySettings,
  examples: ['flow parity my-flow my_run', 'flow parity my-flow my_run --connections ask.connection=offline'],
  load: async () => (await import('./commands/parity.ts')).parity,
});

export const runsCommand: CommandSpec = command({
  name: 'runs',
  summary: 'list recorded runs, name and tag them, remove some, or look for damage',
  description:
    'Lists the recorded runs, newest first. flow runs rm RUN … removes runs. flow runs check RUN … reads all of a record and tells what of it is damaged. flow runs tag RUN TAG …, untag RUN TAG …, name RUN NAME and note RUN TEXT keep what you say of a run beside its record, which stays as it is; name and note without a text take it away.',
  settings: runsSettings,
  examples: [
    'flow runs',
    'flow runs -n 5',
    'flow runs rm 20261121-064500',
    'flow runs check latest',
    'flow runs tag latest keep',
    'flow runs --tag keep',
    'flow runs name latest "before the new prompt"',
  ],
  load: async () => (await import('./commands/runs.ts')).runs,
});

export const pricesCommand: CommandSpec = command({
  name: 'prices',
  summary: 'list what models cost, or put another list in force',
  description:
    'Lists the prices that costs are worked out by, with their dates, and where they stand. flow prices update --file FILE puts a list of your own in their place, for this project or, with --user, for you.',
  settings: pricesSettings,
  examples: ['flow prices', 'flow prices update --file prices.json'],
  load: async () => (await import('./commands/prices.ts')).prices,
});

export const gcCommand: CommandSpec = command({
  name: 'gc',
  summary: 'remove old records of runs',
  description:
    'Lists the runs beyond a limit of age, number or size, and removes them with --yes. A run under way stays.',
  settings: gcSettings,
  examples: ['flow gc --older-than 30d', 'flow gc --keep 50 --max-size 2GB --yes'],
  load: async () => (await import('./commands/gc.ts')).gc,
});
