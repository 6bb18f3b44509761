import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** Two calls a row of a model whose replies come in order, and code that kills the process in between, once, at one of the rows. */
const files = {
  'flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {o: {type: string, reference: "\${second.output}"}}
nodes:
- {name: first, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: m, q: "\${inputs.q}"}, retry: {times: 1, wait_seconds: 0}}
- {name: fall, type: python, source: {type: code, path: fall.ts}, inputs: {q: "\${inputs.q}", said: "\${first.output}"}}
- {name: second, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: m, q: "\${fall.output}"}}
`,
  'ask.jinja2': '# user:\n{{ q }}\n',
  'fall.ts': `import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
export default ({ q, said }: { q: string; said: string }) => {
  const trap = join(import.meta.dirname, 'trap-' + q);
  if (existsSync(trap)) {
    rmSync(trap);
    process.kill(process.pid, 'SIGKILL');
  }
  return q + said;
};
`,
  'connections.yaml': 'mine: {type: scripted, file: replies.yaml}\n',
  'replies.yaml': `- {reply: one}
- {when: b, reply: for b}
- {reply: two}
- {error: {code: Busy, message: not now, retryable: true}}
- {reply: three}
- {reply: four}
- {error: {code: Refused, message: never}}
- {reply: five}
- {reply: six}
- {reply: seven}
- {reply: eight}
- {reply: nine}
`,
  'rows.jsonl': ['a', 'b', 'c', 'd', 'e'].map((q) => `${JSON.stringify({ q })}\n`).join(''),
};

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-script-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}

const base = ['run', '.', '--data', 'rows.jsonl', '--name', 'r', '--concurrency', '1', '--quiet'];

/** What became of each row. */
async function rowsOf(folder: string): Promise<readonly unknown[]> {
  const { stdout } = await createTestWorld({ folder }).flow('export', 'r', '--format', 'jsonl');
  const rows = stdout.trim().split('\n');
  return rows.map((row) => {
    const { status, outputs, error } = JSON.parse(row);
    return { status, outputs, error: error?.code };
  });
}

let undisturbed: readonly unknown[];

beforeAll(async () => {
  using world = createTestWorld();
  writeFiles(world.folder, files);
  expect((await world.flow(...base)).code).toBe(1);
  undisturbed = await rowsOf(world.folder);
  expect(undisturbed).toHaveLength(5);
});

test.for(['b', 'c', 'd'])('killed at row %s and resumed, a script goes on where it was', async (row) => {
  const folder = newFolder();
  writeFileSync(join(folder, `trap-${row}`), '');
  expect((await startFlow(base, { folder }).ended).signal).toBe('SIGKILL');
  expect((await createTestWorld({ folder, now: Date.now }).flow('run', '--resume', 'r', '--quiet')).code).toBe(1);
  expect(await rowsOf(folder)).toEqual(undisturbed);
});
