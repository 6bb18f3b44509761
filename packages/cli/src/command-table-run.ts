import { budgetOptions } from './bulk/budget-options.ts';
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { flow, noColor, runsFolder } from './command-table-options.ts';

const runOptions: readonly OptionSpec[] = [
  { flags: '-i, --input <name=value>', about: 'an input; name=@file reads a file; again for each', isRepeatable: true },
  { flags: '--inputs <file>', about: 'inputs from a JSON file, or the first line of a JSONL file' },
  { flags: '--node <name>', about: 'run this node alone; inputs are those of the node' },
  { flags: '--from <run>', about: 'with --node: take inputs from a recorded run' },
  { flags: '--variant <node.variant>', about: "one node's variant, for instance ask.variant_1" },
  {
    flags: '--connections <file or node.key=value...>',
    about: 'connections file (docs/connections.md); or for one run: ask.connection=mine ask.deployment_name=gpt-4o',
    isRepeatable: true,
  },
  { flags: '--env <name=value...>', about: 'environment variables of the nodes, or .env files', isRepeatable: true },
  {
    flags: '--init <name=value...>',
    about: 'arguments of the class that is the flow (flow.flex.yaml); a value may be JSON',
    isRepeatable: true,
  },
  {
    flags: '--environment-variables <name=value...>',
    about: 'the same, by its name in Prompt flow',
    isRepeatable: true,
  },
  { flags: '--timeout <seconds>', about: 'time limit of each node that has none of its own' },
  { flags: '--json', about: 'print one JSON object; with --data a line for each row, then one for the run' },
  { flags: '--output-dir <folder>', about: 'also write outputs.json and run.json there' },
  {
    flags: '--data <file>',
    about: 'run on every row: a file (jsonl, json, csv, tsv, parquet), a folder, or - for jsonl',
  },
  {
    flags: '--column-mapping <name=value...>',
    about: 'where inputs come from: name=${data.column}',
    isRepeatable: true,
  },
  { flags: '--run <run>', about: 'an earlier run: ${run.outputs.name}, ${run.inputs.name} in the mapping' },
  { flags: '--data-format <format>', about: "jsonl, json, csv, tsv or parquet, in place of the file's extension" },
  { flags: '--encoding <name>', about: 'utf-8, utf-16le, utf-16be or cp932, where it is not found out rightly' },
  { flags: '--rows <lines>', about: 'only these lines of the data, from 0: 0-9,15' },
  { flags: '--sample <n>', about: 'so many rows at random, the same ones for the same seed' },
  { flags: '--seed <n>', about: 'for --sample (default: 0)' },
  { flags: '--repeat <n>', about: 'run each row so often (default: 1)' },
  { flags: '--concurrency <n>', about: 'rows at the same time (default: PF_WORKER_COUNT, or 8)' },
  { flags: '--limit-rpm <n>', about: 'requests a minute for each connection, or mine=600', isRepeatable: true },
  { flags: '--limit-tpm <n>', about: 'tokens a minute for each connection, or mine=90000', isRepeatable: true },
  { flags: '--row-timeout <seconds>', about: 'time limit of each row (default: PF_LINE_TIMEOUT_SEC, or 600)' },
  { flags: '--durable', about: 'wait for the disk at every commit: records outlive a crash of the machine too' },
  ...budgetOptions,
  { flags: '--name <name>', about: 'what the run is called (default: time, flow and four letters)' },
  { flags: '--file <run.yaml>', about: 'a run as Prompt flow writes it down: flow, data, column_mapping …' },
  { flags: '--allow-failures', about: 'exit 0 though rows failed' },
  { flags: '--quiet', about: 'print nothing but the name of the run' },
  {
    flags: '--since <run>',
    about: 'take outputs from this run where nothing has changed (docs/guide/changed-only.md)',
  },
  { flags: '--no-cache', about: 'run every node, with --since or a resumed run too' },
  {
    flags: '--record <file>',
    about: 'write the model calls of this run to a cassette; those on it are answered from it',
  },
  {
    flags: '--record-mode <mode>',
    about: 'new: only calls not on it yet (default); all: anew',
    choices: ['new', 'all'],
  },
  { flags: '--replay <file>', about: 'answer model calls from a cassette, without keys or network' },
  { flags: '--resume <run>', about: 'go on with a run that was stopped' },
  { flags: '--retry-failed <run>', about: 'run the rows of a run again that failed' },
  { flags: '--force', about: 'with these: though the flow or the data changed' },
  runsFolder,
  noColor,
];

/** Those of `flow run` that decide what is run on which rows. */
const planFlags: readonly string[] = [
  ...['data', 'column-mapping', 'run', 'data-format', 'encoding', 'rows', 'sample', 'seed', 'repeat', 'since', 'file'],
  ...['variant', 'connections', 'env', 'environment-variables', 'init', 'runs-dir'],
];

export const runCommand: CommandSpec = {
  name: 'run',
  summary: 'run a flow on one set of inputs, or on all rows of a dataset',
  description:
    'Runs a flow on one set of inputs, or with --data on every row of a dataset. Every node, what went in and what came out, is recorded.',
  arguments: [{ name: '[flow]', about: flow.about }],
  options: runOptions,
  examples: [
    'flow run flows/privacy-agent --input "query=May we mail our customers?"',
    'flow run my-flow --inputs inputs.json --json',
    'flow run my-flow --node search --input "query=consent"',
    'flow run my-flow --data questions.jsonl --concurrency 16',
    "flow run my-flow --data questions.csv --column-mapping query='${data.question}' --sample 20",
    "flow run evaluate --data truth.jsonl --run latest --column-mapping answer='${run.outputs.answer}'",
    'flow run --resume 20261121-064500-my-flow-a1b2',
  ],
  load: async () => (await import('./commands/run.ts')).run,
};

export const planCommand: CommandSpec = {
  name: 'plan',
  summary: 'tell what a run over data would ask of models and cost, before anything is spent',
  description:
    'Goes through the rows without running them: calls, tokens and cost of each node, where a loop or a condition decides from least to most, and how many rows --since would answer.',
  arguments: [flow],
  options: [
    ...runOptions.filter(({ flags }) => planFlags.some((flag) => flags.startsWith(`--${flag} `))),
    { flags: '--json', about: 'print one JSON object' },
    noColor,
  ],
  examples: [
    'flow plan my-flow --data questions.jsonl',
    'flow plan my-flow --data questions.jsonl --since latest --json',
  ],
  load: async () => (await import('./commands/plan.ts')).plan,
};
