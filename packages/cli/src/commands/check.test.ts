import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countingWorld } from '../testing/counting-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const wrong = {
  'ask/flow.dag.yaml': `inputs:
  query:
    type: string
outputs:
  answer:
    type: string
    reference: \${serach.output}
nodes:
  - name: search
    type: python
    source: {type: code, path: search.ts}
    inputs: {query: "\${inputs.question}"}
`,
  'ask/search.ts': 'export function search({ query }: { query: string }) { return query; }\n',
};

test('a flow without mistakes', async () => {
  using world = countingWorld();
  expect(await world.flow('check', 'counting')).toEqual({
    code: 0,
    stdout: '✓ counting/flow.dag.yaml: 9 nodes (a loop unrolled), ready to run\n',
    stderr: '',
  });
});

test('what a flow runs with all the same is only noted', async () => {
  using world = createTestWorld();
  const flow = [
    'inputs: {q: {type: string, default: x, is_chat_input: "no"}}',
    'outputs: {o: {reference: "${p.output}", type: string}}',
    'nodes: [{name: p, type: prompt, source: {type: jinja2, path: p.jinja2}, inputs: {q: "${inputs.q}"}}]',
  ];
  writeFiles(world.folder, { 'odd/flow.dag.yaml': flow.join('\n'), 'odd/p.jinja2': '{{q}}!' });
  const { code, stdout } = await world.flow('check', 'odd');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /is_chat_input[\s\S]*source\.type[\s\S]*\n2 warnings\n✓ odd\/flow.dag.yaml: 1 node, ready to run\n$/,
  );
  const { outputs } = JSON.parse((await world.flow('run', 'odd', '--json')).stdout) as { readonly outputs: unknown };
  expect(outputs).toEqual({ o: 'x!' });
});

test('a line of a .env file that cannot be read is told once, by check and by a run, without its value', async () => {
  using world = countingWorld();
  writeFiles(world.folder, {
    'my.env': 'FIRST=1\n\nKEY="s3cret never closed\n',
    'run.yaml': 'flow: counting\nenvironment_variables: my.env\n',
  });
  const warning = 'warning: my.env:3: this line is left out: the quote before its value is never closed\n';
  expect((await world.flow('check', 'counting', '--env', 'my.env')).stderr).toBe(warning);
  for (const asked of [
    ['counting', '--env', 'my.env'],
    ['--file', 'run.yaml'],
  ]) {
    const { stdout, stderr } = await world.flow('run', ...asked);
    expect(stderr.split('my.env:3').length - 1).toBe(1);
    expect(stderr).toContain(warning);
    expect(stdout + stderr).not.toContain('s3cret');
  }
});

test('variables that a run would be given are given to the check', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      'outputs: {o: {reference: "${p.output}", type: string}}\nnodes: [{name: p, type: python, source: {type: code, path: p.py}, inputs: {}}]\n',
    'f/p.py':
      'import os\nfrom promptflow.core import tool\nkey = os.environ["FIRST"] + os.environ["SECOND"]\n@tool\ndef p():\n    return key\n',
    'second.env': 'SECOND=2\n',
  });
  const without = await world.flow('check', 'f');
  expect(without.stdout).toContain('asks for the environment variable FIRST');
  expect(without.stdout).toContain('asks for the environment variable SECOND');
  const ready = { code: 0, stdout: '✓ f/flow.dag.yaml: 1 node, ready to run\n', stderr: '' };
  expect(await world.flow('check', 'f', '--env', 'FIRST=1', 'second.env')).toEqual(ready);
  expect(await world.flow('check', 'f', '--environment-variables', 'FIRST=1', 'SECOND=2')).toEqual(ready);
});

test('a class whose arguments nothing gives is not said to be ready', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'greet/flow.flex.yaml': 'entry: greet:Greet\ninit: {b: {type: string, default: "!"}}\n',
    'greet/greet.py':
      'class Greet:\n    def __init__(self, a: str, b: str, c=1):\n        self.a = a\n    def __call__(self, q: str):\n        return self.a + q\n',
  });
  const { code, stdout } = await world.flow('check', 'greet');
  expect(code).toBe(0);
  expect(stdout).toContain("FLEX_ARGUMENT the class takes a, and the flow's file gives no value");
  expect(stdout).toContain('help: give one when it runs: --init a=…, or a default under init\n');
  expect(stdout).toMatch(/1 node, runs with --init, which gives what the class takes\n$/);
});

test.for<readonly [kind: 'class' | 'nodes', written: string, told: string | undefined, isServed: boolean]>([
  ['class', 'mark=!', 'PF_FLOW_INIT_CONFIG can\'t be deserialized to json: it begins with "mark=!"', false],
  ['class', '[1]', 'PF_FLOW_INIT_CONFIG holds a list, not a JSON object', false],
  ['class', 'null', undefined, true],
  ['class', '{"mark": "!"}', undefined, true],
  ['nodes', '{mark: "!"}', 'PF_FLOW_INIT_CONFIG can\'t be deserialized to json: it begins with "{mark: \\""', false],
  ['nodes', '"text"', undefined, true],
])('arguments of a served %s that the variable gives as %s', async ([kind, written, told, isServed]) => {
  using world = createTestWorld({ environment: { PF_FLOW_INIT_CONFIG: written } });
  writeFiles(world.folder, {
    'class/flow.flex.yaml': 'entry: greet:Greet\n',
    'class/greet.py':
      'class Greet:\n    def __init__(self, mark: str = "?"):\n        pass\n    def __call__(self, q: str):\n        return q\n',
    'nodes/flow.dag.yaml':
      'inputs: {q: {type: string}}\noutputs: {a: {type: string, reference: "${inputs.q}"}}\nnodes: []\n',
  });
  const { code, stdout } = await world.flow('check', kind);
  expect(code).toBe(0);
  expect(stdout.includes('FLEX_VARIABLE')).toBe(told !== undefined);
  if (told !== undefined) expect(stdout).toContain(`warning FLEX_VARIABLE ${told}: flow serve stops there\n`);
  if (isServed) return;
  const served = await world.flow('serve', kind, '--port', '0');
  expect(served).toMatchObject({ code: 2, stderr: expect.stringContaining(`${told}\n`) });
  expect(served.stderr).toContain(
    `it gives what the class takes, as one JSON object: PF_FLOW_INIT_CONFIG='{"mark": "!"}'`,
  );
});

test('a prompty whose variables are not set is not said to be ready', async () => {
  const text =
    '---\nmodel:\n  configuration:\n    model: m\n    type: openai\n    api_key: ${env:ASK_KEY}\n---\nuser:\nhi\n';
  using world = createTestWorld();
  writeFiles(world.folder, { 'ask.prompty': text });
  const { code, stdout } = await world.flow('check', 'ask.prompty');
  expect({ code, stdout }).toEqual({
    code: 2,
    stdout: [
      'ask.prompty:6:14 error PROMPTY_MODEL the environment variable ASK_KEY is not set',
      '        api_key: ${env:ASK_KEY}',
      '                 ~~~~~~~~~~~~~~',
      '    help: set ASK_KEY, or write the value in place of ${env:ASK_KEY}',
      '1 error\n',
    ].join('\n'),
  });
  using other = createTestWorld({ folder: world.folder, environment: { ASK_KEY: 'k' } });
  expect((await other.flow('check', 'ask.prompty')).code).toBe(0);
});

test('a flow whose default cannot be taken is not said to be ready', async () => {
  using world = createTestWorld();
  const flow = [
    'inputs: {said: {type: list, default: how are you}}',
    'outputs: {o: {reference: "${p.output}", type: string}}',
    'nodes: [{name: p, type: prompt, source: {type: code, path: p.jinja2}, inputs: {said: "${inputs.said}"}}]',
  ];
  writeFiles(world.folder, { 'text/flow.dag.yaml': flow.join('\n'), 'text/p.jinja2': '{{said}}' });
  const { code, stdout } = await world.flow('check', 'text');
  expect(code).toBe(0);
  expect(stdout).toContain('help: rows that do not give it fail: write a list, or a string that holds a JSON array\n');
  expect(stdout).toMatch(/\n✓ text\/flow.dag.yaml: 1 node, runs on rows that give what has no usable default\n$/);
  expect((await world.flow('run', 'text')).code).toBe(2);
  expect((await world.flow('run', 'text', '--input', 'said=["a"]')).code).toBe(0);
});

test('a file without nodes is no flow to run yet', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'empty/flow.dag.yaml': '' });
  const checked = await world.flow('check', 'empty');
  expect(checked).toEqual({ code: 0, stdout: '✓ empty/flow.dag.yaml: 0 nodes, nothing to run yet\n', stderr: '' });
  const { code, stderr } = await world.flow('run', 'empty');
  expect([code, stderr]).toEqual([2, expect.stringContaining('\nGive it `nodes`, each with a `name`;')]);
});

test('all mistakes at once, each underlined at its place', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, wrong);
  const { code, stdout, stderr } = await world.flow('check', 'ask');
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "ask/flow.dag.yaml:2:3 warning FLOW_INPUT_UNUSED nothing uses the input "query" of the flow
          query:
          ~~~~~
        help: read it as \${inputs.query}, or remove it
    ask/flow.dag.yaml:7:16 error FLOW_UNKNOWN_NODE there is no node "serach"
            reference: \${serach.output}
                       ~~~~~~~~~~~~~~~~
        help: did you mean "search"?
    ask/flow.dag.yaml:12:21 error FLOW_UNKNOWN_INPUT the flow has no input "question"
            inputs: {query: "\${inputs.question}"}
                            ~~~~~~~~~~~~~~~~~~~~
        help: the inputs are query
    2 errors, 1 warning
    "
  `);
});

test('--json and --sarif hold the same mistakes', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, wrong);
  const json = JSON.parse((await world.flow('check', 'ask', '--json')).stdout);
  expect(json).toMatchObject({ ok: false, flow: 'ask/flow.dag.yaml' });
  const sarif = JSON.parse((await world.flow('check', 'ask', '--sarif')).stdout);
  const codes = (list: readonly Record<string, string>[], key: string): readonly string[] =>
    list.map((item) => item[key] ?? '').sort();
  expect(codes(json.diagnostics, 'code')).toEqual(codes(sarif.runs[0].results, 'ruleId'));
  expect(json.diagnostics.length).toBeGreaterThan(1);
});

test('a flow of code is checked as far as its entry goes', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'flex/flow.flex.yaml': 'entry: main:answr\n',
    'flex/main.py': 'def answer():\n    pass\n',
  });
  const { code, stdout } = await world.flow('check', 'flex');
  expect(code).toBe(2);
  expect(stdout).toContain('main.py has no function or class "answr"');
  expect(stdout).toContain('did you mean "answer"?');
});

test('a flow and a template that are no UTF-8 are told so, at their first wrong byte', async () => {
  using world = createTestWorld();
  const ask = 'nodes: [{name: ask, type: prompt, source: {type: code, path: ask.jinja2}, inputs: {q: a}}]\n';
  writeFiles(world.folder, { 'flow/flow.dag.yaml': ask });
  writeFileSync(join(world.folder, 'flow/ask.jinja2'), Buffer.from('8ebf96e23a207b7b20717d7d', 'hex'));
  writeFileSync(join(world.folder, 'wrong.yaml'), Buffer.from('696e707574733a0a20208ebf96e2', 'hex'));
  expect((await world.flow('check', 'flow')).stdout).toContain(
    'flow/ask.jinja2:1:1 error FILE_ENCODING flow/ask.jinja2 is no text in UTF-8\n',
  );
  expect((await world.flow('check', 'wrong.yaml')).stdout).toMatch(
    /^wrong\.yaml:2:3 error FILE_ENCODING wrong\.yaml is no text in UTF-8\n.*\n +~\n {4}help: save it as UTF-8 .*\n1 error\n$/,
  );
});

test.for([
  ['UTF-16 without a mark', 'check', Buffer.from('inputs: {}\nnodes: []\n', 'utf16le')],
  ['an evaluation in CP932', 'eval', Buffer.from('8ebf96e20a', 'hex')],
  ['an evaluation in UTF-16', 'eval', Buffer.from('flow: ask\n', 'utf16le')],
] as const)('%s is told as such, not by its first key', async ([, command, bytes]) => {
  using world = createTestWorld();
  writeFileSync(join(world.folder, 'odd.yaml'), bytes);
  const { code, stdout, stderr } = await world.flow(command, 'odd.yaml');
  expect(code).toBe(2);
  expect(`${stdout}${stderr}`).toMatch(/^odd\.yaml:1:1 error FILE_ENCODING odd\.yaml is no text in UTF-8\n/);
  expect(`${stdout}${stderr}`).toContain('1 error\n');
});

test.for([
  { without: ' connection: offline,', told: 'error CONNECTION_MISSING an llm node names no connection' },
  { without: 'offline,', instead: '"",', told: 'error CONNECTION_MISSING an llm node names no connection' },
  {
    without: 'offline,',
    instead: '[yours],',
    told: 'error FLOW_WRONG_VALUE "connection" of node "ask" must be a text, not a list',
  },
  { without: ' api: chat,', told: 'error FLOW_MISSING_KEY an llm node has no api' },
  { without: 'chat,', instead: 'chatt,', told: 'error FLOW_WRONG_VALUE there is no api "chatt"' },
])(
  'an llm node without "$without" is not said to be ready, and does not run',
  async ({ without, instead = '', told }) => {
    using world = createTestWorld();
    const ask =
      'outputs: {said: {type: string, reference: "${ask.output}"}}\nnodes:\n- {name: ask, type: llm, connection: offline, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: m}}\n';
    writeFiles(world.folder, { 'flow.dag.yaml': ask.replace(without, instead), 'ask.jinja2': 'user:\nhi\n' });
    const { code, stdout } = await world.flow('check', '.');
    expect([code, stdout.split('\n')[0]]).toEqual([2, expect.stringContaining(told)]);
    expect(stdout).toContain('\n1 error\n');
    expect(await world.flow('run', '.')).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
  },
);

test('a parameter of a model that is misspelt is told with the one it was meant for', async () => {
  using world = createTestWorld();
  const inputs = 'inputs: {model: m, temprature: 0, maxtokens: 5, colour: red}';
  writeFiles(world.folder, {
    'ask/ask.jinja2': 'user:\nhi\n',
    'ask/flow.dag.yaml': `outputs: {said: {type: string, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: llm, connection: offline, api: chat, source: {type: code, path: ask.jinja2}, ${inputs}}
`,
  });
  const { stdout } = await world.flow('check', 'ask');
  expect(stdout.match(/does not use the input .*|help: .*/g)).toEqual([
    'does not use the input "temprature"',
    'help: did you mean "temperature"?',
    'does not use the input "maxtokens"',
    'help: did you mean "max_tokens"?',
    'does not use the input "colour"',
  ]);
});

test('a connection that cannot be used is told with all else that is wrong', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'connections.yaml': 'mine: {type: open_ai, api_key: "${env:MY_KEY}"}\nbad: {type: open_ia}\n',
    'ask/ask.jinja2': 'user:\nhi\n',
    'ask/flow.dag.yaml': `outputs: {said: {type: string, reference: "\${aks.output}"}}
nodes:
- {name: ask, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: m}}
- {name: more, type: llm, connection: bad, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: m}}
`,
  });
  const told = await world.flow('check', 'ask');
  const findings = told.stdout.split('\n').filter((line) => / error |help: (?!read)/.test(line));
  expect([told.code, told.stderr, findings]).toEqual([
    2,
    '',
    [
      'ask/flow.dag.yaml:1:43 error FLOW_UNKNOWN_NODE there is no node "aks"',
      '    help: did you mean "ask"?',
      'ask/flow.dag.yaml:3:38 error CONNECTION_UNUSABLE the connection "mine" of node "ask" cannot be used',
      '    help: connection "mine": Environment variable MY_KEY is not found. Set MY_KEY, or write another value in place of ${env:MY_KEY}.',
      'ask/flow.dag.yaml:4:39 error CONNECTION_UNUSABLE the connection "bad" of node "more" cannot be used',
      expect.stringMatching(
        /^ {4}help: connection "bad" has the unknown type "open_ia": did you mean "open_ai"\? the types are azure_open_ai, /,
      ),
    ],
  ]);
  expect((await world.flow('run', 'ask')).stderr).toContain('error CONNECTION_UNUSABLE');
});

test('another connection for once is checked as a run takes it', async () => {
  using world = createTestWorld();
  const ask =
    'outputs: {said: {type: string, reference: "${ask.output}"}}\nnodes:\n- {name: ask, type: llm, source: {type: code, path: ask.jinja2}, inputs: {model: m}, connection: theirs, api: chat}\n';
  writeFiles(world.folder, { '要約/flow.dag.yaml': ask, '要約/ask.jinja2': 'user:\nhi\n' });
  expect((await world.flow('check', '要約')).stdout).toContain('there is no connection "theirs"');
  const [own, unknown] = ['ask.connection=offline', 'aks.connection=offline'];
  expect(await world.flow('check', '要約', '--connections', own)).toMatchObject({ code: 0, stderr: '' });
  expect(await world.flow('run', '要約', '--connections', own)).toMatchObject({ code: 0 });
  const wrong = await world.flow('check', '要約', '--connections', unknown);
  expect(wrong).toMatchObject({ code: 2, stdout: expect.stringContaining('error FLOW_OVERRIDE') });
});

test('a value alone before a colon is told, since it opens a message where it is a role', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {q: {type: string}, turns: {type: list}, title: {type: string}}
outputs: {o: {type: string, reference: "\${ask.output}"}}
nodes:
  - name: ask
    type: llm
    source: {type: code, path: ask.jinja2}
    connection: offline
    api: chat
    inputs: {model: offline, q: "\${inputs.q}", turns: "\${inputs.turns}", title: "\${inputs.title}"}
`,
    'f/ask.jinja2':
      'system:\nAnswer.\n{% for turn in turns %}\n{{ turn.role }}:\n{{ turn.text }}\n{% endfor %}\n# user:\n{{ title }}:\n- {{ title }}:\n{{ q }}\n',
  });
  const { code, stdout } = await world.flow('check', 'f');
  expect(
    stdout,
  ).toBe(`f/ask.jinja2:8:1 warning TEMPLATE_ROLE {{ title }} begins a message where its value is \`system\` or another role
    {{ title }}:
    ~~~~~~~~~~~
    help: put a text before it on its line: \`- \` or a word
1 warning
✓ f/flow.dag.yaml: 1 node, ready to run
`);
  expect(code).toBe(0);
});
