import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandSpec } from './command-spec.ts';
import { commandTable, helpSections } from './command-table.ts';
import { helpText } from './help-text.ts';
import { createTestWorld } from './testing/test-io.ts';
import { writeFiles } from './testing/write-files.ts';

test('the help lists every command', async () => {
  using world = createTestWorld();
  const { code, stdout, stderr } = await world.flow('--help');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`Usage: flow <command> [arguments]

Runs flows of language-model calls, code and searches, with loops unrolled and every node recorded.

Write a flow:
  init [options] [folder]         make a new flow that runs at once, offline
  check [options] <flow>          find all mistakes of a flow without running it
  render [options] [template]     show what a prompt template becomes
  graph [options] <flow>          draw a flow as a picture (Mermaid or SVG)
  expand [options] <flow>         print a flow with its loops unrolled
  types [options] <flow>          write a flow's inputs and outputs as TypeScript types

Run it:
  run [options] [flow]            run a flow on one set of inputs, or on all rows of a dataset
  plan [options] <flow>           tell what a run over data would ask of models and cost, before anything is spent
  chat [options] <flow>           talk with a chat flow in the terminal

Look at runs:
  view [options] [folder|run...]  look at runs in a browser
  runs [options] [action run...]  list recorded runs, name and tag them, remove some, or look for damage
  show [options] [run]            show a recorded run: nodes, times, tokens, inputs, outputs
  why [options] [run]             say why a node ran, or from where its output was taken
  trace [options] [run]           print a turn of an agent as trace events of Agents for Amazon Bedrock
  export [options] [run]          write rows of a run, or its node records, as JSONL, CSV or Parquet
  import-run [options] <folder>   read a run that Prompt flow recorded
  gc [options]                    remove old records of runs

Evaluate and compare:
  eval [options] <eval>           score a flow over a dataset, or a recorded run, and judge its gates
  gate [options] <eval>           fail where an evaluation misses its gates: names the first bad node and the cause
  baseline <command>              accept what an evaluation came to, for later ones to be held to
  diff [options] [a] [b]          compare two runs node by node and name the cause
  parity [options] <flow> <run>   run a flow again on the rows of a run and tell what differs

Serve it:
  serve [options] [flows...]      answer requests over HTTP with flows
  dev [options] [flows...]        serve flows while they are edited
  build [options] [flow]          write a folder that serves a flow, by itself or as an image

Run on workers:
  engine <command>                a PostgreSQL that runs belong to: init, status, gc
  worker [options]                run rows of the runs that an engine has
  attach [options] <run>          follow a run on workers
  stop [options] <run>            stop a run on workers
  pull [options] <run>            copy a run on workers to a file here

What flows use:
  connection <command>            keep connections: create, update, list, show, test, delete
  index <command>                 build search indexes over documents, keep them up to date, ask them
  tools <command>                 catalogues of tools: build one, look tools up in it
  python <command>                the Python of a flow: set up its requirements, or tell which it is
  prices [options] [update]       list what models cost, or put another list in force

This command:
  completion <shell> [words...]   print what makes a shell complete commands, options, flows and runs
  version [options]               print the version

Help:
  help [command]                  help for a command
  -h, --help                      show this help
  --version                       print the version

Examples:
  flow init my-agent
  flow run my-agent --input "query=…"
  flow help run
`);
  expect((await world.flow()).stdout).toBe(stdout);
});

test('on a narrow terminal no line of the help is longer than it', () => {
  const lines = helpText(helpSections, 60).split('\n');
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines).toContain('Runs flows of language-model calls, code and searches, with');
});

test('flow help check', async () => {
  using world = createTestWorld();
  const { code, stdout } = await world.flow('help', 'check');
  expect(code).toBe(0);
  expect(stdout).toBe(`Usage: flow check [options] <flow>

Reads a flow, its templates and its code, and lists every mistake with its place. Asks the Python of
the flow which imports it finds; runs none of its code.

Arguments:
  flow                                       a flow: its folder, or its flow.dag.yaml

Options:
  --json                                     print diagnostics as JSON
  --sarif                                    print diagnostics as SARIF 2.1.0, for code-review tools
  --variant <node.variant>                   check with this variant
  --env <name=value...>                      environment variables of the nodes, or .env files
  --environment-variables <name=value...>    the same, by its name in Prompt flow
  --connections <file or node.key=value...>  connections file (docs/connections.md); or for one run:
                                             ask.connection=mine ask.deployment_name=gpt-4o
  --no-color                                 plain text (as NO_COLOR=1 does)
  -h, --help                                 show this help

Examples:
  flow check flows/privacy-agent
  flow check my-flow --json
  flow check my-flow --sarif > flow.sarif
`);
});

test.for(['connection', 'index', 'tools', 'python', 'engine', 'baseline'])(
  'flow help %s says of its help what flow says',
  async (group) => {
    using world = createTestWorld();
    expect((await world.flow('help', group)).stdout).toMatch(/^ {2}help \[command\] +help for a command$/m);
  },
);

test.for([['run'], ['eval'], ['gate'], ['serve'], ['plan'], ['baseline', 'accept']])(
  'flow help %s lists options by purpose, and those without one last',
  async (path) => {
    using world = createTestWorld();
    const { stdout } = await world.flow('help', ...path);
    const headings = stdout.split('\n').filter((line) => /^\S.*:$/.test(line));
    expect(headings.length).toBeGreaterThan(4);
    expect(headings.slice(-2)).toEqual(['Options:', 'Examples:']);
  },
);

test('a baseline is accepted against nothing', async () => {
  using world = createTestWorld();
  const { code, stderr } = await world.flow('baseline', 'accept', 'my-eval', '--against', 'latest');
  expect([code, stderr]).toEqual([2, expect.stringContaining("unknown option '--against'")]);
});

/** What prints no report of its own: a document in a form that others read, or what it serves until it is stopped. */
const withoutJson: Readonly<Record<string, string>> = {
  'flow worker': 'what it does goes to stderr, for people',
  'flow trace': 'events, JSON as they are',
  'flow completion': 'a script for a shell',
  'flow export': 'rows, in the format that is asked for',
  'flow serve': 'answers requests until it is stopped',
  'flow dev': 'answers requests until it is stopped',
  'flow tools serve': 'answers requests until it is stopped',
};

test('every command that prints takes --json', () => {
  const leaves = (specs: readonly CommandSpec[], above: string): readonly (readonly [string, boolean])[] =>
    specs.flatMap(({ name, options, commands = [] }) =>
      commands.length > 0
        ? leaves(commands, `${above} ${name}`)
        : [[`${above} ${name}`, options.some(({ flags }) => flags.split(/[ ,]/).includes('--json'))] as const],
    );
  const missing = leaves(commandTable, 'flow').flatMap(([command, hasJson]) => (hasJson ? [] : [command]));
  expect(missing.toSorted()).toEqual(Object.keys(withoutJson).toSorted());
});

test('--json of commands that do something: one object', async () => {
  using first = createTestWorld();
  const world = createTestWorld({ folder: first.folder, environment: { HOME: join(first.folder, 'home') } });
  const said: unknown[] = [];
  for (const line of [
    'version',
    'init new --template chat',
    'run new --name one',
    'gc --keep 0',
    'gc --keep 0 --yes',
    'connection create -n mine --set type=open_ai api_key=sekret-1',
    'connection update mine --set base_url=http://127.0.0.1:9',
    'connection rotate-key',
    'connection delete mine --yes',
  ]) {
    const { code, stdout, stderr } = await world.flow(...line.split(' '), '--json');
    expect([line, code, stderr]).toEqual([line, 0, '']);
    if (!line.startsWith('run')) said.push(JSON.parse(stdout));
  }
  expect(said).toEqual([
    { version: expect.any(String), node: process.versions.node, build: expect.any(String) },
    {
      folder: 'new',
      template: 'chat',
      files: ['README.md', 'chat.jinja2', 'flow.dag.yaml', 'flow.schema.json', 'history.json'],
    },
    { kept: 0, removed: false, runs: [{ id: 'one', age_ms: 0, bytes: expect.any(Number) }] },
    { kept: 0, removed: true, runs: [{ id: 'one', age_ms: 0, bytes: expect.any(Number) }] },
    { created: 'mine', from: 'home/.flow/connections' },
    { updated: 'mine', from: 'home/.flow/connections' },
    { encrypted: 1, forgot_old: false },
    { deleted: 'mine', from: 'home/.flow/connections' },
  ]);
});

const longLines = (text: string): readonly string[] => text.split('\n').filter((line) => line.length > 100);

test.for(commandTable.map(({ name }) => name))('flow help %s ends well and shows examples', async (name) => {
  using world = createTestWorld();
  const { code, stdout } = await world.flow('help', name);
  expect(code).toBe(0);
  expect(stdout).toContain(`Examples:\n  flow ${name}`);
  expect(longLines(stdout)).toEqual([]);
});

test.for([['help'], ['help', 'help'], ['help', '--help'], ['-h']])('flow %s is the list of commands', async (argv) => {
  using world = createTestWorld();
  expect(await world.flow(...argv)).toEqual(await world.flow('--help'));
});

const within = commandTable.flatMap(({ name, commands = [] }) => commands.map((below) => [name, below.name] as const));

test.for(within)('flow help %s %s is about that command', async ([name, below]) => {
  using world = createTestWorld();
  const { code, stdout } = await world.flow('help', name, below);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: flow ${name} ${below} `));
  expect(longLines(stdout)).toEqual([]);
});

test.for([
  { argv: ['rnu'], says: "error: unknown command 'rnu'\n(Did you mean run?)\n(flow help lists the commands)\n" },
  {
    argv: ['help', 'rnu'],
    says: "error: unknown command 'rnu'\n(Did you mean run?)\n(flow help lists the commands)\n",
  },
  {
    argv: ['test', '--flow', 'x'],
    says: "error: unknown command 'test'\n(flow help lists the commands)\n(as in pf; here: flow run FOLDER)\n",
  },
  {
    argv: ['run', 'f', '--name', '--data', 'x'],
    says: "error: option '--name <name>' argument missing\n(flow help run shows what it takes)\n",
  },
  {
    argv: ['run', 'x', '--jsno'],
    says: "error: unknown option '--jsno'\n(Did you mean --json?)\n(flow help run shows what it takes)\n",
  },
  ...['—', '–', '－－'].map((dash) => ({
    argv: ['version', `${dash}json`],
    says: `error: too many arguments for 'version'. Expected 0 arguments but got 1: ${dash}json.\n(flow help version shows what it takes)\n("${dash}json" begins with a dash of another kind; did you mean --json?)\n`,
  })),
  {
    argv: ['run', 'x', '–i', 'q=a'],
    says: 'error: too many arguments for \'run\'. Expected 1 argument but got 3: x, –i, q=a.\n(flow help run shows what it takes)\n("–i" begins with a dash of another kind; did you mean -i?)\n',
  },
  {
    argv: ['check', '—json'],
    says: 'error: there is no file or folder —json\n("—json" begins with a dash of another kind; did you mean --json?)\n',
  },
  { argv: ['check'], says: "error: missing required argument 'flow'\n(flow help check shows what it takes)\n" },
  {
    argv: ['version', 'x'],
    says: "error: too many arguments for 'version'. Expected 0 arguments but got 1: x.\n(flow help version shows what it takes)\n",
  },
])('$argv is wrong: exit code 2, nothing on stdout', async ({ argv, says }) => {
  using world = createTestWorld();
  expect(await world.flow(...argv)).toEqual({ code: 2, stdout: '', stderr: says });
});

test.for(['check nowhere', 'expand nowhere', 'gate nowhere', 'eval nowhere', 'show nowhere', 'diff one other'])(
  'programs are told why there is no result: %s --json',
  async (line) => {
    using world = createTestWorld();
    const { code, stdout, stderr } = await world.flow(...line.split(' '), '--json');
    const { error } = JSON.parse(stdout) as { readonly error: Readonly<Record<'code' | 'message' | 'help', string>> };
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${error.message}\n${error.help}\n` });
    expect(error.code).toMatch(/^\w+$/);
  },
);

test.for([
  ['flow test --flow x', 'flow run FOLDER'],
  ['flow test --flow x --interactive', 'flow chat FOLDER'],
  ['flow test --flow x --ui', 'flow view has a page to chat with flows; in the terminal flow chat FOLDER'],
  ['flow init --flow x --type chat', 'flow init FOLDER'],
  ['flow validate --source x', 'flow check FOLDER'],
  ['flow build --source x --output y --format docker', 'flow build FOLDER --output DIR'],
  ['build x --variant a.b --output y', 'all variants go along; flow serve takes one with --variant'],
  ['flow serve --source x --port 1 --init a=b', 'flow serve FOLDER'],
  ['serve x --static_folder s', 'GET / is a page of its own; pages elsewhere may ask with --cors ORIGIN'],
  ['visualize --name r', 'flow view RUN; two runs in a file: flow diff RUN RUN --html diff.html'],
  ['show-details --name r', 'flow show RUN --row 0, or all rows: flow export RUN --out rows.csv'],
  ['show-metrics -n r', 'flow show RUN'],
  ['config set a=b', 'there is nothing to set: options and variables name folders (docs/cli.md)'],
  ['service start', 'there is no service: flow show, flow runs and flow diff read the records themselves'],
  ['upgrade', 'install the new version over the old one (docs/guide/install.md)'],
  ['validate --source x', 'flow check FOLDER'],
  ['init --flow x', 'flow init FOLDER'],
  ['show --name r', 'flow show RUN'],
  ['run list', 'flow runs'],
  ['run list --max-results 5', 'flow runs'],
  ['run create --flow x --data d.jsonl', 'flow run FOLDER --data FILE'],
  ['run create --resume-from base', 'flow run --retry-failed RUN; of one that was stopped flow run --resume RUN'],
  ['run show-metrics --name r', 'flow show RUN'],
  ['run --flow x', 'flow run FOLDER'],
  ['run visualize --names a,b', 'flow view RUN; two runs in a file: flow diff RUN RUN --html diff.html'],
] as const)('pf %s is told what to type here', async ([line, here]) => {
  using world = createTestWorld();
  const { code, stdout, stderr } = await world.flow(...line.split(' '));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: /);
  expect(stderr.endsWith(`(as in pf; here: ${here})\n`)).toBe(true);
  if (stderr.includes('unknown command')) expect(stderr).not.toContain('Did you mean');
});

test('an option that takes one value and is given two says which of them counts', async () => {
  using world = createTestWorld();
  const told = 'warning: --runs-dir is given more than once: the last one counts\n';
  expect((await world.flow('runs', '--runs-dir', 'a', '--runs-dir', 'b')).stderr).toBe(told);
  expect((await world.flow('runs', '--runs-dir', 'a', '--runs-dir', 'a', '--json', '--json')).stderr).toBe('');
});

test('a flow that bears a word of pf is run as any other', async () => {
  using world = createTestWorld();
  const flow =
    'inputs: {q: {type: string, default: a}}\noutputs: {o: {type: string, reference: "${inputs.q}"}}\nnodes: []\n';
  writeFiles(world.folder, { 'list/flow.dag.yaml': flow });
  expect((await world.flow('run', 'list', '--json')).code).toBe(0);
});

test('all that is wrong with the options is told at once, each with its help', async () => {
  using world = createTestWorld();
  const argv = ['run', 'x', '--sample', '0', '--row-timeout', 'soon', '--column-mapping', 'query'];
  expect(await world.flow(...argv)).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: --column-mapping takes name=value, not "query"
--sample takes a whole number from 1, not "0"
--row-timeout takes seconds, more than 0, not "soon"
For instance: --column-mapping question='\${data.query}' answer='\${run.outputs.answer}'
`,
  });
});

test('what flow serve takes is told by its options, not by its settings', async () => {
  using world = createTestWorld();
  const argv = ['serve', 'x', '--port', '99999', '--max-body', '9999999999999'];
  expect(await world.flow(...argv)).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: --port takes a whole number from 0 to 65535, not "99999"
--max-body takes a whole number from 1 to 1073741824, not "9999999999999"
`,
  });
});

test('an address that is none of this machine is told as such, not as a port that is taken', async () => {
  using world = createTestWorld();
  const flow = 'inputs: {q: {type: string}}\noutputs: {o: {type: string, reference: "${inputs.q}"}}\nnodes: []\n';
  writeFiles(world.folder, { 'echo/flow.dag.yaml': flow });
  const argv = ['serve', 'echo', '--host', '203.0.113.9', '--no-auth', '--port', '0', '--request-timeout', '0.0015'];
  const { code, stderr } = await world.flow(...argv);
  expect(code).toBe(2);
  expect(stderr).toContain('port 0 of 203.0.113.9 cannot be listened on');
  expect(stderr).toContain('--host takes an address of this machine');
});

test('with --json an option that cannot be read is told as JSON, as any failure of flow run', async () => {
  using world = createTestWorld();
  const { code, stdout, stderr } = await world.flow('run', 'x', '--data', 'd.jsonl', '--json', '--sample', 'few');
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    event: 'run-ended',
    error: { message: '--sample takes a whole number from 1, not "few"' },
  });
});

test('--version', async () => {
  using world = createTestWorld();
  const { code, stdout } = await world.flow('--version');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^flow \d+\.\d+\.\d+ \(Node \d+/);
});

test.for([
  [['run', 'f', '--data', ''], '--data takes a file, not ""'],
  [['run', 'f', '--data', 'd.jsonl', '--output-dir', ''], '--output-dir takes a folder, not ""'],
  [['types', 'f', '--output', ''], '--output takes a file, not ""'],
  [['eval', 'f', '--out', ''], '--out takes a folder, not ""'],
  [['eval', 'f', '--html', ''], '--html takes a file, not ""'],
  [['build', 'f', '--output', ''], '--output takes a folder, not ""'],
  [['run', '--resume', ''], '--resume takes <run>, not ""'],
  [['run', '--retry-failed', ''], '--retry-failed takes <run>, not ""'],
  [['run', 'f', '--name', ''], '--name takes <name>, not ""'],
  [['run', 'f', '--variant', ''], '--variant takes <node.variant>, not ""'],
  [['run', 'f', '--init', ''], '--init takes <name=value>, not ""'],
  [['serve', 'f', '--api-key-env', ''], '--api-key-env takes <name>, not ""'],
] as const)('the empty text of a variable that is not set is no value: %j', async ([words, message]) => {
  using world = createTestWorld();
  const { code, stderr } = await world.flow(...words);
  expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`]);
});

test.for([['--help'], ['run', '--help'], ['eval', '--help'], ['check', '--help']])(
  'help is broken between words in a terminal of 80 columns: %j',
  async (argv) => {
    using world = createTestWorld({ columns: 80 });
    const { stdout } = await world.flow(...argv);
    const [, texts = ''] = stdout.split(/^Options:\n/m);
    const [told = ''] = texts.split(/^Examples:\n/m);
    expect(told.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

test('pf run create with a file of a run is told the same without the word', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'run.yaml': 'flow: f\ndata: d.jsonl\n' });
  const { code, stderr } = await world.flow('run', 'create', '--file', 'run.yaml');
  expect(code).toBe(2);
  expect(stderr).toContain('(as in pf; here: flow run --file run.yaml)');
});
