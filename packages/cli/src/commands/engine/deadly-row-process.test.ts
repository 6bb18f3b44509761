import { expect, test } from 'vitest';
import { engineProcesses } from '../../testing/engine-processes.ts';
import { writeFiles } from '../../testing/write-files.ts';

const rows = 70;
const deadlyFlow = {
  'deadly/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {o: {type: int, reference: "\${fall.output}"}}
nodes:
- {name: fall, type: python, source: {type: code, path: fall.ts}, inputs: {n: "\${inputs.n}"}}
`,
  'deadly/fall.ts': `export function fall({ n }: { n: number }) {
  if (n === 40) process.kill(process.pid, 'SIGKILL');
  return n;
}
`,
};

test('a row that ends its workers ends four of them and is recorded as failed; every other row is there once', {
  timeout: 300_000,
}, async () => {
  await using there = await engineProcesses(rows);
  writeFiles(there.folder, deadlyFlow);
  const followed = there.run('run', 'deadly', '--data', 'n.jsonl', '--name', 'r', '--json');
  const over = followed.then(() => true);
  let deaths = -1;
  for (let isOver = false; !isOver; deaths += 1) {
    const worker = await there.worker(`w${deaths + 1}`, '--concurrency', '4');
    isOver = await Promise.race([over, worker.ended.then(() => false)]);
  }
  const { code, stderr } = await followed;
  expect([code, deaths, stderr]).toEqual([1, 4, expect.any(String)]);
  const expected = Array.from({ length: rows }, (_, n) => (n === 40 ? '40 Failed {}' : `${n} Completed {"o":${n}}`));
  expect(await there.rowsOf('r')).toEqual(expected);
  const shown = await there.run('show', 'r', '--row', '40');
  expect(shown.stdout).toContain('every worker that ran this row ended without a word while it did');
});
