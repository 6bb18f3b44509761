import { command } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import { connectionCommand } from './command-table-connection.ts';
import { attachCommand, engineCommand, pullCommand, stopCommand, workerCommand } from './command-table-engine.ts';
import { baselineCommand, evalCommand, gateCommand } from './command-table-eval.ts';
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
import { planCommand, runCommand } from './command-table-run.ts';
import { buildCommand, devCommand, serveCommand, viewCommand } from './command-table-serve.ts';
import { toolsCommand } from './command-table-tools.ts';
import {
  chatSettings,
  checkSettings,
  completionSettings,
  expandSettings,
  graphSettings,
  initSettings,
  renderSettings,
  typesSettings,
  versionSettings,
} from './options/flow-options.ts';

export const commandTable: readonly CommandSpec[] = [
  runCommand,
  planCommand,
  command({
    name: 'chat',
    summary: 'talk with a chat flow in the terminal',
    description:
      'Talks with a flow: each line is a turn, the answer is shown as it comes, what was said is handed to the next turn. Every turn is recorded as a row. Lines may be piped in.',
    settings: chatSettings,
    examples: ['flow chat my-chat', "printf 'hello\\nand again\\n' | flow chat my-chat"],
    load: async () => (await import('./commands/chat.ts')).chat,
  }),
  viewCommand,
  serveCommand,
  devCommand,
  buildCommand,
  workerCommand,
  attachCommand,
  stopCommand,
  pullCommand,
  engineCommand,
  command({
    name: 'check',
    aliases: ['validate'],
    summary: 'find all mistakes of a flow without running it',
    description:
      'Reads a flow, its templates and its code, and lists every mistake with its place. Asks the Python of the flow which imports it finds; runs none of its code.',
    settings: checkSettings,
    examples: [
      'flow check flows/privacy-agent',
      'flow check my-flow --json',
      'flow check my-flow --sarif > flow.sarif',
    ],
    load: async () => (await import('./commands/check.ts')).check,
  }),
  command({
    name: 'expand',
    summary: 'print a flow with its loops unrolled',
    description:
      'Prints the flow with its loops and agents laid out as plain nodes, as it runs here. --promptflow writes a folder that Prompt flow itself runs, with what it lacks in one Python file; nodes in TypeScript and of types that Prompt flow does not have cannot go.',
    settings: expandSettings,
    examples: [
      'flow expand flows/privacy-agent',
      'flow expand my-flow --out my-flow/expanded.dag.yaml',
      'flow expand my-flow --promptflow my-flow-there',
    ],
    load: async () => (await import('./commands/expand.ts')).expand,
  }),
  command({
    name: 'graph',
    summary: 'draw a flow as a picture (Mermaid or SVG)',
    description: 'Draws the nodes of a flow and what they hand on. Loops are folded to one labelled box.',
    settings: graphSettings,
    examples: [
      'flow graph my-flow',
      'flow graph my-flow --svg my-flow.svg --unfolded',
      'flow graph my-flow --run latest --svg run.svg',
    ],
    load: async () => (await import('./commands/graph.ts')).graph,
  }),
  command({
    name: 'types',
    summary: "write a flow's inputs and outputs as TypeScript types",
    description:
      'Writes a declaration of what a flow is given and what it gives, for programs that run it with project.flow<Name>(…).',
    settings: typesSettings,
    examples: ['flow types flows/privacy-agent', 'flow types my-flow --output my-flow.d.ts'],
    load: async () => (await import('./commands/types.ts')).types,
  }),
  showCommand,
  diffCommand,
  evalCommand,
  gateCommand,
  baselineCommand,
  whyCommand,
  traceCommand,
  exportCommand,
  importRunCommand,
  parityCommand,
  pricesCommand,
  runsCommand,
  gcCommand,
  command({
    name: 'render',
    summary: 'show what a prompt template becomes',
    description: 'Renders a template as Jinja2 renders it, as text or as the chat messages a model would get.',
    settings: renderSettings,
    examples: [
      'flow render ask.jinja2 --vars vars.json',
      'flow render ask.jinja2 --vars vars.json --chat',
      'flow render --batch cases.jsonl',
    ],
    load: async () => (await import('./commands/render.ts')).render,
  }),
  command({
    name: 'init',
    summary: 'make a new flow that runs at once, offline',
    description: 'Makes a folder with a small flow that runs at once, without a key: change it into yours.',
    settings: initSettings,
    examples: ['flow init my-agent', 'flow init my-chat --template chat', 'flow init 窓口 --language ja'],
    load: async () => (await import('./commands/init.ts')).init,
  }),
  indexCommand,
  connectionCommand,
  toolsCommand,
  pythonCommand,
  command({
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
  }),
  command({
    name: 'version',
    summary: 'print the version',
    description: 'Prints the versions of flow and Node.',
    settings: versionSettings,
    examples: ['flow version'],
    load: async () => (await import('./commands/version.ts')).version,
  }),
];
