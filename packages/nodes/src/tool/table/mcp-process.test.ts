import { expect, onTestFinished, test } from 'vitest';
import { testTable } from '../../testing/test-table.ts';

function tableOf(code: string, timeout = 20) {
  const mcp = `{name: test, command: '${process.execPath}', args: ['server.mjs']}`;
  return testTable({ 'tools.yaml': `- {mcp: ${mcp}, allow: [add], timeout: ${timeout}}`, 'server.mjs': code });
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

const busyServer = `
import { createInterface } from 'node:readline';
const tools = [{ name: 'add', inputSchema: { type: 'object' } }];
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: given }) => ({ content: [{ type: 'text', text: given.text.slice(0, 9) }] }),
};
let isBusy = false;
createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call' && !isBusy) {
    isBusy = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }));
});
`;

test('thousands of calls at a time, of a process that reads slowly, are made without a warning of ours', async () => {
  const warned: Error[] = [];
  const warn = (warning: Error): void => void warned.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  await using table = tableOf(busyServer);
  const texts = Array.from({ length: 2000 }, (_, at) => `${String(at).padStart(9, '0')}${'x'.repeat(1000)}`);
  const answers = await Promise.all(texts.map((text) => table.call('add', { text })));
  expect(answers).toEqual(texts.map((text) => ({ ok: true, content: text.slice(0, 9) })));
  expect(warned).toEqual([]);
});
