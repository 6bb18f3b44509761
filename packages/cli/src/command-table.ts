import type { CommandSpec } from './command-spec.ts';
import { connectionCommand } from './command-table-connection.ts';
import { baselineCommand, evalCommand, gateCommand } from './command-table-eval.ts';
import { indexCommand } from './command-table-index.ts';
import { connections, flow, noColor, runsFolder } from './command-table-options.ts';
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
import { toolsCommand } from './command-table-tools.ts';

export const commandTable: readonly CommandSpec[] = [
  runCommand,
  planCommand,
  {
    name: 'chat',
    summary: 'talk with a chat flow in the terminal',
    description:
      'Talks with a flow: each line is a turn, the answer is shown as it comes, what was said is handed to the next turn. Every turn is recorded as a row. Lines may be piped in.',
    arguments: [flow],
    options: [
      { flags: '--inputs <file>', about: 'other inputs of the flow from a JSON file' },
      { flags: '-i, --input <name=value>', about: 'one other input; again for each', isRepeatable: true },
      { flags: '--variant <node.variant>', about: "one node's variant, for instance ask.variant_1" },
      {
        flags: '--env <name=value...>',
        about: 'environment variables of the nodes, or .env files',
        isRepeatable: true,
      },
      { flags: '--init <name=value...>', about: 'arguments of the class that is the flow', isRepeatable: true },
      connections,
      { flags: '--json', about: 'print one JSON object a turn' },
      runsFolder,
      noColor,
    ],
    examples: ['flow chat my-chat', "printf 'hello\\nand again\\n' | flow chat my-chat"],
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'check',
    aliases: ['validate'],
    summary: 'find all mistakes of a flow without running it',
    description: 'Reads a flow, its templates and its code, and lists every mistake with its place. Runs nothing.',
    arguments: [flow],
    options: [
      { flags: '--json', about: 'print diagnostics as JSON' },
      { flags: '--sarif', about: 'print diagnostics as SARIF 2.1.0, for code-review tools' },
      { flags: '--variant <node.variant>', about: 'check with this variant' },
      connections,
      noColor,
    ],
    examples: [
      'flow check flows/privacy-agent',
      'flow check my-flow --json',
      'flow check my-flow --sarif > flow.sarif',
    ],
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'expand',
    summary: 'print a flow with its loops unrolled',
    description:
      'Prints the flow as a plain flow.dag.yaml: loops unrolled, nothing in it that Prompt flow does not know.',
    arguments: [flow],
    options: [{ flags: '-o, --out <file>', about: 'write there instead of printing' }],
    examples: ['flow expand flows/privacy-agent', 'flow expand my-flow --out my-flow/expanded.dag.yaml'],
    load: async () => (await import('./commands/expand.ts')).expand,
  },
  {
    name: 'graph',
    summary: 'draw a flow as a picture (Mermaid or SVG)',
    description: 'Draws the nodes of a flow and what they hand on. Loops are folded to one labelled box.',
    arguments: [flow],
    options: [
      { flags: '--svg [file]', about: 'an SVG picture instead of Mermaid text' },
      { flags: '--unfolded', about: 'show every iteration of a loop' },
      { flags: '--run <run>', about: 'colour nodes by what became of them in a run; "latest" for the newest' },
      { flags: '--row <n>', about: 'with --run: the row, from 0' },
      { flags: '--direction <way>', about: 'where the flow runs to (default: down)', choices: ['down', 'right'] },
      { flags: '-o, --out <file>', about: 'write there instead of printing' },
      runsFolder,
    ],
    examples: [
      'flow graph my-flow',
      'flow graph my-flow --svg my-flow.svg --unfolded',
      'flow graph my-flow --run latest --svg run.svg',
    ],
    load: async () => (await import('./commands/graph.ts')).graph,
  },
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
  {
    name: 'render',
    summary: 'show what a prompt template becomes',
    description: 'Renders a template as Jinja2 renders it, as text or as the chat messages a model would get.',
    arguments: [{ name: '[template]', about: 'a template file' }],
    options: [
      { flags: '--vars <file>', about: 'variables, a JSON file' },
      { flags: '-v, --var <name=value>', about: 'one variable, a text; again for each', isRepeatable: true },
      { flags: '--chat', about: 'print the chat messages' },
      { flags: '--json', about: 'with --chat: print the messages as JSON' },
      { flags: '--no-trim-blocks', about: 'keep the newline after a block tag' },
      { flags: '--lstrip-blocks', about: 'drop blanks before a block tag' },
      { flags: '--no-keep-trailing-newline', about: 'drop a newline at the very end' },
      { flags: '--strict', about: 'an undefined variable is an error' },
      { flags: '--batch <file>', about: 'render each line {src, data, opts} of a JSONL file' },
    ],
    examples: [
      'flow render ask.jinja2 --vars vars.json',
      'flow render ask.jinja2 --vars vars.json --chat',
      'flow render --batch cases.jsonl',
    ],
    load: async () => (await import('./commands/render.ts')).render,
  },
  {
    name: 'init',
    summary: 'make a new flow that runs at once, offline',
    description: 'Makes a folder with a small flow that runs at once, without a key: change it into yours.',
    arguments: [{ name: '[folder]', about: 'where (default: a folder named after the template)' }],
    options: [
      {
        flags: '-t, --template <name>',
        about: 'what to start from (default: agent)',
        choices: ['agent', 'chat', 'rag', 'python', 'standard', 'evaluation'],
      },
    ],
    examples: ['flow init my-agent', 'flow init my-chat --template chat'],
    load: async () => (await import('./commands/init.ts')).init,
  },
  indexCommand,
  connectionCommand,
  toolsCommand,
  pythonCommand,
  {
    name: 'version',
    summary: 'print the version',
    description: 'Prints the versions of flow and Node.',
    arguments: [],
    options: [],
    examples: ['flow version'],
    load: async () => (await import('./commands/version.ts')).version,
  },
];
