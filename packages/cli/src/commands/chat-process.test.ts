import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFlow } from '../testing/flow-process.ts';
import { untilFiles } from '../testing/until-files.ts';
import { writeFiles } from '../testing/write-files.ts';

/** A chat that says what it is told; its answers take a moment, so that the end of stdin comes while one is under way. */
function echoFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-chat-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, {
    'flow.dag.yaml': `inputs:
  said: {type: string, is_chat_input: true}
outputs:
  answer: {type: string, reference: "\${echo.output}"}
nodes:
  - {name: echo, type: python, source: {type: code, path: echo.ts}, inputs: {said: "\${inputs.said}"}}
`,
    'echo.ts': 'export default ({ said }: { said: string }) => `<${said}>`;\n',
  });
  return folder;
}

test.for([
  { stdin: 'a\nb\n', answers: ['<a>', '<b>'] },
  { stdin: 'a\r\nb', answers: ['<a>', '<b>'] },
  { stdin: 'a\n/exit\nb\n', answers: ['<a>'] },
  { stdin: '', answers: [] },
])('the lines $stdin of a pipe are the turns, and their end is the end of the chat', async ({ stdin, answers }) => {
  const { code, signal, stdout, stderr } = await startFlow(['chat', '.'], { folder: echoFolder(), stdin }).ended;
  expect({ code, signal, stdout }).toEqual({
    code: 0,
    signal: null,
    stdout: answers.map((one) => `${one}\n`).join(''),
  });
  expect(stderr).not.toContain('Warning');
});

test.for([
  ['chat', '.'],
  ['run', '.', '--data', '-'],
  ['run', '.', '--inputs', '-'],
])('flow %s %s with a folder as standard input', async (args) => {
  const before = 'exec "$0" "$@" < .';
  const ended = await startFlow(args, { folder: echoFolder(), before }).ended;
  expect(ended).toMatchObject({ code: 2, stderr: 'error: standard input cannot be read: it is a folder\n' });
});

test('a stdin that stays open does not keep a chat that was left from ending', async () => {
  const stdin = 'a\n/exit\n';
  const { code, stdout } = await startFlow(['chat', '.'], { folder: echoFolder(), stdin, keepsStdinOpen: true }).ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: '<a>\n' });
});

test.for(['SIGTERM', 'SIGHUP'] as const)(
  '%s ends a chat that waits for a line, as Ctrl-C ends an answer',
  async (name) => {
    const folder = echoFolder();
    const chat = startFlow(['chat', '.'], { folder, stdin: 'a\n', keepsStdinOpen: true });
    await chat.said('<a>');
    chat.child.kill(name);
    expect(await chat.ended).toMatchObject({ code: 130, stdout: '<a>\n' });
    const [told] = JSON.parse((await startFlow(['runs', '--json'], { folder }).ended).stdout);
    expect(told).toMatchObject({ status: 'Completed', rows: 1 });
  },
);

test('the record of a chat that goes on is taken for one that is written, by other processes', async () => {
  const folder = echoFolder();
  const chat = startFlow(['chat', '.'], { folder, stdin: 'a\n', keepsStdinOpen: true });
  await chat.said('<a>');
  const listed = await startFlow(['runs', '--json'], { folder }).ended;
  const removed = await startFlow(['runs', 'rm', 'latest'], { folder }).ended;
  chat.child.stdin?.end('b\n');
  const ended = await chat.ended;
  const [{ id, status }] = JSON.parse(listed.stdout);
  expect([status, removed.code, removed.stderr]).toEqual(['Running', 2, `error: run ${id} is under way\n`]);
  expect([ended.code, ended.stdout]).toEqual([0, '<a>\n<b>\n']);
  const [after] = JSON.parse((await startFlow(['runs', '--json'], { folder }).ended).stdout);
  expect(after).toMatchObject({ id, status: 'Completed', rows: 2 });
});

test.for([
  { typed: '\u0004', answers: ['<a>'] },
  { typed: 'b\n\u0004', answers: ['<a>', '<b>'] },
])('what is typed while an answer comes is the next turn, and Ctrl-D the end: $typed', async ({ typed, answers }) => {
  const folder = echoFolder();
  writeFiles(folder, {
    'echo.ts': `import { existsSync, writeFileSync } from 'node:fs';
export default async ({ said }: { said: string }) => {
  writeFileSync('begun', '');
  while (!existsSync('typed')) await new Promise(setImmediate);
  return \`<\${said}>\`;
};
`,
  });
  const before = `exec python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$0" "$@"`;
  const chat = startFlow(['chat', '.'], { folder, before, stdin: '', keepsStdinOpen: true });
  await chat.said('User:');
  chat.child.stdin?.write('a\n');
  await untilFiles(folder, () => existsSync(join(folder, 'begun')));
  await new Promise((resolve) => chat.child.stdin?.write(typed, resolve));
  writeFileSync(join(folder, 'typed'), '');
  const { code, stdout } = await chat.ended;
  expect([code, stdout.match(/<.*?>/g)]).toEqual([0, answers]);
});

test.for([
  { typed: 'a\nb\nc\n/exit\n', answers: ['<a>', '<b>', '<c>'] },
  { typed: 'a\nb\n\u0004', answers: ['<a>', '<b>'] },
  { typed: 'a\nha', answers: ['<a>', '<half>'], rest: 'lf\n/exit\n' },
])(
  'lines that come at once at a terminal, as pasted ones do, are turns each: $typed',
  async ({ typed, answers, rest = '' }) => {
    const before = `exec python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$0" "$@"`;
    const chat = startFlow(['chat', '.'], { folder: echoFolder(), before, stdin: '', keepsStdinOpen: true });
    await chat.said('User:');
    chat.child.stdin?.write(typed);
    await chat.said(answers[0] ?? '');
    // What was typed may have ended it by now.
    if (rest !== '') chat.child.stdin?.end(rest);
    const { code, stdout } = await chat.ended;
    expect([code, stdout.match(/<.*?>/g)]).toEqual([0, answers]);
  },
);
