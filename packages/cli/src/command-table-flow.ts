import { command } from './command.ts';
import {
  checkSettings,
  expandSettings,
  graphSettings,
  initSettings,
  renderSettings,
  typesSettings,
} from './options/flow-options.ts';

export const initCommand = command({
  name: 'init',
  summary: 'make a new flow that runs at once, offline',
  description: 'Makes a folder with a small flow that runs at once, without a key: change it into yours.',
  settings: initSettings,
  examples: ['flow init my-agent', 'flow init my-chat --template chat', 'flow init 窓口 --language ja'],
  load: async () => (await import('./commands/init.ts')).init,
});

export const checkCommand = command({
  name: 'check',
  aliases: ['validate'],
  summary: 'find all mistakes of a flow without running it',
  description:
    'Reads a flow, its templates and its code, and lists every mistake with its place. Asks the Python of the flow which imports it finds; runs none of its code.',
  settings: checkSettings,
  examples: ['flow check flows/privacy-agent', 'flow check my-flow --json', 'flow check my-flow --sarif > flow.sarif'],
  load: async () => (await import('./commands/check.ts')).check,
});

export const renderCommand = command({
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
});

export const graphCommand = command({
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
});

export const expandCommand = command({
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
});

export const typesCommand = command({
  name: 'types',
  summary: "write a flow's inputs and outputs as TypeScript types",
  description:
    'Writes a declaration of what a flow is given and what it gives, for programs that run it with project.flow<Name>(…).',
  settings: typesSettings,
  examples: ['flow types flows/privacy-agent', 'flow types my-flow --output my-flow.d.ts'],
  load: async () => (await import('./commands/types.ts')).types,
});
