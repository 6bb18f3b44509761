import { chatFlow, startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

async function chatWith(
  lines: readonly string[],
  {
    isInteractive = false,
    argv = [] as readonly string[],
    replies = ['One.', 'Two.', 'Three.'] as readonly string[],
    status = 200,
  } = {},
) {
  await using server = await startOpenAiServer(replies.map((content) => ({ status, message: { content } })));
  using world = createTestWorld({ stdin: lines.map((line) => `${line}\n`).join(''), isInteractive });
  writeFiles(world.folder, chatFlow(server.url, '  tone: {type: string, reference: "${inputs.tone}"}\n'));
  const said = await world.flow('chat', 'chat', ...argv);
  const shown = await world.flow('runs', '--json');
  const sent = server.requests.map(({ body }) =>
    (body['messages'] as { content: string }[]).map(({ content }) => content),
  );
  return { ...said, sent, streamed: server.requests.map(({ body }) => body['stream']), runs: JSON.parse(shown.stdout) };
}

test('each line is a turn that is told what was said before, and a row of one record', async () => {
  const { code, stdout, stderr, sent, streamed, runs } = await chatWith(['Hello', '', 'Again', '/reset', 'Last']);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'One.\nTwo.\nwhat was said is forgotten\nThree.\n',
    stderr: '\n3 turns recorded in .flow/runs/20261121-064500-chat-0000.run\n',
  });
  expect(sent).toEqual([
    ['Be kind.', 'Hello'],
    ['Be kind.', 'Hello', 'One.', 'Again'],
    ['Be kind.', 'Last'],
  ]);
  expect(streamed).toEqual([true, true, true]);
  expect(runs).toMatchObject([{ id: '20261121-064500-chat-0000', rows: 3 }]);
});

test('what was said before is read as a row reads it: a text that is a list, too', async () => {
  const before = JSON.stringify([{ inputs: { question: 'Old' }, outputs: { answer: 'Then.' } }]);
  const { sent } = await chatWith(['Hello', '/reset', 'Last'], { argv: ['--input', `chat_history=${before}`] });
  expect(sent).toEqual([
    ['Be kind.', 'Old', 'Then.', 'Hello'],
    ['Be kind.', 'Old', 'Then.', 'Last'],
  ]);
  const refused = await chatWith(['Hello'], { argv: ['--input', 'chat_history=Old'] });
  expect(refused).toMatchObject({ code: 2, sent: [] });
  expect(refused.stderr).toContain('error: the input "chat_history" is no list of turns\n');
});

test('on a terminal it asks, and shows who speaks', async () => {
  const { stdout } = await chatWith(['Hello', '/exit', 'not said'], {
    isInteractive: true,
    argv: ['--input', 'tone=short'],
  });
  expect(stdout).toBe('chat with chat  (/help, /exit)\nUser: \nBot: One.\nUser: \n');
});

test('--json prints a line a turn', async () => {
  const { stdout, streamed } = await chatWith(['Hello', '/reset'], { argv: ['--json', '--input', 'tone=short'] });
  expect(stdout).toBe('{"line":0,"status":"Completed","outputs":{"answer":"One.","tone":"short"},"error":null}\n');
  expect(streamed).toEqual([false]);
});

test('a turn that fails is told, is not remembered, and the chat goes on', async () => {
  const { code, stdout, sent } = await chatWith(['Hello', '/show', 'Again'], { status: 400 });
  expect(code).toBe(1);
  expect(stdout.match(/node ask failed/g)).toHaveLength(3);
  expect(sent.at(-1)).toEqual(['Be kind.', 'Again']);
});

test.for([
  ['/shw', 'there is no /shw: did you mean "/show"?\n'],
  ['/show', 'nothing was said yet\n'],
  ['／ｓｈｏｗ', 'nothing was said yet\n'],
  ['／ｓｈｗ', 'there is no ／ｓｈｗ: did you mean "/show"?\n'],
  ['/image cat.png what is this', 'the flow takes text alone: its input question is a string, not a list\n'],
  ['/image', '/image takes a path, and a text behind it\n'],
  ['caf\uFFFD', 'the line holds characters that cannot be read, and is not said: a chat is read as UTF-8\n'],
] as const)('%s', async ([line, expected]) => {
  const { stderr, runs } = await chatWith([line]);
  expect(stderr).toBe(expected);
  expect(runs).toEqual([]);
});

const echo = {
  'pic/echo.py':
    'from promptflow.core import tool\n\n@tool\ndef echo(said: list, history: list):\n    return {"said": [type(part).__name__ for part in said], "turns": len(history)}\n',
  'pic/flow.dag.yaml': `inputs:
  said: {type: list, is_chat_input: true}
  history: {type: list, is_chat_history: true}
outputs:
  answer: {type: object, is_chat_output: true, reference: "\${echo.output}"}
nodes:
- {name: echo, type: python, source: {type: code, path: echo.py}, inputs: {said: "\${inputs.said}", history: "\${inputs.history}"}}
`,
  'cat 1.png': 'not really a picture',
};

test('pictures go with a message, by their path', async () => {
  using world = createTestWorld({ stdin: 'hello\n/image "cat 1.png" what is it\n/image dog.png\n//slash\n' });
  writeFiles(world.folder, echo);
  const { code, stdout, stderr } = await world.flow('chat', 'pic', '--json');
  const outputs = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).outputs.answer);
  expect(outputs).toEqual([
    { said: ['str'], turns: 0 },
    { said: ['str', 'Image'], turns: 1 },
    { said: ['str'], turns: 2 },
  ]);
  expect([code, stderr]).toEqual([0, 'there is no file dog.png\n']);
});

test.for([
  ['inputs: {a: {type: string}, b: {type: string}}', 'no input is marked is_chat_input'],
  [
    'inputs: {a: {type: string, is_chat_input: true}, b: {type: string, is_chat_input: true}}',
    'several inputs are marked is_chat_input: a, b',
  ],
  [
    'inputs: {a: {type: list, is_chat_input: true, is_chat_history: true}}',
    'the input "a" is marked as what the user says and takes the turns so far',
  ],
  ['inputs: {a: {type: string, is_chat_input: true}, b: {type: string}}', 'the input "b" is missing'],
] as const)('%s is no chat', async ([inputs, message]) => {
  using world = createTestWorld({ stdin: 'hello\n' });
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `${inputs}\noutputs: {o: {type: string, reference: "\${inputs.a}"}}\nnodes: []\n`,
  });
  const { code, stderr } = await world.flow('chat', 'f');
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('--connections is heeded: a file that is not there is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, chatFlow('http://127.0.0.1:1'));
  const { code, stderr } = await world.flow('chat', 'chat', '--connections', 'none.yaml');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'error: there is no file none.yaml\n',
  });
});

test('an answer that is null is not printed as one: the other outputs tell what became of the turn', async () => {
  using world = createTestWorld({ stdin: 'book it\n' });
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {q: {type: string, is_chat_input: true}}
outputs:
  answer: {type: string, is_chat_output: true, reference: "\${act.output.answer}"}
  status: {type: string, reference: "\${act.output.status}"}
  control: {type: object, reference: "\${act.output.control}"}
  hint: {type: string, reference: "\${act.output.hint}"}
nodes:
- {name: act, type: python, source: {type: code, path: act.ts}, inputs: {q: "\${inputs.q}"}}
`,
    'f/act.ts':
      "export default ({ q }: { q: string }) => ({ answer: null, hint: null, status: 'returned_control', control: { call: q } });\n",
  });
  const { code, stdout } = await world.flow('chat', 'f');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '(no answer)\nstatus: returned_control\ncontrol: {"call":"book it"}\n',
  });
});

test('a turn in which the node that answers was bypassed says so', async () => {
  using world = createTestWorld({ stdin: 'no\n' });
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {q: {type: string, is_chat_input: true}}
outputs: {answer: {type: string, is_chat_output: true, reference: "\${act.output}"}}
nodes:
- {name: act, type: python, source: {type: code, path: act.ts}, inputs: {q: "\${inputs.q}"}, activate: {when: "\${inputs.q}", is: "yes"}}
`,
    'f/act.ts': 'export default ({ q }: { q: string }) => q;\n',
  });
  const { code, stdout } = await world.flow('chat', 'f');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '(no answer: node "act", which answers, was bypassed)\n',
  });
});
