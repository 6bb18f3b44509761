import { expect, onTestFinished, test } from 'vitest';
import { testTable } from '../../testing/test-table.ts';

function tableOf(code: string, timeout = 20) {
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
    called: "() => process.stdout.write('x'.repeat(70 * 2 ** 20))",
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
