import type { CommandSpec } from './command-spec.ts';

const flow = { name: '<flow>', about: 'a flow: its folder, or its flow.dag.yaml' };
const noColor = { flags: '--no-color', about: 'plain text (as NO_COLOR=1 does)' };
const runsFolder = { flags: '--runs-dir <folder>', about: 'where runs are kept (default: .flow/runs, or FLOW_RUNS)' };
const connections = {
  flags: '--connections <file>',
  about: 'connections file (default: connections.yaml; see docs/connections.md)',
};

export const commandTable: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'run a flow on one set of inputs and record every node',
    description: 'Runs a flow on one set of inputs. Every node, what went in and what came out, is recorded.',
    arguments: [flow],
    options: [
      {
        flags: '-i, --input <name=value>',
        about: 'an input; name=@file reads a file; again for each',
        isRepeatable: true,
      },
      { flags: '--inputs <file>', about: 'inputs from a JSON file, or the first line of a JSONL file' },
      { flags: '--node <name>', about: 'run this node alone; inputs are those of the node' },
      { flags: '--from <run>', about: 'with --node: take inputs from a recorded run' },
      { flags: '--variant <node.variant>', about: "one node's variant, for instance ask.variant_1" },
      connections,
      { flags: '--json', about: 'print one JSON object, see docs/run-json.md' },
      { flags: '--output-dir <folder>', about: 'also write outputs.json and run.json there' },
      runsFolder,
      noColor,
    ],
    examples: [
      'flow run flows/privacy-agent --input "query=May we mail our customers?"',
      'flow run my-flow --inputs inputs.json --json',
      'flow run my-flow --input text=@letter.txt',
      'flow run my-flow --node search --input "query=consent"',
    ],
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'check',
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
      { flags: '--row <n>', about: 'row to show, from 0 (default: 0)' },
      { flags: '--node <name>', about: 'everything recorded of one node; agent[*] for a family' },
      { flags: '--json', about: 'print JSON, in the shape of flow run --json' },
      runsFolder,
      noColor,
    ],
    examples: ['flow show', 'flow show --node agent_2', 'flow show 20261121-064500 --json'],
    load: async () => (await import('./commands/show.ts')).show,
  },
  {
    name: 'runs',
    summary: 'list recorded runs',
    description: 'Lists the recorded runs, newest first.',
    arguments: [],
    options: [
      { flags: '-n, --number <n>', about: 'how many at most (default: 20)' },
      { flags: '--json', about: 'print JSON' },
      runsFolder,
      noColor,
    ],
    examples: ['flow runs', 'flow runs -n 5'],
    load: async () => (await import('./commands/runs.ts')).runs,
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
        choices: ['agent', 'chat', 'rag', 'python'],
      },
    ],
    examples: ['flow init my-agent', 'flow init my-chat --template chat'],
    load: async () => (await import('./commands/init.ts')).init,
  },
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
