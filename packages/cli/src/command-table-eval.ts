import { budgetOptions } from './bulk/budget-options.ts';
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { noColor, runsFolder } from './command-table-options.ts';

const evaluation = { name: '<eval>', about: 'an evaluation: its eval.yaml, or its folder' };

const evalOptions: readonly OptionSpec[] = [
  { flags: '--run <run>', about: 'score this run and run nothing; "latest" for the newest' },
  { flags: '--json', about: 'print the result as one JSON object' },
  { flags: '--out <folder>', about: 'also write eval.json there' },
  {
    flags: '--html <file>',
    about: 'write a page that can be mailed: intervals, distributions, the flow, failing rows',
  },
  { flags: '--junit <file>', about: 'write JUnit XML, a test case a metric' },
  { flags: '--markdown <file>', about: 'write Markdown for a pull request' },
  { flags: '--baseline <file>', about: 'compare with this baseline (default: baseline.json beside the eval.yaml)' },
  { flags: '--against <run>', about: 'compare with the scores of this run in place of the baseline' },
  { flags: '--since <run>', about: 'take outputs from this run where nothing has changed' },
  { flags: '--no-cache', about: 'run every node, with --since too' },
  { flags: '--rows <lines>', about: 'only these lines of the data, from 0: 0-9,15' },
  { flags: '--sample <n>', about: 'so many rows at random, the same ones for the same seed' },
  { flags: '--seed <n>', about: 'for --sample (default: 0)' },
  { flags: '--repeat <n>', about: 'run each row so often (default: 1)' },
  { flags: '--concurrency <n>', about: 'rows at the same time (default: PF_WORKER_COUNT, or 8)' },
  {
    flags: '--connections <file or node.key=value...>',
    about: 'connections file, or ask.connection=mine for once',
    isRepeatable: true,
  },
  { flags: '--env <name=value...>', about: 'environment variables of the nodes, or .env files', isRepeatable: true },
  { flags: '--init <name=value...>', about: 'arguments of the class that is the flow', isRepeatable: true },
  { flags: '--variant <node.variant>', about: "one node's variant, for instance ask.variant_1" },
  { flags: '--timeout <seconds>', about: 'time limit of each node that has none of its own' },
  { flags: '--row-timeout <seconds>', about: 'time limit of each row (default: PF_LINE_TIMEOUT_SEC, or 600)' },
  { flags: '--limit-rpm <n>', about: 'requests a minute for each connection, or mine=600', isRepeatable: true },
  { flags: '--limit-tpm <n>', about: 'tokens a minute for each connection, or mine=90000', isRepeatable: true },
  ...budgetOptions,
  { flags: '--name <name>', about: 'what the run is called (default: time, flow and four letters)' },
  { flags: '--record <file>', about: 'write the model calls of the run, and of its judges, to cassettes' },
  { flags: '--replay <file>', about: 'answer them from cassettes, without keys or network' },
  { flags: '--quiet', about: 'no progress' },
  runsFolder,
  noColor,
];

export const evalCommand: CommandSpec = {
  name: 'eval',
  summary: 'score a flow over a dataset, or a recorded run, and judge its gates',
  description:
    'Runs the flow of an eval.yaml over its data, or takes a run that is there already, and scores outputs, nodes and turns of loops. Exit code 1 when a gate is not met, 2 when the evaluation is wrong.',
  arguments: [evaluation],
  options: [
    ...evalOptions,
    {
      flags: '--oracle <node>',
      about:
        'run it again with the outputs of a node given (expected.<node>); function[*], or a,b together; again for each',
      isRepeatable: true,
    },
    { flags: '--oracle-sweep', about: 'the same for each node that has expectations: which one to fix first' },
    { flags: '--oracle-from <run>', about: 'with these: give what the node gave in this run' },
    { flags: '--metric <name>', about: 'with these: the end score (default: those on outputs)', isRepeatable: true },
  ],
  examples: [
    'flow eval evals/privacy-agent',
    'flow eval evals/privacy-agent --run latest',
    'flow eval my-eval/eval.yaml --since latest --json',
    'flow eval evals/privacy-agent --run latest --oracle-sweep',
  ],
  load: async () => (await import('./commands/eval.ts')).evaluate,
};

export const gateCommand: CommandSpec = {
  name: 'gate',
  summary: 'fail where an evaluation misses its gates: names the first bad node and the cause',
  description:
    'Evaluates as flow eval does and judges the gates of its metrics: bounds of their own, and the baseline that flow baseline accept wrote. Exit code 1 when one is not met, with the first bad node and the definition that changed.',
  arguments: [evaluation],
  options: evalOptions,
  examples: [
    'flow gate evals/privacy-agent',
    'flow gate evals/privacy-agent --run latest --junit gate.xml --markdown gate.md',
  ],
  load: async () => (await import('./commands/gate.ts')).gate,
};

export const baselineCommand: CommandSpec = {
  name: 'baseline',
  summary: 'accept what an evaluation came to, for later ones to be held to',
  description: 'The baseline of an evaluation is a small file beside it, to be reviewed and kept in git.',
  arguments: [],
  options: [],
  examples: ['flow baseline accept evals/privacy-agent'],
  commands: [
    {
      name: 'accept',
      summary: 'write the baseline file from a run',
      description:
        'Evaluates as flow eval does and writes baseline.json beside the eval.yaml: of each metric the mean, the interval and the score of every row, and the digests of flow and data.',
      arguments: [evaluation],
      options: evalOptions.filter(({ flags }) => !/^--(html|junit|markdown|out|against|json)\b/.test(flags)),
      examples: ['flow baseline accept evals/privacy-agent', 'flow baseline accept evals/privacy-agent --run latest'],
      load: async () => (await import('./commands/baseline/accept.ts')).acceptBaseline,
    },
  ],
};
