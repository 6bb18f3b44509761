import type { CommandSpec } from './command-spec.ts';
import { noColor } from './command-table-options.ts';

const flow = { name: '<flow>', about: 'a flow: its folder, or its definition file' };

export const pythonCommand: CommandSpec = {
  name: 'python',
  summary: 'the Python of a flow: set up its requirements, or tell which it is',
  description: 'Python nodes run on an environment of the flow, its .venv, or the Python of this machine.',
  arguments: [],
  options: [],
  examples: ['flow python setup my-flow', 'flow python info my-flow'],
  commands: [
    {
      name: 'setup',
      summary: "install the flow's requirements.txt in an environment of its own",
      description:
        'Makes a virtual environment in .flow/python of the flow and installs its requirements.txt there. Runs of the flow use it.',
      arguments: [flow],
      options: [{ flags: '--again', about: 'make it anew although it is ready' }, noColor],
      examples: ['flow python setup my-flow'],
      load: async () => (await import('./commands/python/setup.ts')).setup,
    },
    {
      name: 'info',
      summary: "which Python the flow's nodes run on",
      description: "Tells which Python the flow's nodes run on, and whether its requirements are installed.",
      arguments: [flow],
      options: [{ flags: '--json', about: 'print JSON' }],
      examples: ['flow python info my-flow'],
      load: async () => (await import('./commands/python/info.ts')).info,
    },
  ],
};
