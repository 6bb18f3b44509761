import { expect, test } from 'vitest';
import { commandTable } from './command-table.ts';
import { createTestWorld } from './testing/test-io.ts';

test('the help lists every command', async () => {
  using world = createTestWorld();
  const { code, stdout, stderr } = await world.flow('--help');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`Usage: flow <command> [arguments]

Runs flows of language-model calls, code and searches, with loops unrolled and every node recorded.

Options:
  --version                    print the version
  -h, --help                   show this help

Commands:
  run [options] [flow]              run a flow on one set of inputs, or on all rows of a dataset
  plan [options] <flow>             tell what a run over data would ask of models and cost, before anything is spent
  chat [options] <flow>             talk with a chat flow in the terminal
  check [options] <flow>            find all mistakes of a flow without running it
  expand [options] <flow>           print a flow with its loops unrolled
  graph [options] <flow>            draw a flow as a picture (Mermaid or SVG)
  show [options] [run]              show a recorded run: nodes, times, tokens, inputs, outputs
  diff [options] [a] [b]            compare two runs node by node and name the cause
  eval [options] <eval>             score a flow over a dataset, or a recorded run, and judge its gates
  gate [options] <eval>             fail where an evaluation misses its gates: names the first bad node and the cause
  baseline <command>                accept what an evaluation came to, for later ones to be held to
  why [options] [run]               say why a node ran, or from where its output was taken
  trace [options] [run]             print a turn of an agent as trace events of Agents for Amazon Bedrock
  export [options] [run]            write rows of a run, or its node records, as JSONL, CSV or Parquet
  import-run [options] <folder>     read a run that Prompt flow recorded
  parity [options] <flow> <run>     run a flow again on the rows of a run and tell what differs
  prices [options] [update]         list what models cost, or put another list in force
  runs [options] [rm|check run...]  list recorded runs, remove some, or look for damage
  gc [options]                      remove old records of runs
  render [options] [template]       show what a prompt template becomes
  init [options] [folder]           make a new flow that runs at once, offline
  index <command>                   build search indexes over documents, keep them up to date, ask them
  connection <command>              keep connections: create, update, list, show, test, delete
  tools <command>                   catalogues of tools: build one, look tools up in it
  python <command>                  the Python of a flow: set up its requirements, or tell which it is
  version                           print the version
  help [command]                    help for a command

Examples:
  flow init my-agent
  flow run my-agent --input "query=…"
  flow help run
`);
  expect((await world.flow()).stdout).toBe(stdout);
});

test('flow help check', async () => {
  using world = createTestWorld();
  const { code, stdout } = await world.flow('help', 'check');
  expect(code).toBe(0);
  expect(stdout).toBe(`Usage: flow check [options] <flow>

Reads a flow, its templates and its code, and lists every mistake with its place. Runs nothing.

Arguments:
  flow                      a flow: its folder, or its flow.dag.yaml

Options:
  --json                    print diagnostics as JSON
  --sarif                   print diagnostics as SARIF 2.1.0, for code-review tools
  --variant <node.variant>  check with this variant
  --connections <file>      connections file (default: connections.yaml; see docs/connections.md)
  --no-color                plain text (as NO_COLOR=1 does)
  -h, --help                show this help

Examples:
  flow check flows/privacy-agent
  flow check my-flow --json
  flow check my-flow --sarif > flow.sarif
`);
});

test.for(commandTable.map(({ name }) => name))('flow help %s ends well and shows examples', async (name) => {
  using world = createTestWorld();
  const { code, stdout } = await world.flow('help', name);
  expect(code).toBe(0);
  expect(stdout).toContain(`Examples:\n  flow ${name}`);
});

test.for([
  { argv: ['rnu'], says: "error: unknown command 'rnu'\n(Did you mean run?)\n" },
  {
    argv: ['test', '--flow', 'x'],
    says: "error: unknown command 'test'\n(pf flow test --flow FOLDER is here: flow run FOLDER)\n",
  },
  {
    argv: ['run', 'x', '--jsno'],
    says: "error: unknown option '--jsno'\n(Did you mean --json?)\n(flow help run shows what it takes)\n",
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
