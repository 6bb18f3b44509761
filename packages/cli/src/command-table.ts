import { command } from './command.ts';
import type { CommandSpec, HelpSection } from './command-spec.ts';
import { connectionCommand } from './command-table-connection.ts';
import { attachCommand, engineCommand, pullCommand, stopCommand, workerCommand } from './command-table-engine.ts';
import { baselineCommand, evalCommand, gateCommand } from './command-table-eval.ts';
import {
  checkCommand,
  expandCommand,
  graphCommand,
  initCommand,
  renderCommand,
  typesCommand,
} from './command-table-flow.ts';
import { indexCommand } from './command-table-index.ts';
import { pythonCommand } from './command-table-python.ts';
import {
  diffCommand,
  exportCommand,
  gcCommand,
  importRunCommand,
  parityCommand,
  pricesCommand,
  runsCommand,
  showCommand,
  traceCommand,
  whyCommand,
} from './command-table-records.ts';
import { chatCommand, planCommand, runCommand } from './command-table-run.ts';
import { buildCommand, devCommand, serveCommand, viewCommand } from './command-table-serve.ts';
import { toolsCommand } from './command-table-tools.ts';
import { completionSettings, versionSettings } from './options/flow-options.ts';

const completionCommand = command({
  name: 'completion',
  summary: 'print what makes a shell complete commands, options, flows and runs',
  description:
    'Prints the script by which a shell completes what is typed behind flow: commands, options, files, recorded runs. Load it where your shell starts.',
  settings: completionSettings,
  examples: [
    'flow completion fish > ~/.config/fish/completions/flow.fish',
    'source <(flow completion zsh)',
    'source <(flow completion bash)',
  ],
  load: async () => (await import('./commands/completion.ts')).completionOf(commandTable),
});

const versionCommand = command({
  name: 'version',
  summary: 'print the version',
  description: 'Prints the versions of flow and Node.',
  settings: versionSettings,
  examples: ['flow version'],
  load: async () => (await import('./commands/version.ts')).version,
});

export const helpSections: readonly HelpSection[] = [
  {
    heading: 'Write a flow',
    commands: [initCommand, checkCommand, renderCommand, graphCommand, expandCommand, typesCommand],
  },
  { heading: 'Run it', commands: [runCommand, planCommand, chatCommand] },
  {
    heading: 'Look at runs',
    commands: [
      viewCommand,
      runsCommand,
      showCommand,
      whyCommand,
      traceCommand,
      exportCommand,
      importRunCommand,
      gcCommand,
    ],
  },
  {
    heading: 'Evaluate and compare',
    commands: [evalCommand, gateCommand, baselineCommand, diffCommand, parityCommand],
  },
  { heading: 'Serve it', commands: [serveCommand, devCommand, buildCommand] },
  {
    heading: 'Run on workers',
    commands: [engineCommand, workerCommand, attachCommand, stopCommand, pullCommand],
  },
  {
    heading: 'What flows use',
    commands: [connectionCommand, indexCommand, toolsCommand, pythonCommand, pricesCommand],
  },
  { heading: 'This command', commands: [completionCommand, versionCommand] },
];

export const commandTable: readonly CommandSpec[] = helpSections.flatMap(({ commands }) => commands);
