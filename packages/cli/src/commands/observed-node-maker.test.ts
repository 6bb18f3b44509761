import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const startsProgram = 'import subprocess\nsubprocess.run(["true"])\n';
const core = 'def tool(function):\n    setattr(function, "__tool", None)\n    return function\n';
const flow = `inputs: {q: {type: string}}
outputs: {said: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.py}, inputs: {q: "\${inputs.q}"}}
`;
const node = (body: string): string =>
  `from promptflow.core import tool\n\n@tool\ndef say(q: str):\n    ${body}\n    return q\n`;

/** A Prompt flow that does as it is imported what the real one does. */
const promptflow = {
  'lib/site-packages/promptflow/__init__.py': startsProgram,
  'lib/site-packages/promptflow/_core/__init__.py': '',
  'lib/site-packages/promptflow/core.py': `${startsProgram}import needed_by_it\n${core}\ndef ask():\n    subprocess.run(["true"])\n`,
  'lib/site-packages/needed_by_it.py': startsProgram,
};

test.for([
  ['what it does as it is imported is in no answer', node('pass'), 0, 1],
  ['what it does for a node counts', node('import promptflow.core as core; core.ask()'), 1, 0],
  ['what a node does itself counts', node('import subprocess; subprocess.run(["true"])'), 1, 0],
] as const)('where Prompt flow is installed: %s', async ([, text, warnings, cached]) => {
  using world = createTestWorld();
  const files = { 'f/flow.dag.yaml': flow, 'f/say.py': text, 'd.jsonl': '{"q": "a"}\n', ...promptflow };
  writeFiles(world.folder, files);
  const variable = `PYTHONPATH=${join(world.folder, 'lib/site-packages')}`;
  const run = (...more: readonly string[]) =>
    world.flow('run', 'f', '--data', 'd.jsonl', '--environment-variables', variable, ...more);
  const first = await run('--name', 'one');
  expect(first).toMatchObject({ code: 0 });
  expect(first.stderr.match(/cannot be compared/g) ?? []).toHaveLength(warnings);
  const again = await run('--since', 'one', '--name', 'two');
  expect(again.stdout).toContain(cached === 1 ? ', 1 cached' : '1 row completed');
  expect(again.stdout.includes('cached')).toBe(cached === 1);
});
