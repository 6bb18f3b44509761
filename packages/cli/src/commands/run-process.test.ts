import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFlow } from '../testing/flow-process.ts';
import { writeFiles } from '../testing/write-files.ts';

/** A flow of two nodes; the second tells the terminal itself that it has begun, and computes without end. */
function hangingFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-hang-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, {
    'flow.dag.yaml': `inputs:
  q: {type: string, default: 同意}
outputs:
  o: {type: string, reference: "\${hang.output}"}
nodes:
  - {name: good, type: python, source: {type: code, path: good.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: hang, type: python, source: {type: code, path: hang.ts}, inputs: {q: "\${good.output}"}}
`,
    'good.ts': "export default ({ q }: { q: string }) => q + '!';\n",
    'hang.ts': `import { writeSync } from 'node:fs';
export default () => {
  writeSync(2, 'hanging\\n');
  for (;;) {}
};
`,
  });
  return folder;
}

test('Ctrl-C ends a function that computes without end; what ran before is recorded', async () => {
  const folder = hangingFolder();
  const run = startFlow(['run', '.', '--name', 'r'], { folder });
  await run.said('hanging');
  run.child.kill('SIGINT');
  const { code, signal, stdout } = await run.ended;
  expect([code, signal]).toEqual([130, null]);
  expect(stdout).toMatch(/^✓ good .*"?同意!/m);
  expect(stdout).toMatch(/^stopped in /m);
  const shown = await startFlow(['show', 'r', '--json'], { folder }).ended;
  expect(JSON.parse(shown.stdout)).toMatchObject({
    status: 'Canceled',
    nodes: { good: { status: 'Completed', output: '同意!' }, hang: { status: 'Canceled' } },
  });
});

test.for(['SIGTERM', 'SIGHUP'] as const)('%s: the same as Ctrl-C', async (name) => {
  const run = startFlow(['run', '.'], { folder: hangingFolder() });
  await run.said('hanging');
  run.child.kill(name);
  const { code, signal } = await run.ended;
  expect([code, signal]).toEqual([130, null]);
});

test('a second Ctrl-C ends the process though code waits in a call of the system that nothing ends', async () => {
  const folder = hangingFolder();
  const pid = join(folder, 'pid');
  onTestFinished(() => void process.kill(Number(readFileSync(pid, 'utf8'))));
  writeFiles(folder, {
    'hang.ts': `import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
export default () => {
  writeSync(2, 'hanging\\n');
  execFileSync('sh', ['-c', 'echo $$ > ${pid}; exec sleep 300'], { stdio: 'ignore' });
};
`,
  });
  const run = startFlow(['run', '.'], { folder });
  await run.said('hanging');
  run.child.kill('SIGINT');
  await run.said('stopped in');
  run.child.kill('SIGINT');
  const { code, signal } = await run.ended;
  expect([code, signal]).toEqual([130, null]);
});

test('its time limit ends it too', async () => {
  const run = startFlow(['run', '.', '--timeout', '0.2'], { folder: hangingFolder() });
  const { code, stdout } = await run.ended;
  expect(code).toBe(1);
  expect(stdout).toContain("node 'hang' ran longer than its time limit of 0.2 s");
});

test.for([['--version'], ['runs'], ['run', '.'], ['chat', '.'], ['serve', '.'], ['view', '--no-open']])(
  'flow %s in a folder that has been removed says so in a sentence',
  async (argv) => {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'flow-gone-'));
    const { code, stderr } = await startFlow(argv, { folder, before: 'rmdir "$PWD"' }).ended;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error: the folder in which flow was started is no longer there\ncd to a folder that is, and try again.\n',
    });
  },
);
