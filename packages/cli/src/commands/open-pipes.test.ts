import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { mcpProgram, toolFlow } from '../testing/tool-flow.ts';
import { writeFiles } from '../testing/write-files.ts';

/** Speaks MCP, and leaves a process behind that keeps its pipes and heeds no signal but SIGKILL. */
const server = mcpProgram(
  "'said'",
  `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const stays = "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000);";
const left = spawn(process.execPath, ['-e', stays], { stdio: 'inherit', detached: true });
writeFileSync('left.pid', String(left.pid));
left.unref();`,
);

test('a run ends with its answer, though a process that a tool’s server left behind keeps its pipes open', {
  timeout: 60_000,
}, async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...toolFlow,
    'flow/server.mjs': server,
    'flow/tools.yaml': 'tools:\n- {mcp: {name: files, command: node, args: [server.mjs]}, allow: [say]}\n',
  });
  const started = startFlow(['run', 'flow', '--input', 'q=x', '--json'], { folder: world.folder });
  const { code, stdout } = await started.ended;
  process.kill(Number(readFileSync(join(world.folder, 'flow/left.pid'), 'utf8')), 'SIGKILL');
  expect(code).toBe(0);
  expect(JSON.stringify(JSON.parse(stdout).outputs)).toContain('said');
});
