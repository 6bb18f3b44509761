import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const theirRun = join(import.meta.dirname, '../../../../cases/promptflow/run_layout');
const kept = ['--runs-dir', 'kept runs'] as const;

const files = {
  'twice/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${second.output}"}}
nodes:
- {name: first, type: prompt, source: {type: code, path: first.jinja2}, inputs: {q: "\${inputs.q}"}}
- {name: second, type: prompt, source: {type: code, path: second.jinja2}, inputs: {q: "\${first.output}"}}
`,
  'twice/first.jinja2': '{{q}}',
  'twice/second.jinja2': '{{q}} again',
  'rows.jsonl': '{"q": "one"}\n{"q": "two"}\n',
  'scores/eval.yaml': `flow: ../twice
data: ../rows.jsonl
metrics:
- {name: one, on: outputs.a, evaluator: regex, pattern: one, gate: {min: 1}}
`,
};

async function worldOfRuns(): Promise<TestWorld> {
  const world = createTestWorld();
  writeFiles(world.folder, files);
  cpSync(theirRun, join(world.folder, 'their_run'), { recursive: true });
  const run = async (name: string, ...options: readonly string[]) =>
    await world.flow('run', 'twice', '--data', 'rows.jsonl', '--name', name, ...options, ...kept);
  expect(await run('before')).toMatchObject({ code: 0 });
  writeFiles(world.folder, { 'twice/first.jinja2': '{{q}}!' });
  expect(await run('later', '--since', 'before')).toMatchObject({ code: 0 });
  copyFileSync(join(world.folder, 'kept runs/later.run'), join(world.folder, 'sent.run'));
  return world;
}

/** The commands that a text tells to type next, each as its words. */
function told(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/\bflow ((?:show|why|eval|run|runs) .*?)(?= goes on with it| removes it|\n)/g)].map(
    ([, words = '']) => [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  );
}

test.for([
  ['run', 'twice', '--data', 'rows.jsonl', ...kept],
  ['run', 'twice', '--input', 'q=one', ...kept],
  ['run', 'twice', '--data', 'rows.jsonl', '--name', 'later', ...kept],
  ['show', 'later', ...kept],
  ['show', 'later', '--row', '1', ...kept],
  ['show', 'sent.run'],
  ['show', 'sent.run', '--row', '1'],
  ['why', 'later', '--node', 'second', ...kept],
  ['why', 'sent.run', '--node', 'second', '--against', 'kept runs/before.run'],
  ['eval', 'scores', '--run', 'later', ...kept],
  ['eval', 'scores', '--run', 'sent.run'],
  ['eval', 'scores', ...kept],
  ['import-run', 'their_run', ...kept],
])('what flow %s tells to type next finds its run', async (argv) => {
  using world = await worldOfRuns();
  const { stdout, stderr } = await world.flow(...argv);
  const next = told(`${stdout}${stderr}`);
  expect(next).not.toEqual([]);
  for (const words of next) expect([words, await world.flow(...words)]).toMatchObject([words, { code: 0 }]);
});
