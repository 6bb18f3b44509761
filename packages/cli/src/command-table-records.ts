import type { CommandSpec } from './command-spec.ts';
import { flow, noColor, runsFolder } from './command-table-options.ts';

export const showCommand: CommandSpec = {
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
};

export const diffCommand: CommandSpec = {
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
};

export const whyCommand: CommandSpec = {
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
};

export const traceCommand: CommandSpec = {
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
};

export const exportCommand: CommandSpec = {
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
    { flags: '--raw', about: 'texts in CSV as they are, also those that a spreadsheet takes for formulas' },
    runsFolder,
  ],
  examples: ['flow export latest --out rows.csv --bom', 'flow export 20261121 --nodes > nodes.jsonl'],
  load: async () => (await import('./commands/export.ts')).exportRun,
};

export const importRunCommand: CommandSpec = {
  name: 'import-run',
  summary: 'read a run that Prompt flow recorded',
  description:
    'Reads a run folder of Prompt flow (<home>/.promptflow/.runs/<name>) into a record, to be shown, compared and evaluated as any other.',
  arguments: [{ name: '<folder>', about: 'the run folder: it holds flow_artifacts and node_artifacts' }],
  options: [{ flags: '--name <name>', about: 'what the run is called (default: its own name)' }, runsFolder],
  examples: ['flow import-run ~/.promptflow/.runs/my_run', 'flow diff my_run latest'],
  load: async () => (await import('./commands/import-run.ts')).importRun,
};

export const parityCommand: CommandSpec = {
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
};

export const runsCommand: CommandSpec = {
  name: 'runs',
  summary: 'list recorded runs, remove some, or look for damage',
  description:
    'Lists the recorded runs, newest first. flow runs rm RUN … removes runs. flow runs check RUN … reads all of a record and tells what of it is damaged.',
  arguments: [
    {
      name: '[rm|check run...]',
      about: 'removes runs, or reads all of their records; named by ids, the starts of them, or files',
    },
  ],
  options: [
    { flags: '-n, --number <n>', about: 'how many at most (default: 20)' },
    { flags: '--json', about: 'print JSON' },
    runsFolder,
    noColor,
  ],
  examples: ['flow runs', 'flow runs -n 5', 'flow runs rm 20261121-064500', 'flow runs check latest'],
  load: async () => (await import('./commands/runs.ts')).runs,
};

export const pricesCommand: CommandSpec = {
  name: 'prices',
  summary: 'list what models cost, or put another list in force',
  description:
    'Lists the prices that costs are worked out by, with their dates, and where they stand. flow prices update --file FILE puts a list of your own in their place, for this project or, with --user, for you.',
  arguments: [{ name: '[update]', about: 'puts the list of --file in force' }],
  options: [
    { flags: '--file <file>', about: 'with update: a JSON file of prices (docs/guide/budgets.md)' },
    { flags: '--user', about: 'with update: in the home folder, not in that of the project' },
    { flags: '--json', about: 'print JSON' },
    noColor,
  ],
  examples: ['flow prices', 'flow prices update --file prices.json'],
  load: async () => (await import('./commands/prices.ts')).prices,
};

export const gcCommand: CommandSpec = {
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
};
