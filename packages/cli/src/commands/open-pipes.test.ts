import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** Speaks MCP, and leaves a process behind that keeps its pipes and heeds no signal but SIGKILL. */
const server = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const stays = "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000);";
const left = spawn(process.execPath, ['-e', stays], { stdio: 'inherit', detached: true });
writeFileSync('left.pid', String(left.pid));
left.unref();
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const { protocolVersion } = params ?? {};
  const serverInfo = { name: 's', version: '1' };
  if (method === 'initialize') say(id, { protocolVersion, capabilities: { tools: {} }, serverInfo });
  if (method === 'tools/list') say(id, { tools: [{ name: 'say', inputSchema: { type: 'object' } }] });
  if (method === 'tools/call') say(id, { content: [{ type: 'text', text: 'said' }] });
});
`;
const flow = `inputs: {q: {type: string}}
outputs: {say: {type: object, reference: "\${act.output.function_results}"}}
nodes:
- {name: ask, type: python, source: {type: code, path: ask.ts}, inputs: {q: "\${inputs.q}"}}
- {name: act, type: tools, tools: tools.yaml, inputs: {state: "\${ask.output.state}", message: "\${ask.output.message}"}}
`;
const ask = `export default ({ q }: { q: string }) => ({
  state: { finished: false, query: q, function_results: [], scratchpad: [] },
  message: {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'say', arguments: '{}' } }],
  },
});
`;

test('a run ends with its answer, though a process that a tool’s server left behind keeps its pipes open', {
  timeout: 60_000,
}, async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'flow/flow.dag.yaml': flow,
    'flow/ask.ts': ask,
    'flow/package.json': '{"type": "module"}',
    'flow/server.mjs': server,
    'flow/tools.yaml': 'tools:\n- {mcp: {name: files, command: node, args: [server.mjs]}, allow: [say]}\n',
  });
  const started = startFlow(['run', 'flow', '--input', 'q=x', '--json'], { folder: world.folder });
  const { code, stdout } = await started.ended;
  process.kill(Number(readFileSync(join(world.folder, 'flow/left.pid'), 'utf8')), 'SIGKILL');
  expect(code).toBe(0);
  expect(JSON.stringify(JSON.parse(stdout).outputs)).toContain('said');
});
