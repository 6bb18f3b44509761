import { command, commandGroup } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import { pythonInfoSettings, setUpPythonSettings } from './options/python-options.ts';

export const pythonCommand: CommandSpec = commandGroup({
  name: 'python',
  summary: 'the Python of a flow: set up its requirements, or tell which it is',
  description: 'Python nodes run on an environment of the flow, its .venv, or the Python of this machine.',
  examples: ['flow python setup my-flow', 'flow python info my-flow'],
  commands: [
    command({
      name: 'setup',
      summary: "install the flow's requirements.txt in an environment of its own",
      description:
        'Makes a virtual environment in .flow/python of the flow and installs its requirements.txt there. Runs of the flow use it.',
      settings: setUpPythonSettings,
      examples: ['flow python setup my-flow'],
      load: async () => (await import('./commands/python/setup.ts')).setup,
    }),
    command({
      name: 'info',
      summary: "which Python the flow's nodes run on",
      description: "Tells which Python the flow's nodes run on, and whether its requirements are installed.",
      settings: pythonInfoSettings,
      examples: ['flow python info my-flow'],
      load: async () => (await import('./commands/python/info.ts')).info,
    }),
  ],
});
