import { Float } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { testTable } from '../../testing/test-table.ts';

function tableOf(code: string, timeout = 60) {
  const mcp = `{name: test, command: '${process.execPath}', args: ['server.mjs']}`;
  return testTable({ 'tools.yaml': `- {mcp: ${mcp}, allow: [bad, good], timeout: ${timeout}}`, 'server.mjs': code });
}

test('a process that writes its answer without the end of the line is told of at once, not when its time is over', async () => {
  await using table = tableOf(`
process.stdin.once('data', (asked) => {
  const { id, params: { protocolVersion } } = JSON.parse(asked);
  const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`);
  await expect(table.open()).rejects.toThrow(
    'MCP server "test" cannot be asked: it wrote a message without the end of its line, which the protocol asks for',
  );
}, 20_000);

/** A process whose tool does what `called` says with the message; its other calls say `fine`. */
function serverOf(called: string): string {
  return `
import { createInterface } from 'node:readline';
const tools = ['bad', 'good'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'fine' }] }),
};
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
createInterface(process.stdin).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (params?.name === 'bad') await (${called})(params.arguments, id);
  else if (id !== undefined) answer(id, answers[method](params));
});
`;
}

test.for([
  {
    name: 'a message that is too long',
    called: "() => process.stdout.write('x'.repeat(17 * 2 ** 20))",
    message: 'it wrote a message of more than 16777216 bytes',
  },
  {
    name: 'an end that another process of it hides',
    called: `async () => {
      const { spawn } = await import('node:child_process');
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 8000)'], { stdio: 'inherit', detached: true }).unref();
      process.exit(0);
    }`,
    message: 'MCP error -32000: Connection closed',
  },
  {
    name: 'no more output',
    called: '() => process.stdout.end()',
    message: 'it closed its output',
  },
])(
  'a process from which nothing more can come is told of before the time is over, and started again: $name',
  async ({ called, message }) => {
    await using table = tableOf(serverOf(called));
    const answer = await table.call('bad', {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'MCP_FAILED', message } });
    expect(await table.call('good', {})).toEqual({ ok: true, content: 'fine' });
  },
);

test('lines of a process that are no messages are passed over, and told once', async () => {
  await using table = tableOf(
    serverOf("(_, id) => { console.log('started'); console.log('{}'); answer(id, { content: [] }); }"),
  );
  expect(await table.call('bad', {})).toEqual({ ok: true, content: '' });
  expect(await table.call('bad', {})).toEqual({ ok: true, content: '' });
  expect(table.printed).toEqual(['MCP server "test" sends what is no message of the protocol; it is passed over\n']);
});

test('a process that says that its tools have changed is told of once', async () => {
  const notice = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
  await using table = tableOf(serverOf(`(_, id) => { console.log('${notice}'); answer(id, { content: [] }); }`));
  expect(await table.call('bad', {})).toEqual({ ok: true, content: '' });
  expect(await table.call('bad', {})).toEqual({ ok: true, content: '' });
  expect(table.printed).toEqual([
    'MCP server "test" says that its tools have changed; those that it listed at first stay until the flow is opened again\n',
  ]);
});

const busy = `(given, id) => {
  if (!globalThis.isBusy) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  globalThis.isBusy = true;
  answer(id, { content: [{ type: 'text', text: given.text.slice(0, 9) }] });
}`;

test('thousands of calls at a time, of a process that reads slowly, are made without a warning of ours', async () => {
  const warned: Error[] = [];
  const warn = (warning: Error): void => void warned.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  await using table = tableOf(serverOf(busy));
  const texts = Array.from({ length: 2000 }, (_, at) => `${String(at).padStart(9, '0')}${'x'.repeat(1000)}`);
  const answers = await Promise.all(texts.map((text) => table.call('bad', { text })));
  expect(answers).toEqual(texts.map((text) => ({ ok: true, content: text.slice(0, 9) })));
  expect(warned).toEqual([]);
});

const failed = (code: string, message: string) => ({ ok: false, error: { code, message } });

test.for([
  {
    name: 'an answer of another revision',
    result: `{"toolResult":"old"}`,
    told: failed(
      'MCP_FAILED',
      'it answered with toolResult, which is not read here: expected content or structuredContent',
    ),
  },
  {
    name: 'a task that goes on',
    result: `{"task":{"taskId":"x","status":"working"}}`,
    told: failed('MCP_FAILED', 'it answered with task, which is not read here: expected content or structuredContent'),
  },
  {
    name: 'data that nests 20,000 deep',
    result: `{"content":[],"structuredContent":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    told: failed('MCP_FAILED', 'its answer is nested deeper than 1000 levels'),
  },
  {
    name: 'a failure as data',
    result: `{"isError":true,"content":[],"structuredContent":{"why":"full"}}`,
    told: failed('TOOL_FAILED', '{"why":"full"}'),
  },
  {
    name: 'a failure without a word',
    result: `{"isError":true,"content":[]}`,
    told: failed('TOOL_FAILED', 'the tool failed and said nothing'),
  },
])('what a process answers is not lost in silence: $name', async ({ result, told }) => {
  const called = `(_, id) => console.log('{"jsonrpc":"2.0","id":' + id + ',"result":' + given + '}')`;
  await using table = tableOf(`const given = ${JSON.stringify(result)};\n${serverOf(called)}`);
  expect(await table.call('bad', {})).toMatchObject(told);
  expect(await table.call('good', {})).toEqual({ ok: true, content: 'fine' });
});

test('numbers are sent with every digit, and those that came back otherwise are told', async () => {
  const echo = `(_, id) => {
    const [, given] = /"arguments":([{].*?[}])/.exec(asked);
    const content = JSON.stringify([{ type: 'text', text: given }]);
    console.log('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":' + content + ',"structuredContent":' + given + '}}');
  }`;
  const keep = `let asked = '';\nprocess.stdin.on('data', (part) => { asked += part; });\n`;
  await using table = tableOf(keep + serverOf(echo));
  const sent = { n: 12345678901234567890n, f: new Float(1) };
  expect(await table.call('bad', sent)).toEqual({ ok: true, content: '{"n":12345678901234567890,"f":1.0}' });
  expect(table.printed).toEqual([
    'MCP server "test" answers numbers as data that a double cannot hold; they are read as the nearest that it can\n',
  ]);
  expect(await table.call('bad', { list: [1, Number.NaN] })).toMatchObject(
    failed('MCP_FAILED', 'list cannot be sent: JSON has no NaN'),
  );
});

test('names of tools are told in one line of bounded length', async () => {
  const names = ['# system:\n\u001b[31mred', 'bad_', 'n'.repeat(100_000)];
  const tools = JSON.stringify(names.map((name) => ({ name, inputSchema: { type: 'object' } })));
  await using table = tableOf(
    serverOf('() => undefined').replace(/const tools = .*;/, () => `const tools = ${tools};`),
  );
  const error = await table.open().catch((thrown: unknown) => thrown as Error);
  expect(String(error)).toMatch(
    /has no tool "bad"; did you mean "bad_"\? it has # system: \[31mred, bad_, n{950,990}…$/,
  );
});
