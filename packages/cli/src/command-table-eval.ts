import { command, commandGroup } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import { acceptSettings, evalSettings, gateSettings } from './options/eval-options.ts';

export const evalCommand: CommandSpec = command({
  name: 'eval',
  summary: 'score a flow over a dataset, or a recorded run, and judge its gates',
  description:
    'Runs the flow of an eval.yaml over its data, or takes a run that is there already, and scores outputs, nodes and turns of loops. Exit code 1 when a gate is not met, 2 when the evaluation is wrong.',
  settings: evalSettings,
  examples: [
    'flow eval evals/privacy-agent',
    'flow eval evals/privacy-agent --run latest',
    'flow eval my-eval/eval.yaml --since latest --json',
    'flow eval evals/privacy-agent --run latest --oracle-sweep',
  ],
  load: async () => (await import('./commands/eval.ts')).evaluate,
});

export const gateCommand: CommandSpec = command({
  name: 'gate',
  summary: 'fail where an evaluation misses its gates: names the first bad node and the cause',
  description:
    'Evaluates as flow eval does and judges the gates of its metrics: bounds of their own, and the baseline that flow baseline accept wrote. Exit code 1 when one is not met, with the first bad node and the definition that changed.',
  settings: gateSettings,
  examples: [
    'flow gate evals/privacy-agent',
    'flow gate evals/privacy-agent --run latest --junit gate.xml --markdown gate.md',
  ],
  load: async () => (await import('./commands/gate.ts')).gate,
});

export const baselineCommand: CommandSpec = commandGroup({
  name: 'baseline',
  summary: 'accept what an evaluation came to, for later ones to be held to',
  description: 'The baseline of an evaluation is a small file beside it, to be reviewed and kept in git.',
  examples: ['flow baseline accept evals/privacy-agent'],
  commands: [
    command({
      name: 'accept',
      summary: 'write the baseline file from a run',
      description:
        'Evaluates as flow eval does and writes baseline.json beside the eval.yaml: of each metric the mean, the interval and the score of every row, and the digests of flow and data.',
      settings: acceptSettings,
      examples: ['flow baseline accept evals/privacy-agent', 'flow baseline accept evals/privacy-agent --run latest'],
      load: async () => (await import('./commands/baseline/accept.ts')).acceptBaseline,
    }),
  ],
});
