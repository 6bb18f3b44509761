import { budgetOptions } from './bulk/budget-options.ts';
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { connectionCommand } from './command-table-connection.ts';
import { baselineCommand, evalCommand, gateCommand } from './command-table-eval.ts';
import { indexCommand } from './command-table-index.ts';
import { pythonCommand } from './command-table-python.ts';
import { toolsCommand } from './command-table-tools.ts';

const flow = { name: '<flow>', about: 'a flow: its folder, or its flow.dag.yaml' };
const noColor = { flags: '--no-color', about: 'plain text (as NO_COLOR=1 does)' };
const runsFolder = { flags: '--runs-dir <folder>', about: 'where runs are kept (default: .flow/runs, or FLOW_RUNS)' };
const connections = {
  flags: '--connections <file>',
  about: 'connections file (default: connections.yaml; see docs/connections.md)',
};

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

export const commandTable: readonly CommandSpec[] = [
  {
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
  },
  {
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
  },
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
  {
    name: 'show',
    summary: 'show a recorded run: nodes, times, tokens, inputs, outputs',
    description: 'Shows a recorded run. Without a name, the newest one.',
    arguments: [{ name: '[run]', about: 'id of a run, the start of one, or a .run file' }],
    options: [
      { flags: '--row <n>', about: 'row to show, from 0; 12/2 for its third repetition' },
      { flags: '--node <name>', about: 'everything recorded of one node; agent[*] for a family' },
      { flags: '--json', about: 'print JSON, in the shape of flow run --json' },
      runsFolder,
      noColor,
    ],
    examples: ['flow show', 'flow show --node agent_2', 'flow show 20261121-064500 --json'],
    load: async () => (await import('./commands/show.ts')).show,
  },
  {
    name: 'diff',
    summary: 'compare two runs node by node and name the cause',
    description:
      'Compares two recorded runs, A and B, row by row and node by node, and says of every change whether it is a cause, an effect or noise.',
    arguments: [
      {
        name: '[a]',
        about: 'id of a run, the start of one, or a .run file (default: the run of the same flow before B)',
      },
      { name: '[b]', about: 'the run to compare with it (default: the newest)' },
    ],
    options: [
      {
        flags: '--key <name>',
        about: 'pair rows by this input, or column of the data (default: by what went in, then by line)',
      },
      {
        flags: '--rename <old=new>',
        about: 'a node or family that B calls otherwise; again for each',
        isRepeatable: true,
      },
      { flags: '--node <name>', about: 'this node only, for instance agent_2' },
      { flags: '--family <name>', about: "all instances of a loop's node, for instance agent" },
      { flags: '--only <kind>', about: 'changes of one kind: cause, effect, noise, input or unknown' },
      { flags: '--by-iteration', about: "instances of a loop's node one by one" },
      { flags: '--rows <n>', about: 'differing rows to show (default: 5; 50 with --html)' },
      { flags: '--limit <n>', about: 'places to show of one value (default: 12)' },
      { flags: '--json', about: 'print one JSON object' },
      { flags: '--format <form>', about: 'how to print', choices: ['text', 'markdown'] },
      { flags: '--html <file>', about: 'write a page that can be mailed; prints the verdict' },
      { flags: '--exit-code', about: 'exit with 1 when the runs differ' },
      runsFolder,
      noColor,
    ],
    examples: [
      'flow diff',
      'flow diff 20261121-064500 latest',
      'flow diff before.run after.run --only cause --exit-code',
      'flow diff before.run after.run --family agent --by-iteration',
      'flow diff before.run after.run --html diff.html',
    ],
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  evalCommand,
  gateCommand,
  baselineCommand,
  {
    name: 'why',
    summary: 'say why a node ran, or from where its output was taken',
    description:
      'Says what changed for a node of a row since the run that --since named, with the old and the new; or that its output was taken from there.',
    arguments: [{ name: '[run]', about: 'id of a run, the start of one, or a .run file (default: the newest)' }],
    options: [
      { flags: '--node <name>', about: 'the node, or agent[*] for a family' },
      { flags: '--row <n>', about: 'row, from 0; 3/1 for the second time it was run (default: the first)' },
      { flags: '--against <run>', about: 'compare with this run (default: the one --since named)' },
      { flags: '--json', about: 'print JSON' },
      runsFolder,
      noColor,
    ],
    examples: ['flow why --row 7 --node agent_1', 'flow why 20261121-0645 --node search --against 20261120-1800'],
    load: async () => (await import('./commands/why.ts')).why,
  },
  {
    name: 'trace',
    summary: 'print a turn of an agent as trace events of Agents for Amazon Bedrock',
    description:
      'Prints the events of one row as InvokeAgent streams them, one JSON object a line, of a flow made of the steps of @unroll/nodes/bedrock.',
    arguments: [{ name: '[run]', about: 'id of a run, the start of one, or a .run file (default: the newest)' }],
    options: [
      { flags: '--row <n>', about: 'row, from 0; 3/1 for the second time it was run (default: the first)' },
      { flags: '--format <format>', about: 'bedrock, which is the only one' },
      runsFolder,
    ],
    examples: ['flow trace', 'flow trace 20261121-0645 --row 7 --format bedrock'],
    load: async () => (await import('./commands/trace.ts')).trace,
  },
  {
    name: 'export',
    summary: 'write rows of a run, or its node records, as JSONL, CSV or Parquet',
    description:
      'Writes one line a row: line number, status, inputs, outputs, error. In CSV and Parquet a member is a column of its own, outputs.answer.',
    arguments: [{ name: '[run]', about: 'id of a run, the start of one, or a .run file; without it, the newest' }],
    options: [
      {
        flags: '--format <format>',
        about: "jsonl, csv or parquet (default: the file's extension, or jsonl)",
        choices: ['jsonl', 'csv', 'parquet'],
      },
      { flags: '-o, --out <file>', about: 'write there instead of printing' },
      { flags: '--nodes', about: "the nodes' records instead of the rows" },
      { flags: '--bom', about: 'a byte order mark before CSV: Excel then reads Japanese as it is' },
      runsFolder,
    ],
    examples: ['flow export latest --out rows.csv --bom', 'flow export 20261121 --nodes > nodes.jsonl'],
    load: async () => (await import('./commands/export.ts')).exportRun,
  },
  {
    name: 'import-run',
    summary: 'read a run that Prompt flow recorded',
    description:
      'Reads a run folder of Prompt flow (<home>/.promptflow/.runs/<name>) into a record, to be shown, compared and evaluated as any other.',
    arguments: [{ name: '<folder>', about: 'the run folder: it holds flow_artifacts and node_artifacts' }],
    options: [{ flags: '--name <name>', about: 'what the run is called (default: its own name)' }, runsFolder],
    examples: ['flow import-run ~/.promptflow/.runs/my_run', 'flow diff my_run latest'],
    load: async () => (await import('./commands/import-run.ts')).importRun,
  },
  {
    name: 'parity',
    summary: 'run a flow again on the rows of a run and tell what differs',
    description:
      'Runs a flow on the rows of a recorded run, one that flow import-run read above all, and tells node by node what differs. Exit code 1 when something does.',
    arguments: [flow, { name: '<run>', about: 'id of a run, the start of one, or a .run file' }],
    options: [
      { flags: '--rows <n>', about: 'tell so many differing rows in full (default: 5)' },
      { flags: '--concurrency <n>', about: 'rows at the same time (default: PF_WORKER_COUNT, or 8)' },
      { flags: '--connections <file or node.key=value...>', about: 'as for flow run', isRepeatable: true },
      { flags: '--variant <node.variant>', about: "one node's variant" },
      { flags: '--json', about: 'print JSON' },
      { flags: '--quiet', about: 'no progress' },
      runsFolder,
      noColor,
    ],
    examples: ['flow parity my-flow my_run', 'flow parity my-flow my_run --connections ask.connection=offline'],
    load: async () => (await import('./commands/parity.ts')).parity,
  },
  {
    name: 'runs',
    summary: 'list recorded runs, or remove some',
    description: 'Lists the recorded runs, newest first. flow runs rm RUN … removes runs.',
    arguments: [{ name: '[rm run...]', about: 'removes runs, named by their ids or the starts of them' }],
    options: [
      { flags: '-n, --number <n>', about: 'how many at most (default: 20)' },
      { flags: '--json', about: 'print JSON' },
      runsFolder,
      noColor,
    ],
    examples: ['flow runs', 'flow runs -n 5', 'flow runs rm 20261121-064500'],
    load: async () => (await import('./commands/runs.ts')).runs,
  },
  {
    name: 'gc',
    summary: 'remove old records of runs',
    description:
      'Lists the runs beyond a limit of age, number or size, and removes them with --yes. A run under way stays.',
    arguments: [],
    options: [
      { flags: '--older-than <age>', about: 'runs older than this: 30d, 12h' },
      { flags: '--keep <n>', about: 'all but the newest so many' },
      { flags: '--max-size <size>', about: 'the oldest, until the rest is no larger: 500MB, 2GB' },
      { flags: '--yes', about: 'remove them' },
      runsFolder,
      noColor,
    ],
    examples: ['flow gc --older-than 30d', 'flow gc --keep 50 --max-size 2GB --yes'],
    load: async () => (await import('./commands/gc.ts')).gc,
  },
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
